import { RecorderdError } from "../../model/errors.ts";
import type { FleetOverview } from "../fleet/overview.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result } from "./finding.ts";

/** A recorder on its own has nothing to check, and loads nothing. */
export async function lookAtFleet({ config, clock }: CheckContext): Promise<readonly Result[]> {
  if (config.fleet === undefined) return [];
  const [{ openFleetDatabase }, { fleetOverview }] = await Promise.all([
    import("../fleet/access.ts"),
    import("../fleet/overview.ts"),
  ]);
  try {
    await using database = await openFleetDatabase(config, { use: "state", clock });
    return resultsOf(await fleetOverview(database));
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return [
      bad({
        found: error.message,
        expected: "a PostgreSQL database that all nodes reach (fleet.database)",
        todo: "Follow the message, then run recorderd fleet.",
        code: error.code,
      }),
    ];
  }
}

function resultsOf({ database, term, nodes }: FleetOverview): readonly Result[] {
  const leader = nodes.find(({ role }) => role === "leader");
  const led = leader === undefined ? "nobody leads yet" : `${leader.name} leads (term ${term})`;
  const troubled = nodes.flatMap(({ name, trouble }) =>
    trouble === undefined
      ? []
      : [
          bad({
            found: `${name} cannot lead: ${trouble}`,
            expected: "one folder of recordings for all nodes",
            todo: "Mount the shared folder there, at the same path.",
            code: "STORAGE_OFFLINE" as const,
          }),
        ],
  );
  return [good(`${database} answers: ${led}`), ...troubled];
}
