import { setMaxListeners } from "node:events";
import { type DurationMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import { coveredMs, lengthMs } from "../../model/window.ts";
import { iso } from "../iso.ts";
import { type FleetFault, fleetSteps, type Spell, strike } from "./fleet-faults.ts";
import type { FleetViolation } from "./fleet-laws.ts";
import { fleetBookings } from "./fleet-shows.ts";
import { type FleetWorld, spansOf } from "./fleet-world.ts";
import { HOUSEHOLD, openFleetWorld } from "./open-fleet-world.ts";

export interface FleetOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly lengthMs: DurationMs;
  readonly faults: readonly FleetFault[];
}

export interface FleetOutcome {
  readonly timerId: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly start: string;
  readonly stop: string;
  /** From 1. */
  readonly channel: number;
  readonly outcome: string;
  /** The tuners of its captures, in their order. */
  readonly recordedOn: readonly string[];
  /** Share of the event on disk, truncated to four digits. */
  readonly coverage: number;
}

export interface FleetResult extends Omit<FleetOptions, "lengthMs"> {
  readonly days: number;
  readonly terms: number;
  readonly steps: number;
  readonly spells: readonly Spell[];
  readonly timers: readonly FleetOutcome[];
  readonly violation?: FleetViolation;
}

/** A Monday, when the evening begins. */
const START = Date.UTC(2026, 10, 2, 17);
/** After the last event, for all that follows from it. */
const QUIET_MS = 10 * MINUTE;
/** The fleet has no bookings and no faults before it has begun. */
const BEGUN_MS = 30 * SECOND;

/**
 * Some days of a fleet on a virtual clock: the engine, the planner and all code of the fleet run as they are, above simulated
 * tuners, files, network, database and guide service.
 *
 * @param count only the first bookings and faults
 */
export async function simulateFleetDays(
  options: FleetOptions,
  count = Number.POSITIVE_INFINITY,
): Promise<FleetResult> {
  const { seed, faults } = options;
  const over = new AbortController();
  // Every capture listens to it.
  setMaxListeners(0, over.signal);
  const world = openFleetWorld({ ...HOUSEHOLD, seed, nodes: options.nodes, start: START }, over.signal);
  const { laws, guide, nodes } = world;
  const begin = START + BEGUN_MS;
  const end = begin + options.lengthMs;
  const steps = [
    ...fleetBookings(seed, { start: begin, end }).map(({ at, booking }) => ({
      at,
      carryOut: () => guide.book(booking),
    })),
    ...fleetSteps(seed, { start: begin, end, kinds: faults }).map((step) => ({
      at: step.at,
      carryOut: () => {
        const spell = strike(world, step);
        if (spell !== undefined) laws.spells.push(spell);
      },
    })),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(0, count);
  for (const node of nodes) node.start();
  for (const { at, carryOut } of steps) {
    await world.advanceTo(at);
    if (laws.violation !== undefined) break;
    carryOut();
  }
  const last = () =>
    Math.max(end, ...[...guide.timersById.values()].map(({ event }) => event.stop)) + QUIET_MS;
  await world.advanceTo(last());
  if (laws.violation === undefined) laws.final();
  over.abort();
  for (const node of nodes) node.losePower();
  const { violation } = laws;
  return {
    ...{ seed, faults, nodes: options.nodes, days: options.lengthMs / (24 * HOUR) },
    terms: laws.terms,
    ...{ steps: steps.length, spells: laws.spells },
    timers: outcomesOf(world),
    ...(violation === undefined ? {} : { violation }),
  };
}

function outcomesOf(world: FleetWorld): readonly FleetOutcome[] {
  const { guide, document, all, receivers } = world;
  return [...guide.timersById.values()].map(({ booking: { timerId, name, channel }, event }) => {
    const recording = Object.values(document.recordings).findLast((each) => each.timerId === timerId);
    const captures = [...all.values()].filter(({ recordingId }) => recordingId === recording?.id);
    return {
      ...{ timerId, name, channel },
      start: iso(event.start),
      stop: iso(event.stop),
      outcome: recording?.state ?? "unknown to the fleet",
      recordedOn: captures.map(({ useId }) => receivers.uses[useId]?.tunerId ?? ""),
      coverage:
        Math.floor((10_000 * coveredMs(event, spansOf(world, recording?.id))) / lengthMs(event)) / 10_000,
    };
  });
}
