import type { Recording } from "../../model/recording.ts";
import { MINUTE, SECOND } from "../../model/time.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import { CLOCK_SLACK_MS } from "./setting.ts";
import type { Truth } from "./truth.ts";

export type ClockInvariant =
  | "R-36 nothing ends by a wrong clock"
  | "R-36 distrust has a cause"
  | "R-36 a clock that is set is noticed";

export interface ClockBreak {
  readonly invariant: ClockInvariant;
  readonly text: string;
}

/** A recording has ended: the clock must be about right then, as far as it could be checked. */
export function endedByAWrongClock(
  { state, window }: Recording,
  { clock, machine, guide }: Truth,
): ClockBreak | undefined {
  const invariant = "R-36 nothing ends by a wrong clock";
  const offMs = Math.abs(machine.offsetMs);
  // Two sources that are wrong in the same way cannot be distinguished.
  const isBorneOut = guide.lies.some((byMs) => Math.abs(byMs - machine.offsetMs) <= CLOCK_SLACK_MS);
  if (offMs > CLOCK_SLACK_MS + SECOND && !isBorneOut)
    return { invariant, text: `${state} by a clock that is ${offMs} ms off` };
  const isEarly = state === "missed" && clock.now() + CLOCK_SLACK_MS < window.stop;
  return isEarly ? { invariant, text: "missed before it was over" } : undefined;
}

/** The daemon distrusts a clock that was never wrong, although the service's Date was right and the machine never restarted. */
export function doubtWithoutCause(
  { clock: known }: DaemonDocument,
  { machine, guide }: Truth,
): ClockBreak | undefined {
  const hasCause = machine.wrong.length > 0 || guide.lies.length > 0 || machine.starts > 1;
  return known?.doubt !== undefined && !hasCause
    ? { invariant: "R-36 distrust has a cause", text: known.doubt }
    : undefined;
}

/** The daemon still trusts the clock minutes after it was set wrong. */
export function unnoticedClockBreak({ document, clock, machine }: Truth): ClockBreak | undefined {
  const { heartbeatAt, clock: known } = document();
  if (known === undefined || known.boot !== machine.boot || machine.isAsleep) return undefined;
  if (Math.abs(machine.clock.now() - heartbeatAt) >= MINUTE) return undefined;
  const last = machine.wrong.at(-1);
  if (last !== undefined && clock.now() - (last.to ?? last.from) < 2 * MINUTE) return undefined;
  const wrongMs = known.baseMs - (machine.clock.now() - machine.uptimeMs());
  if (Math.abs(wrongMs) <= SECOND) return undefined;
  return { invariant: "R-36 a clock that is set is noticed", text: `it is ${wrongMs} ms elsewhere` };
}
