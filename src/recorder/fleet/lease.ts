import type { EpochMs } from "../../model/time.ts";
import type { Statements } from "./database.ts";
import { FLEET_LIMITS } from "./limits.ts";

/** The row of a node in the database. */
export interface NodeCard {
  /** Its random id. */
  readonly node: string;
  readonly name: string;
  readonly version: string;
  /** Why it cannot lead; empty: it can. */
  readonly trouble: string;
  /** Host and port at which it takes orders; empty: it takes none. */
  readonly address: string;
  /** The certificate there, in PEM. */
  readonly certificate: string;
  /** Its tuners, by their names in the plan. */
  readonly tuners: readonly string[];
  /** The address of its dashboard for other machines; empty: there is none. */
  readonly web: string;
  /** It has segments that the home of the fleet has not. */
  readonly keeps: boolean;
  /** The name of the home of the fleet; empty: the nodes share a folder. */
  readonly home: string;
}

/** The leader's row, as a node sees it. */
export interface Standing {
  readonly term: number;
  /** Absent: nobody leads. */
  readonly leader?: string;
  readonly leaderName: string;
  /** The address of its dashboard; empty: other machines do not reach it. */
  readonly leaderWeb: string;
  readonly renewals: number;
  /** Identifies the shared folder of recordings, once a leader has marked it. */
  readonly mark: string;
  /** A leader has marked the folder: only a node that sees the mark may lead. */
  readonly isMarked: boolean;
  /** The node that reads the row is drained. */
  readonly isDrained: boolean;
  /** The name of the node that keeps the recordings, by the latest leader; empty: the nodes share a folder. */
  readonly home: string;
  /** The home of the fleet runs, and could lead. */
  readonly isHomeAble: boolean;
}

const NODE = `INSERT INTO fleet_nodes (node, name, version, trouble, address, certificate, tuners, web, keeps, started, seen)
  VALUES ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::boolean,
    clock_timestamp(), clock_timestamp())
  ON CONFLICT (node) DO UPDATE SET name = excluded.name, version = excluded.version,
    trouble = excluded.trouble, address = excluded.address, certificate = excluded.certificate,
    tuners = excluded.tuners, web = excluded.web, keeps = excluded.keeps, seen = excluded.seen`;

function nodeValues({ node, name, version, trouble, address, certificate, tuners, web, keeps }: NodeCard) {
  return [node, name, version, trouble, address, certificate, JSON.stringify(tuners), web, keeps];
}

/** Whether the node of that name could lead. @param name the number of a value */
function isAble(name: string, ableMs: string): string {
  return `EXISTS (SELECT FROM fleet_nodes WHERE name = ${name} AND drained IS NULL AND trouble = ''
    AND seen > clock_timestamp() - ${ableMs} * interval '1 millisecond')`;
}

/** Writes the row of this node, and reads that of the leader. @throws RecorderdError STORE_WRITE_FAILED */
export async function look(database: Statements, card: NodeCard): Promise<Standing> {
  const [row] = await database.query(
    `WITH shown AS (${NODE})
     SELECT l.term::int AS term, l.node, l.renewals::int AS renewals, l.mark, l.is_marked, l.home, n.name, n.web,
       EXISTS (SELECT FROM fleet_nodes WHERE node = $1 AND drained IS NOT NULL) AS drained,
       ${isAble("$10", "$11")} AS home_able
     FROM fleet_leader AS l LEFT JOIN fleet_nodes AS n ON n.node = l.node`,
    [...nodeValues(card), card.home, FLEET_LIMITS.ableMs],
  );
  const leader = row?.["node"];
  return {
    term: Number(row?.["term"]),
    ...(typeof leader === "string" ? { leader } : {}),
    leaderName: String(row?.["name"] ?? leader ?? ""),
    leaderWeb: String(row?.["web"] ?? ""),
    renewals: Number(row?.["renewals"]),
    mark: String(row?.["mark"]),
    isMarked: row?.["is_marked"] === true,
    isDrained: row?.["drained"] === true,
    home: String(row?.["home"] ?? ""),
    isHomeAble: row?.["home_able"] === true,
  };
}

