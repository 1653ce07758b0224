import { askKernelClock } from "../../kit/machine/kernel-clock.ts";
import { judgeClock } from "../../model/clock-trust.ts";
import { SECOND } from "../../model/time.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";

export async function lookAtClock(patient: CheckContext, signal: AbortSignal): Promise<readonly Result[]> {
  const { config, guide, machine } = patient;
  const [kernel, { offset }] = await Promise.all([askKernelClock(signal, machine.path), guide()]);
  const beliefs = { kernel, ...(offset === undefined ? {} : { guide: offset }) };
  const { trusted, text } = judgeClock(beliefs, config.time.toleranceSeconds * SECOND);
  const todo = "Let NTP set the clock: timedatectl set-ntp true, or install chrony.";
  if (text !== undefined) {
    const belief = trusted ? "; according to NTP, this machine's clock is right" : "";
    const expected = `clocks that differ by at most ${config.time.toleranceSeconds} s`;
    const found = `${text}${belief}`;
    return [
      bad(trusted ? { found, expected, todo: GUIDE_CLOCK } : { found, expected, todo, code: "CLOCK_WRONG" }),
    ];
  }
  if (kernel === "unsynchronised") {
    const found = "NTP is enabled, but has not set the clock yet";
    return [bad({ found, expected: "a clock that NTP sets", todo })];
  }
  const byGuide = offset === undefined ? "" : "the guide service's clock agrees";
  const byKernel = kernel === "synchronised" ? "NTP sets the clock" : "";
  const both = [byKernel, byGuide].filter((part) => part !== "").join(", ");
  return [both === "" ? unknown("no time source is available") : good(both)];
}

const GUIDE_CLOCK =
  "Ask the operator of the guide service to set its clock; recordings follow this machine's clock.";
