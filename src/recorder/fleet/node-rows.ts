import type { NodeStatus } from "../../model/snapshot.ts";
import type { Statements } from "./database.ts";
import { NODE_LIMITS } from "./limits.ts";
import type { NodeAddress } from "./node-request.ts";

/** The nodes, by the database. */
export interface NodeRows {
  /** The living nodes that record for a leader. */
  readonly living: readonly NodeAddress[];
  /** Drained nodes, by id; also those that are away, and the leader itself. */
  readonly drained: ReadonlySet<string>;
  readonly status: readonly NodeStatus[];
  readonly holders: readonly Holder[];
}

/** Another node, by what it has that the home of the fleet has not. */
export interface Holder {
  readonly node: string;
  readonly name: string;
  /** Segments. */
  readonly keeps: boolean;
  /** It may have finished recordings. */
  readonly hasLed: boolean;
  /** It is the home, runs, and is not drained. */
  readonly isHomeComing: boolean;
}

/** The nodes, for the leader. @throws RecorderdError STORE_WRITE_FAILED */
export async function nodeRows(
  database: Statements,
  { self, home }: { readonly self: string; readonly home: string | undefined },
): Promise<NodeRows> {
  const rows = await database.query(
    `SELECT node, name, address, certificate, version, drained IS NOT NULL AS drained, keeps, led IS NOT NULL AS led,
       seen > clock_timestamp() - $1 * interval '1 millisecond' AS lives
     FROM fleet_nodes ORDER BY seen DESC LIMIT $2`,
    [NODE_LIMITS.silentMs, NODE_LIMITS.nodes],
  );
  const nodes = rows.map((row) => ({
    node: String(row["node"]),
    name: String(row["name"]),
    version: String(row["version"]),
    address: String(row["address"]),
    certificate: String(row["certificate"]),
    isDrained: row["drained"] === true,
    lives: row["lives"] === true,
    keeps: row["keeps"] === true,
    hasLed: row["led"] === true,
  }));
  return {
    living: nodes.filter(({ node, address, lives }) => node !== self && address !== "" && lives),
    holders: nodes
      .filter(({ node }) => node !== self)
      .map(({ node, name, keeps, hasLed, isDrained, lives }) => {
        return { node, name, keeps, hasLed, isHomeComing: name === home && lives && !isDrained };
      }),
    drained: new Set(nodes.filter(({ isDrained }) => isDrained).map(({ node }) => node)),
    status: nodes
      .map(({ node, name, version, isDrained, lives }): NodeStatus => {
        const state = node === self ? "leader" : lives ? "standby" : "away";
        return { name, version, state, isDrained };
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
