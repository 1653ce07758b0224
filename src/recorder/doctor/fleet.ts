import { RecorderdError } from "../../model/errors.ts";
import { formatInstant } from "../../model/time.ts";
import { readSecretsFile, secretsPlace } from "../config/secrets.ts";
import type { NodeAnswer } from "../fleet/node-request.ts";
import type { FleetOverview } from "../fleet/overview.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";

/** A recorder on its own has nothing to check, and loads nothing. */
export async function lookAtFleet({ config, clock }: CheckContext): Promise<readonly Result[]> {
  if (config.fleet === undefined) return [];
  const [{ openFleetDatabase }, { fleetOverview }, { requestNode }] = await Promise.all([
    import("../fleet/access.ts"),
    import("../fleet/overview.ts"),
    import("../fleet/node-request.ts"),
  ]);
  try {
    await using database = await openFleetDatabase(config, { use: "state", clock });
    const overview = await fleetOverview(database);
    const secret = (await readSecretsFile(secretsPlace(config.data.folder)))?.fleet?.secret;
    if (secret === undefined) return resultsOf(overview);
    const asked = overview.nodes.map(async ({ name, address, certificate, isAway }) => {
      if (address === undefined || certificate === undefined || isAway) return [];
      const answer = await requestNode({ address, certificate }, { secret, clock }, NEVER);
      return unreached({ name, address }, answer);
    });
    return [...resultsOf(overview), ...(await Promise.all(asked)).flat()];
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

const NEVER = new AbortController().signal;

function unreached(
  { name, address }: { readonly name: string; readonly address: string },
  answer: NodeAnswer,
): readonly Result[] {
  if (answer.kind === "connected" || (answer.kind === "answered" && answer.status === 200)) return [];
  const why = answer.kind === "answered" ? `status ${answer.status}` : answer.why;
  const found = bad({
    found: `${name} does not answer at ${address} (${why}), so it cannot record for this node`,
    expected: "nodes that reach one another, with one secret",
    todo: "Set fleet.listen there to an address that this machine reaches, and store the same secret on all nodes: recorderd fleet secret.",
    code: "TUNER_UNREACHABLE" as const,
  });
  return [found];
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
            expected: "nodes that keep their recordings in one place",
            todo: "Do on that machine what the message says: the shared folder is at the same path on all nodes, and fleet.home the same.",
            code: "STORAGE_OFFLINE" as const,
          }),
        ],
  );
  const drained = nodes.flatMap(({ name, drainedSince }) =>
    drainedSince === undefined
      ? []
      : [
          unknown(
            `${name} is drained since ${formatInstant(drainedSince)} and records nothing new. Undo: recorderd fleet resume ${name}`,
          ),
        ],
  );
  return [good(`${database} answers: ${led}`), ...troubled, ...drained];
}
