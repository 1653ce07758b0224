import type { Recording } from "../../model/recording.ts";
import { MINUTE, SECOND } from "../../model/time.ts";
import { uncovered } from "../../model/window.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import type { Breach } from "./invariant.ts";
import { CLOCK_SLACK_MS } from "./setting.ts";
import { downtimesOf, type Truth } from "./truth.ts";

/** A recording ended although the clock was off and the daemon could have known it. */
export function endedByAWrongClock(
  { state, window }: Recording,
  { clock, machine, guide }: Truth,
): Breach | undefined {
  const invariant = "R-36 a wrong clock ends no recording";
  const offMs = Math.abs(machine.offsetMs);
  // A service that is wrong by the same time confirms the clock.
  const isBorneOut = guide.lies.some((byMs) => Math.abs(byMs - machine.offsetMs) <= CLOCK_SLACK_MS);
  if (offMs > CLOCK_SLACK_MS + SECOND && !isBorneOut)
    return { invariant, text: `the recording became ${state} while the clock was ${offMs} ms off` };
  const isEarly = state === "missed" && clock.now() + CLOCK_SLACK_MS < window.stop;
  return isEarly
    ? { invariant, text: "the recording became missed before the end of its window" }
    : undefined;
}

/** Nothing else kept a recording from its first attempt, and its report names another cause, or none. */
export function clockNotNamed({ window, trouble, state }: Recording, truth: Truth): Breach | undefined {
  const wrong = truth.machine.wrong.map(({ from, to = Number.POSITIVE_INFINITY }) => ({
    start: from,
    stop: to,
  }));
  const wasOff = downtimesOf(truth).some(({ to = Number.POSITIVE_INFINITY }) => to > window.start);
  const isOfClock = state === "missed" && !wasOff && uncovered(window, wrong).length === 0;
  if (!isOfClock || trouble !== undefined) return undefined;
  return {
    invariant: "R-36 a recording that a wrong clock missed names the clock",
    text: "the clock was wrong for the whole window, and the recording has no trouble",
  };
}

/** The daemon distrusts a clock that was never wrong, although the service's Date was right and the machine never restarted. */
export function doubtWithoutCause(
  { clock: known }: DaemonDocument,
  { machine, guide }: Truth,
): Breach | undefined {
  const hasCause = machine.wrong.length > 0 || guide.lies.length > 0 || machine.starts > 1;
  return known?.doubt !== undefined && !hasCause
    ? { invariant: "R-36 a correct clock stays trusted", text: `the clock is not trusted: ${known.doubt}` }
    : undefined;
}

/** The daemon still trusts the clock minutes after it was set wrong. */
export function unnoticedClockBreak({ document, aliveAt, clock, machine }: Truth): Breach | undefined {
  const { heartbeatAt, clock: known } = document();
  if (known === undefined || known.boot !== machine.boot || machine.isAsleep) return undefined;
  const signs = [heartbeatAt, aliveAt() ?? 0];
  if (signs.every((at) => Math.abs(machine.clock.now() - at) >= MINUTE)) return undefined;
  const last = machine.wrong.at(-1);
  if (last !== undefined && clock.now() - (last.to ?? last.from) < 2 * MINUTE) return undefined;
  const wrongMs = known.baseMs - (machine.clock.now() - machine.uptimeMs());
  if (Math.abs(wrongMs) <= SECOND) return undefined;
  return {
    invariant: "R-36 every clock step is detected",
    text: `the trusted clock is off by ${wrongMs} ms`,
  };
}
