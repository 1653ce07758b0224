import type { Config } from "./config/schema.ts";
import { Gatherer } from "./gather/gatherer.ts";
import { broadcastDesk } from "./guide/broadcast.ts";
import type { GuideClient } from "./guide/client.ts";
import { inspecting, openInspection } from "./inspect/file-inspection.ts";
import { GuideTables } from "./inspect/guide-tables.ts";
import { type Clock, systemChance } from "./kit/clock.ts";
import type { Log } from "./kit/log.ts";
import type { GatherStatus } from "./model/gathering.ts";
import { LIMITS } from "./model/limits.ts";
import type { OpenInspection } from "./ports.ts";

interface GatheringParts {
  readonly client: GuideClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the broadcast's own tables tell of the guide, taken out of what is recorded. */
interface Gathering {
  /** Inspection that lets the tables be gathered on the way. */
  readonly openInspection: OpenInspection;
  readonly status: () => GatherStatus | undefined;
  run(signal: AbortSignal): Promise<void>;
}

export function openGathering({ guide }: Config, { client, clock, log }: GatheringParts): Gathering {
  if (!guide.broadcast) return { openInspection, status: () => undefined, run: async () => {} };
  const gatherer = new Gatherer({
    desk: broadcastDesk(client),
    newTables: () => new GuideTables({ eventsMax: LIMITS.gatherEvents }),
    clock,
    chance: systemChance,
    log,
  });
  return {
    openInspection: inspecting(gatherer),
    status: () => gatherer.status,
    run: (signal) => gatherer.run(signal),
  };
}