/**
 * Begins a term, unless the lease was taken or renewed since that look, and notes who may have recordings that the home has not: a
 * node that leads in its place, and an earlier home. Waits for a write of the leader that is under way.
 *
 * @returns the term, and the last sign of life of the earlier leader; `undefined` if another node was faster
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function take(
  database: Statements,
  { node, name, home }: NodeCard,
  { term, renewals }: Standing,
): Promise<{ readonly term: number; readonly aliveAt: EpochMs } | undefined> {
  const [row] = await database.query(
    `WITH forgotten AS (
       DELETE FROM fleet_nodes WHERE seen < clock_timestamp() - $4 * interval '1 millisecond'),
     noted AS (UPDATE fleet_nodes SET led = clock_timestamp()
       WHERE (node = $1 AND $6) OR ($7 <> '' AND name <> $7 AND name = (SELECT home FROM fleet_leader)))
     UPDATE fleet_leader
     SET term = term + 1, node = $1, since = clock_timestamp(), renewals = renewals + 1, writes = 0, idle = $5, home = $7
     WHERE term = $2 AND renewals = $3
     RETURNING term::int AS term, alive_at::float8 AS alive_at`,
    [node, term, renewals, FLEET_LIMITS.nodeForgottenMs, "[]", home !== "" && home !== name, home],
  );
  return row && { term: Number(row["term"]), aliveAt: Number(row["alive_at"]) };
}

export interface Renewal {
  readonly term: number;
  readonly aliveAt: EpochMs;
  /** Captures on other nodes. */
  readonly captures: readonly { readonly node: string; readonly id: string }[];
  /** Drained nodes on which nothing runs or begins any more. */
  readonly idle: readonly string[];
}

export interface Renewed {
  /** This node must hand over the lead: it is drained, and another node can lead. */
  readonly isUnwanted: boolean;
  /** The home of the fleet, which is another node, could lead. */
  readonly isHomeAble: boolean;
}

/** @returns `undefined` if the term is over @throws RecorderdError STORE_WRITE_FAILED */
export async function renew(
  database: Statements,
  card: NodeCard,
  { term, aliveAt, captures, idle }: Renewal,
): Promise<Renewed | undefined> {
  const [row] = await database.query(
    `WITH shown AS (${NODE})
     UPDATE fleet_leader SET renewals = renewals + 1, alive_at = $10, captures = $11, idle = $12 WHERE term = $13
     RETURNING EXISTS (SELECT FROM fleet_nodes WHERE node = $1 AND drained IS NOT NULL)
       AND EXISTS (SELECT FROM fleet_nodes
         WHERE node <> $1 AND drained IS NULL AND trouble = '' AND seen > clock_timestamp() - $14 * interval '1 millisecond')
       AS unwanted, ${isAble("$15", "$14")} AS home_able`,
    [
      ...nodeValues(card),
      ...[aliveAt, JSON.stringify(captures), JSON.stringify(idle), term, FLEET_LIMITS.ableMs, card.home],
    ],
  );
  const isHomeAble = card.home !== card.name && row?.["home_able"] === true;
  return row && { isUnwanted: row["unwanted"] === true, isHomeAble };
}

/** Lets another node lead at once. @throws RecorderdError STORE_WRITE_FAILED */
export async function release(database: Statements, term: number): Promise<void> {
  await database.query("UPDATE fleet_leader SET node = NULL, since = NULL WHERE term = $1", [term]);
}

/** From now on, only nodes that see the mark in their folders may lead. @throws RecorderdError STORE_WRITE_FAILED */
export async function noteMarked(database: Statements, term: number): Promise<void> {
  await database.query("UPDATE fleet_leader SET is_marked = true WHERE term = $1", [term]);
}
