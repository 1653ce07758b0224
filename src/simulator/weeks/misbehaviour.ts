import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { MalformedTimer, Timer, TimerId, TimerList } from "../../model/timer.ts";
import type { Chance } from "./chance.ts";
import type { FaultStep } from "./script.ts";

type StepOf<K extends FaultStep["kind"]> = Extract<FaultStep, { readonly kind: K }>;
export type Misdeed = StepOf<"outage" | "slow" | "distort" | "guide-date">;

/** The faults of the simulated guide service, each until its end. */
export class Misbehaviour {
  readonly #outages: StepOf<"outage">[] = [];
  readonly #lies: StepOf<"guide-date">[] = [];
  readonly #distortions: StepOf<"distort">[] = [];
  #slow: StepOf<"slow"> | undefined;

  begin(step: Misdeed): void {
    if (step.kind === "guide-date") this.#lies.push(step);
    else if (step.kind === "outage") this.#outages.push(step);
    else if (step.kind === "distort") this.#distortions.push(step);
    else this.#slow = step;
  }

  /** The errors of the service's Date so far. */
  get lies(): readonly DurationMs[] {
    return this.#lies.map(({ byMs }) => byMs);
  }

  dateErrorMs(now: EpochMs): DurationMs {
    return this.#lies.findLast(({ until }) => now < until)?.byMs ?? 0;
  }

  delayMs(now: EpochMs): DurationMs {
    return this.#slow !== undefined && now < this.#slow.until ? this.#slow.delayMs : 0;
  }

  outage(now: EpochMs): StepOf<"outage"> | undefined {
    return this.#outages.find(({ until }) => now < until);
  }

  distortions(now: EpochMs): ReadonlySet<StepOf<"distort">["how"]> {
    return new Set(this.#distortions.filter(({ until }) => now < until).map(({ how }) => how));
  }
}

/** Duplicates some timers, adds to a `forget` the `record` that it ends, and shuffles all. */
export function twiceAndShuffled(timers: readonly Timer[], chance: Chance): readonly Timer[] {
  const more = timers.flatMap((timer): readonly Timer[] => {
    if (!chance.percent(40)) return [];
    return [timer.action === "forget" ? { ...timer, action: "record" } : timer];
  });
  return chance.shuffled([...timers, ...more]);
}

/** Adds an entry that never was a timer, one without an id, and valid timers that are temporarily unreadable. */
export function withJunk(timers: readonly Timer[], junkId: TimerId): TimerList {
  const torn = timers.filter(({ id }) => Number(id) % 5 === 0);
  const reason = "The timer cannot be read: its start_time is missing.";
  const malformed: readonly MalformedTimer[] = [
    { reason },
    { id: junkId, reason },
    ...torn.map(({ id }) => ({ id, reason })),
  ];
  return { timers: timers.filter((timer) => !torn.includes(timer)), malformed };
}

export function failure({
  code,
  html,
  retryAfterMs,
}: {
  readonly code: ErrorCode;
  readonly html: boolean;
  readonly retryAfterMs?: number;
}): RecorderdError {
  const facts = { html, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return new RecorderdError(code, `The simulated service answers with ${code}.`, facts);
}
