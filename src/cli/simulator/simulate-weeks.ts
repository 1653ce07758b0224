import { InvalidArgumentError } from "commander";
import type { Clock } from "../../kit/time/clock.ts";
import { DAY, MINUTE, SECOND } from "../../model/time.ts";
import { readFaultPlan } from "../../simulator/weeks/fault-plan.ts";
import { FAULTS, type Fault } from "../../simulator/weeks/script.ts";
import { shortestBreak } from "../../simulator/weeks/shortest.ts";
import { START, simulateWeeks, type WeeksOptions, type WeeksResult } from "../../simulator/weeks/weeks.ts";
import { weeksText } from "../../simulator/weeks/weeks-text.ts";
import type { CliIo } from "../io.ts";

export interface WeeksFlags {
  readonly days: number;
  readonly seed: number;
  readonly faults: WantedFaults;
  readonly repeats?: WeeksOptions["repeats"];
  readonly json: boolean;
  readonly steps?: number;
  /** Runs seed after seed for this long. */
  readonly minutes?: number;
}

/** Simulates days on a virtual clock; exit code 1 if an invariant broke. */
export async function simulatedDays(flags: WeeksFlags, io: CliIo): Promise<void> {
  const { days, seed, json, steps, minutes, repeats } = flags;
  const what = { ...(await faultsOf(flags)), ...(repeats === undefined ? {} : { repeats }) };
  if (minutes !== undefined) return soak({ days, seed, ...what }, { minutes, io });
  const result = await lived({ days, seed, ...what }, steps);
  if (json) io.print(JSON.stringify(result, null, 2));
  else for (const text of weeksText(result)) io.print(text);
  io.exitCode(result.violation === undefined ? 0 : 1);
}

async function lived(options: WeeksOptions, steps?: number): Promise<WeeksResult> {
  const result = await simulateWeeks(options, steps);
  if (result.violation === undefined) return result;
  return shortestBreak(result, (count) => simulateWeeks(options, count));
}

async function soak(
  { seed: first, ...options }: WeeksOptions,
  { minutes, io }: { readonly minutes: number; readonly io: CliIo },
): Promise<void> {
  const { days } = options;
  const { clock, signal } = io;
  const since = clock.monotonicMs();
  let seed = first;
  let broken = 0;
  while (!signal.aborted && clock.monotonicMs() - since < minutes * MINUTE) {
    const result = await lived({ ...options, seed });
    if (result.violation !== undefined) {
      broken += 1;
      for (const text of weeksText(result)) io.print(text);
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
  return `${days} days in ${seconds.toFixed(0)} s, ${(days / seconds).toFixed(1)} simulated days per second`;
}

/** Kinds of random faults, or the file of a written plan. */
export type WantedFaults = readonly Fault[] | { readonly planFile: string };

async function faultsOf({ faults, days }: WeeksFlags): Promise<Pick<WeeksOptions, "faults" | "plan">> {
  if (!("planFile" in faults)) return { faults };
  return { faults: [], plan: await readFaultPlan(faults.planFile, { start: START, lengthMs: days * DAY }) };
}

/** Reads `all`, `none`, kinds separated by commas, or the name of a YAML file. */
export function faultsFrom(text: string): WantedFaults {
  if (text === "all") return FAULTS;
  if (text === "none") return [];
  if (/\.ya?ml$/.test(text)) return { planFile: text };
  const wanted = text.split(",").map((word) => word.trim());
  const unknown = wanted.find((word) => !FAULTS.some((fault) => fault === word));
  if (unknown === undefined) return FAULTS.filter((fault) => wanted.includes(fault));
  throw new InvalidArgumentError(
    `“${unknown}” is not one of: all, none, ${FAULTS.join(", ")}; nor a plan whose name ends in .yaml`,
  );
}
