import { TIME_LIMITS } from "../../kit/time/limits.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import { merged, overlaps, shared, uncovered, type Window } from "../../model/window.ts";
import { RUNTIME_LIMITS } from "../../recorder/engine/runtime/limits.ts";
import type { Downtime } from "./machine.ts";
import { CLOCK_SLACK_MS } from "./setting.ts";
import type { Truth } from "./truth.ts";

const FOREVER = Number.POSITIVE_INFINITY;
/** From a source's answer to a decision by it. */
const HEARD_MS = 15 * SECOND;

type Around = Pick<Truth, "guide" | "captures" | "machine" | "downtimes">;

/**
 * The times at which a wrong clock is a cause: no two sources knew better, or one of them bore it out. At other times, the
 * recorder goes by those two, after `reactMs`.
 */
export function blindSpells(around: Around, reactMs: DurationMs): readonly Window[] {
  return around.machine.wrong.flatMap((spell) => {
    const { from, to = FOREVER, byMs } = spell;
    const whole = { start: from - reactMs, stop: to + TIME_LIMITS.waitSliceMs + reactMs };
    if (Math.abs(byMs) <= CLOCK_SLACK_MS) return [whole];
    const known = [{ start: from + TIME_LIMITS.waitSliceMs + reactMs, stop: to - reactMs }].filter(
      ({ start, stop }) => start < stop,
    );
    const isBorneOut = ({ error }: Date) => Math.abs(error - byMs) <= CLOCK_SLACK_MS;
    const borneOut = datesOf(around).filter(isBorneOut);
    const better = shared(known, twoOfThree(around)).flatMap((span) => uncovered(span, borneOut));
    return uncovered(whole, better);
  });
}

/** The times at which two of the guide service, the broadcast and NTP told the daemon the right time. */
function twoOfThree(around: Around): readonly Window[] {
  const guide = merged(datesOf(around).filter(({ error }) => error === 0));
  const broadcast = merged(broadcastTimes(around));
  const ntp = merged(ntpTimes(around));
  return merged([...shared(guide, broadcast), ...shared(guide, ntp), ...shared(broadcast, ntp)]);
}

/** The daemon's runs. */
function livesOf(downtimes: readonly Downtime[]): readonly Window[] {
  const starts = [0, ...downtimes.map(({ to = FOREVER }) => to)];
  return starts.map((start, index) => ({ start, stop: downtimes[index]?.from ?? FOREVER }));
}

interface Date extends Window {
  /** The service's clock was ahead by so much. */
  readonly error: DurationMs;
}

/** Each answer of the service counts until the next one. */
function datesOf({ guide: { dates }, downtimes }: Around): readonly Date[] {
  const lives = livesOf(downtimes);
  return dates.flatMap(({ at, error }, index) => {
    const life = lives.find(({ start, stop }) => start <= at && at < stop);
    const start = at + HEARD_MS;
    const stop = Math.min(
      dates[index + 1]?.at ?? FOREVER,
      life?.stop ?? at,
      at + RUNTIME_LIMITS.clockWitnessMs,
    );
    // An answer that follows within moments has the same error, nearly always.
    return stop <= at ? [] : [{ start: Math.min(start, stop), stop: Math.max(start, stop), error }];
  });
}

/** The time comes once with each capture that a run watches. */
function broadcastTimes({ captures, downtimes }: Around): readonly Window[] {
  const lives = livesOf(downtimes);
  return [...captures.all.values()].flatMap((capture) => {
    const span = captures.span(capture);
    if (span === undefined) return [];
    return lives
      .filter((life) => overlaps(life, span))
      .map((life) => {
        const heard = Math.max(life.start, span.start) + HEARD_MS;
        return { start: heard, stop: Math.min(life.stop, heard + RUNTIME_LIMITS.clockWitnessMs) };
      })
      .filter(({ start, stop }) => start < stop && start <= span.stop);
  });
}

/** From the first right time in a run of the machine on. */
function ntpTimes({ machine, downtimes }: Around): readonly Window[] {
  if (!machine.hasNtp) return [];
  const wrong = machine.wrong.map(({ from, to = FOREVER }) => ({ start: from, stop: to }));
  return machine.bootsAt.flatMap((start, index) => {
    const boot = { start, stop: machine.bootsAt[index + 1] ?? FOREVER };
    const heard: EpochMs | undefined = shared([boot], livesOf(downtimes))
      .flatMap((life) => uncovered(life, wrong))
      .find((span) => span.stop - span.start > HEARD_MS)?.start;
    return heard === undefined ? [] : [{ start: heard + HEARD_MS, stop: boot.stop }];
  });
}
