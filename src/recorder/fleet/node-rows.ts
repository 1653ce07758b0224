import type { Statements } from "./database.ts";
import { NODE_LIMITS } from "./limits.ts";
import type { NodeAddress } from "./node-link.ts";

/** The living nodes that record for a leader. @throws RecorderdError STORE_WRITE_FAILED */
export async function otherNodes(database: Statements, self: string): Promise<readonly NodeAddress[]> {
  const rows = await database.query(
    `SELECT node, name, address, certificate FROM fleet_nodes
     WHERE node <> $1 AND address <> '' AND seen > clock_timestamp() - $2 * interval '1 millisecond'
     ORDER BY seen DESC LIMIT $3`,
    [self, NODE_LIMITS.silentMs, NODE_LIMITS.nodes],
  );
  return rows.map(({ node, name, address, certificate }) => ({
    node: String(node),
    name: String(name),
    address: String(address),
    certificate: String(certificate),
  }));
}
