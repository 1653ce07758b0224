import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import type { FleetDatabase } from "./database.ts";

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
  const [there] = await database.query("SELECT to_regclass('fleet_leader') IS NOT NULL AS done");
  if (there?.["done"] !== true) return { database: database.place, term: 0, nodes: [] };
  const rows = await database.query(
    `SELECT l.term::int AS term, n.name, n.version, n.trouble, l.node = n.node AS leads,
       extract(epoch FROM CASE WHEN l.node = n.node THEN l.since ELSE n.started END)::float8 AS since,
       extract(epoch FROM clock_timestamp() - n.seen)::float8 AS seen
     FROM fleet_leader AS l LEFT JOIN fleet_nodes AS n ON true
     ORDER BY coalesce(l.node = n.node, false) DESC, n.name`,
  );
  const nodes = rows
    .filter(({ name }) => name !== null)
    .map(
      ({ name, version, trouble, leads, since, seen }): FleetNode => ({
        name: String(name),
        version: String(version),
        role: leads === true ? "leader" : "standby",
        since: Math.round(Number(since) * SECOND),
        seenMs: Math.max(0, Math.round(Number(seen) * SECOND)),
        ...(trouble === "" ? {} : { trouble: String(trouble) }),
      }),
    );
  return { database: database.place, term: Number(rows[0]?.["term"] ?? 0), nodes };
}
