import { iso } from "../iso.ts";
import type { FleetOutcome, FleetResult } from "./fleet-days.ts";

/** The outcome of every timer and of the laws, for people. */
export function fleetText(result: FleetResult): readonly string[] {
  const { seed, nodes, days, steps, terms, spells, timers } = result;
  return [
    `seed ${seed}, ${nodes} nodes, ${days} days, ${steps} steps, ${spells.length} faults, ${terms} terms, faults: ${faultsText(result)}`,
    ...timers.map(line),
    ...brokenText(result),
  ];
}

function line({ timerId, name, channel, start, stop, outcome, coverage, recordedOn }: FleetOutcome): string {
  const when = `${start.slice(0, 16)}–${stop.slice(11, 16)}`;
  const share = `${Math.floor(coverage * 1000) / 10} %`;
  const where = recordedOn.length === 0 ? "" : `, on ${recordedOn.join(", then ")}`;
  return `${timerId}  ${when}  “${name}” on ${channel}: ${outcome}, ${share}${where}`;
}

/** In the syntax of `--faults`. */
function faultsText({ faults }: FleetResult): string {
  return faults.length === 0 ? "none" : faults.join(",");
}

function brokenText(result: FleetResult): readonly string[] {
  const { seed, nodes, days, steps, spells, violation } = result;
  if (violation === undefined) return ["every law held"];
  const { law, at, text } = violation;
  const faults = spells.map(
    ({ kind, from, to, hits }) => `  ${iso(from)} to ${iso(to)}: ${kind} ${hits.join(" ")}`,
  );
  return [
    `BROKEN: ${law}`,
    `  ${iso(at)}: ${text}`,
    `  repeat with: recorderd simulate --nodes ${nodes} --days ${days} --seed ${seed} --faults ${faultsText(result)} --steps ${steps}`,
    ...faults,
  ];
}
