import type { Statements } from "./database.ts";
import { type FleetNode, type FleetOverview, fleetOverview } from "./overview.ts";

/** The progress of a drained node until it is idle. */
export interface DrainProgress {
  readonly node: FleetNode;
  /** Nothing runs or begins on the node, and it does not lead. A node that is away is done: others have its recordings. */
  readonly isDone: boolean;
}

/**
 * Marks a node as drained, until it is resumed. Repeating it changes nothing.
 *
 * @returns why not: the node is unknown, or no other one could take over
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function drainNode(database: Statements, name: string): Promise<string | undefined> {
  const overview = await fleetOverview(database);
  const node = nodeNamed(overview, name);
  if (node === undefined) return unknownText(overview, name);
  const others = overview.nodes.filter((each) => each !== node);
  const isNeeded = !node.isAway && node.drainedSince === undefined && !others.some(canTakeOver);
  if (isNeeded) return neededText(name, others);
  await mark(database, { name, drained: "coalesce(drained, clock_timestamp())" });
  return undefined;
}

/** Lets a node lead and record again. @returns why not @throws RecorderdError STORE_WRITE_FAILED */
export async function resumeNode(database: Statements, name: string): Promise<string | undefined> {
  const overview = await fleetOverview(database);
  if (nodeNamed(overview, name) === undefined) return unknownText(overview, name);
  await mark(database, { name, drained: "NULL" });
  return undefined;
}

/**
 * Removes a node that will not come back: nobody waits any more for what it has. One that comes back all the same is a node again.
 *
 * @returns why not
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function forgetNode(database: Statements, name: string): Promise<string | undefined> {
  const overview = await fleetOverview(database);
  const node = nodeNamed(overview, name);
  if (node === undefined) return unknownText(overview, name);
  if (!node.isAway) return `${name} runs: stop recorderd on that machine first`;
  await database.query("DELETE FROM fleet_nodes WHERE name = $1", [name]);
  return undefined;
}

/** @returns `undefined` if the node is not drained any more @throws RecorderdError STORE_WRITE_FAILED */
export async function drainProgress(database: Statements, name: string): Promise<DrainProgress | undefined> {
  const node = nodeNamed(await fleetOverview(database), name);
  if (node?.drainedSince === undefined) return undefined;
  const isIdle = node.isIdle && node.captures.length === 0;
  return { node, isDone: node.role === "standby" && (node.isAway || isIdle) };
}

async function mark(
  database: Statements,
  { name, drained }: { readonly name: string; readonly drained: string },
): Promise<void> {
  await database.query(`UPDATE fleet_nodes SET drained = ${drained} WHERE name = $1`, [name]);
}

function canTakeOver({ isAway, drainedSince, trouble }: FleetNode): boolean {
  return !isAway && drainedSince === undefined && trouble === undefined;
}

/** If several have one name, the one that runs. */
function nodeNamed({ nodes }: FleetOverview, name: string): FleetNode | undefined {
  return nodes.filter((each) => each.name === name).toSorted((a, b) => a.seenMs - b.seenMs)[0];
}

function unknownText({ nodes, database }: FleetOverview, name: string): string {
  const known = nodes.length === 0 ? "none yet" : nodes.map((each) => each.name).join(", ");
  return `the fleet in ${database} has no node ${name}. Its nodes: ${known}`;
}

function neededText(name: string, others: readonly FleetNode[]): string {
  if (others.length === 0)
    return `${name} is the only node of the fleet, so nothing would be recorded: start another node first`;
  const why = others.map((each) => `${each.name} ${whyNot(each)}`).join(", ");
  return `no other node could take over from ${name} (${why}), so nothing would be recorded: start or resume one first`;
}

function whyNot({ isAway, drainedSince }: FleetNode): string {
  if (isAway) return "is away";
  return drainedSince === undefined ? "cannot lead" : "is drained";
}
