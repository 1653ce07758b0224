import { attemptId, runningAttempts } from "../../model/attempt.ts";
import { type Recording, titleOf } from "../../model/recording.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import type { FleetDatabase } from "./database.ts";
import { arePrepared } from "./schema.ts";

export interface FleetNode {
  readonly name: string;
  readonly version: string;
  readonly role: "leader" | "standby";
  /** When it began to lead, or started. */
  readonly since: EpochMs;
  /** How long ago it was seen. */
  readonly seenMs: DurationMs;
  /** Why it cannot lead. */
  readonly trouble?: string;
  /** Host and port at which it takes the orders of a leader; absent: it takes none. */
  readonly address?: string;
  /** Its certificate there, in PEM. */
  readonly certificate?: string;
  /** Its tuners, as the plan names them. */
  readonly tuners: readonly string[];
  /** Its running captures. */
  readonly captures: readonly FleetCapture[];
}

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

/** All nodes, as the database knows them. @throws RecorderdError STORE_WRITE_FAILED if it cannot be used now */
export async function fleetOverview(database: FleetDatabase): Promise<FleetOverview> {
  if (!(await arePrepared(database))) return { database: database.place, term: 0, nodes: [] };
  const rows = await database.query(
    `SELECT l.term::int AS term, l.captures, n.node, n.name, n.version, n.trouble, n.address, n.certificate,
       n.tuners, l.node = n.node AS leads,
       extract(epoch FROM CASE WHEN l.node = n.node THEN l.since ELSE n.started END)::float8 AS since,
       extract(epoch FROM clock_timestamp() - n.seen)::float8 AS seen
     FROM fleet_leader AS l LEFT JOIN fleet_nodes AS n ON true
     ORDER BY coalesce(l.node = n.node, false) DESC, n.name`,
  );
  const capturesOf = await capturesBy(database, String(rows[0]?.["captures"] ?? "[]"));
  const nodes = rows
    .filter(({ name }) => name !== null)
    .map(
      ({ node, name, version, trouble, address, certificate, tuners, leads, since, seen }): FleetNode => ({
        name: String(name),
        version: String(version),
        role: leads === true ? "leader" : "standby",
        since: Math.round(Number(since) * SECOND),
        seenMs: Math.max(0, Math.round(Number(seen) * SECOND)),
        ...(trouble === "" ? {} : { trouble: String(trouble) }),
        ...(address === "" ? {} : { address: String(address), certificate: String(certificate) }),
        tuners: JSON.parse(String(tuners)),
        captures: capturesOf(leads === true ? LEADER : String(node)),
      }),
    );
  return { database: database.place, term: Number(rows[0]?.["term"] ?? 0), nodes };
}

/** Stands for the node that leads: the leader names the captures of all others. */
const LEADER = Symbol("leader");

/** @param elsewhere the captures on nodes that do not lead, in the leader's row */
async function capturesBy(
  database: FleetDatabase,
  elsewhere: string,
): Promise<(node: string | typeof LEADER) => readonly FleetCapture[]> {
  const placed: readonly { readonly node: string; readonly id: string }[] = JSON.parse(elsewhere);
  const nodes = new Map(placed.map(({ node, id }) => [id, node]));
  const rows = await database.query(
    `SELECT body FROM fleet_values WHERE document = 'document' AND collection = 'now:recordings'
       AND body::jsonb ->> 'state' IN ('tuning', 'recording')`,
  );
  const all = rows.flatMap(({ body }) => {
    const recording: Recording = JSON.parse(String(body));
    return runningAttempts(recording).map(({ number, tunerId }) => {
      const node = nodes.get(attemptId(recording.id, number)) ?? LEADER;
      return { node, capture: { title: titleOf(recording), tunerId } };
    });
  });
  return (node) => all.filter((each) => each.node === node).map(({ capture }) => capture);
}
