import type { Config } from "../../recorder/config/schema.ts";
import { Fleet, type FleetParts } from "../../recorder/fleet/fleet.ts";
import { openNodePorts } from "../../recorder/wiring/node-ports.ts";

/** All that only a recorder in a fleet loads. @throws RecorderdError as `Fleet.open` */
export function openFleetNode(config: Config, parts: Omit<FleetParts, "openPorts">): Promise<Fleet> {
  const { clock, log } = parts;
  return Fleet.open(config, {
    ...parts,
    openPorts: (current, events) => openNodePorts(current, events, { clock, log }),
  });
}
