import { type DurationMs, type EpochMs, MINUTE, SECOND } from "../../model/time.ts";
import { type Chance, chanceOf } from "../weeks/chance.ts";
import type { FleetMember, FleetWorld } from "./fleet-world.ts";

/** Kinds of faults of a fleet, as `--faults` names them. */
export const FLEET_FAULTS = [
  /** A machine loses its power. */
  "node-power",
  /** A daemon dies; its captures go on. */
  "node-daemon",
  /** A daemon is paused. */
  "node-pause",
  /** Two nodes do not reach each other. */
  "link",
  /** The database is down. */
  "database",
  /** A node does not reach the database, or only slowly, or does not get its answers. */
  "database-link",
  /** A person drains a node, and lets it resume: no fault. */
  "drain",
] as const;
export type FleetFault = (typeof FLEET_FAULTS)[number];

/** A fault that was there, or still is. */
export interface Spell {
  readonly kind: FleetFault;
  readonly from: EpochMs;
  to: EpochMs;
  /** Names of nodes; none: it hits the database. */
  readonly hits: readonly string[];
}

export interface FleetStep {
  readonly at: EpochMs;
  readonly kind: FleetFault;
  readonly lastsMs: DurationMs;
  /** Chooses the nodes. */
  readonly pick: number;
}

type Range = readonly [DurationMs, DurationMs];
const LASTS_MS: Readonly<Record<FleetFault, readonly [Range, ...Range[]]>> = {
  "node-power": [
    [10 * SECOND, 2 * MINUTE],
    [2 * MINUTE, 20 * MINUTE],
  ],
  "node-daemon": [
    [SECOND, 10 * SECOND],
    [10 * SECOND, 5 * MINUTE],
  ],
  "node-pause": [
    [100, 5 * SECOND],
    [5 * SECOND, 30 * SECOND],
  ],
  link: [
    [500, 5 * SECOND],
    [5 * SECOND, 5 * MINUTE],
  ],
  database: [
    [SECOND, 20 * SECOND],
    [20 * SECOND, 10 * MINUTE],
  ],
  drain: [[MINUTE, 10 * MINUTE]],
  "database-link": [
    [SECOND, 20 * SECOND],
    [20 * SECOND, 3 * MINUTE],
  ],
};
/** Between two faults; they may overlap. */
const PAUSE_MINUTES = [1, 9] as const;

export function fleetSteps(
  seed: number,
  {
    start,
    end,
    kinds,
  }: { readonly start: EpochMs; readonly end: EpochMs; readonly kinds: readonly FleetFault[] },
): readonly FleetStep[] {
  const [first, ...more] = kinds;
  if (first === undefined) return [];
  const chance = chanceOf(seed, "faults of a fleet");
  const steps: FleetStep[] = [];
  for (let at = start + MINUTE; at < end; at += chance.int(...PAUSE_MINUTES) * MINUTE) {
    const kind = chance.pick([first, ...more]);
    const lastsMs = Math.min(chance.int(...chance.pick(LASTS_MS[kind])), end - at);
    steps.push({ at: at + chance.int(0, MINUTE), kind, lastsMs, pick: chance.int(0, 1000) });
  }
  return steps;
}

/** Begins a fault, and ends it after its time. Without effect if its node is away already. */
export function strike(world: FleetWorld, { kind, lastsMs, pick }: FleetStep): Spell | undefined {
  const chance = chanceOf(pick, kind);
  const leading = world.nodes.filter(({ leads }) => leads);
  const [node, other] = chance.shuffled(world.nodes);
  // Most of what goes wrong matters most to the leader.
  const hit = chance.percent(50) ? (leading[0] ?? node) : node;
  const second = [other, node].find((each) => each !== hit);
  if (hit === undefined || second === undefined) return undefined;
  const heal = begin(world, { kind, chance, hit, second });
  if (heal === undefined) return undefined;
  const from = world.time.now();
  world.time.after(lastsMs, heal);
  return { kind, from, to: from + lastsMs, hits: hitsOf(kind, [hit.name, second.name]) };
}

function hitsOf(kind: FleetFault, [node, other]: readonly [string, string]): readonly string[] {
  if (kind === "database") return [];
  return kind === "link" ? [node, other] : [node];
}

/** @returns what ends it; absent: it did not begin */
function begin(
  { database, wire }: FleetWorld,
  {
    kind,
    chance,
    hit,
    second,
  }: {
    readonly kind: FleetFault;
    readonly chance: Chance;
    readonly hit: FleetMember;
    readonly second: FleetMember;
  },
): (() => void) | undefined {
  switch (kind) {
    case "link":
      wire.cut(hit.name, second.name);
      return () => wire.heal(hit.name, second.name);
    case "database":
      if (database.isDown) return undefined;
      database.goDown();
      return () => database.comeBack();
    case "database-link":
      if (hit.way !== "open") return undefined;
      hit.way = chance.pick(["cut", "cut", "slow", "loses answers"]);
      return () => {
        hit.way = "open";
      };
    case "drain":
      if (database.drained.size > 0) return undefined;
      database.drained.add(hit.name);
      return () => void database.drained.delete(hit.name);
    case "node-pause":
      if (!hit.process.runs) return undefined;
      hit.process.pause();
      return () => hit.process.goOn();
    case "node-power":
    case "node-daemon":
      if (!hit.process.runs) return undefined;
      if (kind === "node-power") hit.losePower();
      else hit.die();
      return () => hit.start();
  }
}
