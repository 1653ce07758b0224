import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import type { Row, Statements } from "./database.ts";
import { runningCaptures } from "./running.ts";
import { arePrepared } from "./schema.ts";

export interface FleetNode {
  readonly name: string;
  readonly version: string;
  readonly role: "leader" | "standby";
  /** When it began to lead, or started. */
  readonly since: EpochMs;
  /** How long ago it was seen. */
  readonly seenMs: DurationMs;
  /** It does not run, or does not reach the database: it was last seen too long ago. */
  readonly isAway: boolean;
  /** Since when it is drained. */
  readonly drainedSince?: EpochMs;
  /** It is drained, and the leader says that nothing runs or begins there any more. */
  readonly isIdle: boolean;
  /** Why it cannot lead. */
  readonly trouble?: string;
  /** It keeps the recordings of nodes that share no folder. */
  readonly isHome: boolean;
  /** It has recordings, or parts of some, that the home has not. */
  readonly keepsParts: boolean;
  /** Host and port at which it takes the orders of a leader; absent: it takes none. */
  readonly address?: string;
  /** Its certificate there, in PEM. */
  readonly certificate?: string;
  /** Its tuners, as the plan names them. */
  readonly tuners: readonly string[];
  /** Its running captures. */
  readonly captures: readonly FleetCapture[];
}

/** A node that was not seen for this time is away. */
const AWAY_MS = 5 * SECOND;

export interface FleetCapture {
  readonly title: string;
  readonly tunerId: string;
}

export interface FleetOverview {
  readonly database: string;
  /** 0: no node has led yet. */
  readonly term: number;
  /** The leader first. */
  readonly nodes: readonly FleetNode[];
}

/** All nodes, by the database. @throws RecorderdError STORE_WRITE_FAILED if it cannot be used now */
export async function fleetOverview(database: Statements): Promise<FleetOverview> {
  if (!(await arePrepared(database))) return { database: database.place, term: 0, nodes: [] };
  const rows = await database.query(
    `SELECT l.term::int AS term, l.captures, l.idle, n.node, n.name, n.version, n.trouble, n.address, n.certificate,
       n.tuners, l.node = n.node AS leads,
       l.home <> '' AND l.home = n.name AS home, n.keeps OR n.led IS NOT NULL AS keeps,
       extract(epoch FROM CASE WHEN l.node = n.node THEN l.since ELSE n.started END)::float8 AS since,
       extract(epoch FROM clock_timestamp() - n.seen)::float8 AS seen,
       extract(epoch FROM n.drained)::float8 AS drained
     FROM fleet_leader AS l LEFT JOIN fleet_nodes AS n ON true
     ORDER BY coalesce(l.node = n.node, false) DESC, n.name`,
  );
  const capturesOf = await capturesBy(database, String(rows[0]?.["captures"] ?? "[]"));
  const idle: readonly string[] = JSON.parse(String(rows[0]?.["idle"] ?? "[]"));
  const nodes = rows.filter(({ name }) => name !== null).map((row) => nodeOf(row, { idle, capturesOf }));
  return { database: database.place, term: Number(rows[0]?.["term"] ?? 0), nodes };
}

function nodeOf(
  row: Row,
  {
    idle,
    capturesOf,
  }: { readonly idle: readonly string[]; readonly capturesOf: Awaited<ReturnType<typeof capturesBy>> },
): FleetNode {
  const { version, trouble, address, certificate, tuners, since, seen, drained } = row;
  const node = String(row["node"]);
  const name = String(row["name"]);
  const role = row["leads"] === true ? "leader" : "standby";
  const seenMs = Math.max(0, Math.round(Number(seen) * SECOND));
  const takesNoOrders = address === "" && role === "standby";
  return {
    ...{ name, version: String(version), role },
    since: Math.round(Number(since) * SECOND),
    ...{ seenMs, isAway: seenMs > AWAY_MS },
    ...(drained === null ? {} : { drainedSince: Math.round(Number(drained) * SECOND) }),
    isIdle: drained !== null && (takesNoOrders || idle.includes(node)),
    ...(trouble === "" ? {} : { trouble: String(trouble) }),
    ...{ isHome: row["home"] === true, keepsParts: row["keeps"] === true },
    ...(address === "" ? {} : { address: String(address), certificate: String(certificate) }),
    tuners: JSON.parse(String(tuners)),
    captures: capturesOf({ node, name, role }),
  };
}

/** @param elsewhere the captures on nodes that do not lead, in the leader's row */
async function capturesBy(
  database: Statements,
  elsewhere: string,
): Promise<(node: Pick<FleetNode, "name" | "role"> & { readonly node: string }) => readonly FleetCapture[]> {
  const placed: readonly { readonly node: string; readonly id: string }[] = JSON.parse(elsewhere);
  const nodes = new Map(placed.map(({ node, id }) => [id, node]));
  const all = await runningCaptures(database);
  return ({ node, name, role }) =>
    all
      .filter(({ id, tunerId }) => {
        const at = nodes.get(id);
        // The tuner of a capture that begins may be that of another node.
        const owner = /@(.+)$/.exec(tunerId)?.[1];
        return at === undefined ? (owner === undefined ? role === "leader" : owner === name) : at === node;
      })
      .map(({ title, tunerId }) => ({ title, tunerId }));
}
