import type { Clock } from "../../kit/time/clock.ts";
import { DAY, MINUTE, SECOND } from "../../model/time.ts";
import { simulateFleetDays } from "../../simulator/fleet/fleet-days.ts";
import { FLEET_FAULTS } from "../../simulator/fleet/fleet-faults.ts";
import { fleetText } from "../../simulator/fleet/fleet-text.ts";
import { type Simulated, shortestBreak } from "../../simulator/shortest.ts";
import { readFaultPlan } from "../../simulator/weeks/fault-plan.ts";
import { FAULTS } from "../../simulator/weeks/script.ts";
import { START, simulateWeeks, type WeeksOptions } from "../../simulator/weeks/weeks.ts";
import { weeksText } from "../../simulator/weeks/weeks-text.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { kindsOf, type WantedFaults } from "./wanted-faults.ts";

export interface DaysFlags {
  readonly days: number;
  readonly seed: number;
  readonly faults: WantedFaults;
  /** A fleet of so many recorders; absent: one recorder without a fleet. */
  readonly nodes?: number;
  readonly repeats?: WeeksOptions["repeats"];
  readonly json: boolean;
  readonly steps?: number;
  /** Runs seed after seed for this long. */
  readonly minutes?: number;
}

/** One of the simulations: the work for a seed, and how people read the result. */
interface Simulation<R extends Simulated> {
  readonly run: (seed: number, steps?: number) => Promise<R>;
  readonly text: (result: R) => readonly string[];
}

/** Simulates days on a virtual clock; exit code 1 if an invariant broke. */
export async function simulatedDays(flags: DaysFlags, io: CliIo): Promise<void> {
  const { nodes } = flags;
  if (nodes === undefined) return await simulated(await household(flags, io), { flags, io });
  return await simulated(fleet({ ...flags, nodes }, io), { flags, io });
}

async function household(
  { days, faults, repeats }: DaysFlags,
  io: CliIo,
): Promise<Simulation<Awaited<ReturnType<typeof simulateWeeks>>>> {
  const named = repeats === undefined ? {} : { repeats };
  const what =
    typeof faults === "object" && "planFile" in faults
      ? { faults: [], plan: await readFaultPlan(faults.planFile, { start: START, lengthMs: days * DAY }) }
      : { faults: kindsOf(faults, { known: FAULTS, what: "a simulation without --nodes", io }) };
  return {
    run: (seed, steps) => simulateWeeks({ days, seed, ...what, ...named }, steps),
    text: weeksText,
  };
}

function fleet(
  { days, faults, nodes, repeats }: DaysFlags & { readonly nodes: number },
  io: CliIo,
): Simulation<Awaited<ReturnType<typeof simulateFleetDays>>> {
  if (typeof faults === "object" && "planFile" in faults)
    throw usageError(io, "--nodes takes no written plan of faults");
  if (repeats !== undefined) throw usageError(io, "--nodes does not take --repeats");
  const kinds = kindsOf(faults, { known: FLEET_FAULTS, what: "a simulation with --nodes", io });
  return {
    run: (seed, steps) => simulateFleetDays({ seed, nodes, faults: kinds, lengthMs: days * DAY }, steps),
    text: fleetText,
  };
}

async function simulated<R extends Simulated>(
  simulation: Simulation<R>,
  { flags, io }: { readonly flags: DaysFlags; readonly io: CliIo },
): Promise<void> {
  const { seed, steps, minutes, json } = flags;
  if (minutes !== undefined) return soak(simulation, { ...flags, minutes }, io);
  const result = await lived(simulation, seed, steps);
  if (json) io.print(JSON.stringify(result, null, 2));
  else for (const text of simulation.text(result)) io.print(text);
  io.exitCode(result.violation === undefined ? 0 : 1);
}

async function lived<R extends Simulated>({ run }: Simulation<R>, seed: number, steps?: number): Promise<R> {
  const result = await run(seed, steps);
  return result.violation === undefined ? result : shortestBreak(result, (count) => run(seed, count));
}

async function soak<R extends Simulated>(
  simulation: Simulation<R>,
  { seed: first, days, minutes }: DaysFlags & { readonly minutes: number },
  { clock, signal, ...io }: CliIo,
): Promise<void> {
  const since = clock.monotonicMs();
  let seed = first;
  let broken = 0;
  while (!signal.aborted && clock.monotonicMs() - since < minutes * MINUTE) {
    const result = await lived(simulation, seed);
    if (result.violation !== undefined) {
      broken += 1;
      for (const text of simulation.text(result)) io.print(text);
    }
    seed += 1;
    if ((seed - first) % SEEDS_PER_NOTE === 0) io.note(pace({ clock, since, days: (seed - first) * days }));
  }
  io.print(
    `seeds ${first} to ${seed - 1}: ${broken} broken; ${pace({ clock, since, days: (seed - first) * days })}`,
  );
  io.exitCode(broken === 0 ? 0 : 1);
}

const SEEDS_PER_NOTE = 50;

function pace({
  clock,
  since,
  days,
}: {
  readonly clock: Clock;
  readonly since: number;
  readonly days: number;
}): string {
  const seconds = (clock.monotonicMs() - since) / SECOND;
  return `${days} days in ${seconds.toFixed(0)} s, ${(days / seconds).toPrecision(2)} simulated days per second`;
}
