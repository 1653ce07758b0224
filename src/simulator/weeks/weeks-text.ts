import { iso } from "../iso.ts";
import type { TimerOutcome, WeeksResult } from "./weeks.ts";

/** The outcome of every timer and of the invariants, for people. */
export function weeksText(result: WeeksResult): readonly string[] {
  const { seed, days, steps, lives, timers } = result;
  return [
    `seed ${seed}, ${days} days, ${steps} steps, ${lives} runs of the daemon, faults: ${faultsText(result)}`,
    ...timers.map(line),
    ...brokenText(result),
  ];
}

function line({
  timerId,
  name,
  channel,
  start,
  stop,
  outcome,
  attempts,
  coverage,
  told,
}: TimerOutcome): string {
  const when = `${start.slice(0, 16)}–${stop.slice(11, 16)}`;
  const share = `${Math.floor(coverage * 1000) / 10} %`;
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return `${timerId}  ${when}  “${name}” on ${channel}: ${outcome}, ${share}, ${tries}, reported ${told.join(" → ") || "nothing"}`;
}

/** In the syntax of `--faults`. */
function faultsText({ faults, plan }: WeeksResult): string {
  return plan ?? (faults.length === 0 ? "none" : faults.join(","));
}

function brokenText(result: WeeksResult): readonly string[] {
  const { seed, days, steps, violation, ledger, repeats } = result;
  if (violation === undefined) return ["every invariant held"];
  const { invariant, at, text, timerId } = violation;
  const about = timerId === undefined ? "" : `, timer ${timerId}`;
  return [
    `BROKEN: ${invariant}`,
    `  ${iso(at)}${about}: ${text}`,
    `  repeat with: recorderd simulate --days ${days} --seed ${seed} --faults ${faultsText(result)}${repeats === undefined ? "" : ` --repeats ${repeats}`} --steps ${steps}`,
    ...ledger.map((fact) => `  ${JSON.stringify({ ...fact, at: iso(fact.at) })}`),
  ];
}
