import type { Clock } from "../../../kit/time/clock.ts";
import {
  agreedAheadMs,
  aheadSecondsOf,
  type ClockMemory,
  type ClockMoved,
  type ClockOffset,
  type ClockStanding,
  type ClockStatus,
  judgeClock,
  type KernelClock,
  othersAheadMs,
  spanWords,
  type TimeBeliefs,
} from "../../../model/clock-trust.ts";
import { type DurationMs, type EpochMs, formatInstant } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

export interface ClockWatchParts {
  readonly clock: Clock;
  /** Time since the machine started, sleep included. */
  readonly uptimeMs: () => DurationMs;
  /** Names this start of the machine. */
  readonly boot: string;
  readonly toleranceMs: DurationMs;
  /** The clock's state from the earlier run. */
  readonly memory: ClockMemory | undefined;
}

/** The stored state, with a later sign of life: the daemon leaves one besides its document only while it trusts the clock. */
export function withLaterTrust(
  memory: ClockMemory | undefined,
  aliveAt: EpochMs | undefined,
): ClockMemory | undefined {
  if (memory === undefined || memory.doubt !== undefined || aliveAt === undefined) return memory;
  return { ...memory, trustedAt: Math.max(memory.trustedAt ?? aliveAt, aliveAt) };
}

const SOURCES = ["guide", "broadcast"] as const;
type Source = (typeof SOURCES)[number];

/** A machine without a hardware clock may start at any time, even a future one. */
const UNCONFIRMED = "the machine has restarted, and nothing has confirmed its clock since";

interface ClockReading extends ClockOffset {
  /** On the monotonic clock. */
  readonly atMs: DurationMs;
}

/**
 * Detects settings of the wall clock and sleep of the machine, and keeps the readings of other sources. Three clocks
 * tell them apart: only the wall clock is set, only the monotonic clock stops in sleep, uptime does neither.
 */
export class ClockWatch {
  readonly #parts: ClockWatchParts;
  #baseMs: EpochMs;
  #sleptMs: DurationMs;
  #kernel: KernelClock = "silent";
  readonly #heard: { [source in Source]?: ClockReading } = {};
  /** The setting of the clock that NTP last kept, in this run of the machine. */
  #ntpBaseMs: EpochMs | undefined;
  #doubt: string | undefined;
  /** Changes of the clock that no stored decision includes. */
  #moved: ClockMoved | undefined;
  /** On the monotonic clock; absent while the clock is trusted. */
  #distrustSinceMs: DurationMs | undefined;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
    const { memory, boot, clock, toleranceMs } = parts;
    const { baseMs, sleptMs } = this.#measure();
    this.#baseMs = memory?.boot === boot ? memory.baseMs : baseMs;
    this.#sleptMs = sleptMs;
    this.#ntpBaseMs = memory?.boot === boot ? memory.ntpBaseMs : undefined;
    this.#doubt = memory === undefined || memory.boot === boot ? memory?.doubt : UNCONFIRMED;
    const { trustedAt } = memory ?? {};
    if (trustedAt !== undefined && clock.now() < trustedAt - toleranceMs) {
      this.#doubt = `it shows ${formatInstant(clock.now())}, but the recorder already ran at ${formatInstant(trustedAt)}`;
    }
  }

  /** Whether the clock moved since the last `look`. */
  get hasMoved(): boolean {
    return this.#movement() !== undefined;
  }

  /** Whether the document on disk includes every setting of the clock and every sleep so far. */
  get isNoted(): boolean {
    return this.#moved === undefined && !this.hasMoved;
  }

  /** The clock's state, and its changes since the last decision on disk. */
  look(): ClockStanding {
    const latest = this.#movement();
    if (latest !== undefined) this.#follow(latest);
    const moved = this.#moved;
    const { trusted, text } = this.#verdict();
    const ms = this.#parts.clock.monotonicMs();
    if (trusted) this.#distrustSinceMs = undefined;
    else this.#distrustSinceMs ??= ms;
    const suspendsDecisions = !trusted && ms - (this.#distrustSinceMs ?? ms) < RUNTIME_LIMITS.clockHoldMs;
    const othersAgree = this.#agreedAheadMs() === undefined ? undefined : true;
    return {
      trusted,
      suspendsDecisions,
      boot: this.#parts.boot,
      baseMs: this.#baseMs,
      ...withoutUndefined({
        ntpBaseMs: this.#ntpBaseMs,
        text,
        othersAheadMs: this.othersAheadMs,
        othersAgree,
        moved,
      }),
    };
  }

  /** The changes of the last `look` are on disk. */
  noted(): void {
    this.#moved = undefined;
  }

  noteKernelState(kernel: KernelClock): void {
    this.#kernel = kernel;
    // An answer from before the change says nothing about the clock now.
    if (kernel === "synchronised" && !this.hasMoved) this.#ntpBaseMs = this.#baseMs;
  }

  noteOffset(source: Source, offset: ClockOffset): void {
    // A reading from before the change says nothing about the clock now.
    if (this.hasMoved) return;
    this.#heard[source] = { ...offset, atMs: this.#parts.clock.monotonicMs() };
  }

  get isTrusted(): boolean {
    return this.#verdict().trusted;
  }

  /** The lead of other sources over a clock that is wrong. */
  get othersAheadMs(): DurationMs | undefined {
    const agreed = this.#agreedAheadMs();
    if (agreed !== undefined) return agreed;
    const { clock, toleranceMs, memory } = this.#parts;
    const own = { now: clock.now(), trustedAt: memory?.trustedAt };
    return othersAheadMs(this.#beliefs(), toleranceMs, own);
  }

  #agreedAheadMs(): DurationMs | undefined {
    if (this.#verdict().trusted) return undefined;
    const heard = this.#heardWithin(RUNTIME_LIMITS.clockWitnessMs);
    const aheadMs = (this.#ntpBaseMs ?? this.#baseMs) - this.#baseMs;
    return agreedAheadMs({ ...heard, ntp: { min: aheadMs, max: aheadMs } }, this.#parts.toleranceMs);
  }

  get status(): ClockStatus {
    const { trusted, text } = this.#verdict();
    const since = this.#distrustSinceMs;
    const ms = this.#parts.clock.monotonicMs();
    const { guide, broadcast } = this.#heardWithin(RUNTIME_LIMITS.clockHeardMs);
    return {
      trusted,
      holds: !trusted && (since === undefined || ms - since < RUNTIME_LIMITS.clockHoldMs),
      ...(text === undefined ? {} : { text }),
      kernel: this.#kernel,
      aheadSeconds: {
        ...(guide === undefined ? {} : { guide: aheadSecondsOf(guide) }),
        ...(broadcast === undefined ? {} : { broadcast: aheadSecondsOf(broadcast) }),
      },
    };
  }

  #verdict(): ReturnType<typeof judgeClock> {
    const verdict = judgeClock(this.#beliefs(), this.#parts.toleranceMs);
    if (verdict.isConfirmed) this.#doubt = undefined;
    return verdict;
  }

  #beliefs(): TimeBeliefs {
    const doubt = this.#doubt === undefined ? {} : { doubt: this.#doubt };
    const { guide, broadcast } = this.#heardWithin(RUNTIME_LIMITS.clockHeardMs);
    return { kernel: this.#kernel, ...withoutUndefined({ guide, broadcast }), ...doubt };
  }

  /** Readings follow the clock's steps, so they stay true for long. */
  #heardWithin(ms: DurationMs): { readonly [source in Source]?: ClockReading } {
    const since = this.#parts.clock.monotonicMs() - ms;
    const isRecent = (source: Source) => (this.#heard[source]?.atMs ?? Number.NEGATIVE_INFINITY) >= since;
    return Object.fromEntries(SOURCES.filter(isRecent).map((source) => [source, this.#heard[source]]));
  }

  #measure(): { readonly baseMs: EpochMs; readonly sleptMs: DurationMs } {
    const { clock, uptimeMs } = this.#parts;
    const before = clock.now();
    const uptime = uptimeMs();
    const sleptMs = uptime - clock.monotonicMs();
    // The process may have been delayed between the two readings: the middle is wrong by half of that at most.
    return { baseMs: (before + clock.now()) / 2 - uptime, sleptMs };
  }

  #movement(): ClockMoved | undefined {
    const { baseMs, sleptMs } = this.#measure();
    const byMs = baseMs - this.#baseMs;
    const asleepMs = sleptMs - this.#sleptMs;
    const isSet = Math.abs(byMs) >= RUNTIME_LIMITS.clockStepMs;
    const hasSlept = asleepMs >= RUNTIME_LIMITS.clockSleepMs;
    if (!isSet && !hasSlept) return undefined;
    return { byMs: isSet ? Math.round(byMs) : 0, asleepMs: hasSlept ? Math.round(asleepMs) : 0 };
  }

  #follow({ byMs, asleepMs }: ClockMoved): void {
    const { byMs: beforeMs, asleepMs: sleptMs } = this.#moved ?? { byMs: 0, asleepMs: 0 };
    this.#moved = { byMs: beforeMs + byMs, asleepMs: sleptMs + asleepMs };
    this.#baseMs += byMs;
    this.#sleptMs += asleepMs;
    // The kernel may have synchronised another time, or long ago: ask it again at once.
    this.#kernel = "silent";
    if (byMs === 0) return;
    for (const source of SOURCES) {
      const heard = this.#heard[source];
      if (heard !== undefined)
        this.#heard[source] = { ...heard, min: heard.min - byMs, max: heard.max - byMs };
    }
    if (Math.abs(byMs) <= this.#parts.toleranceMs) return;
    this.#doubt = `it was set ${byMs > 0 ? "forward" : "back"} by ${spanWords(byMs)}, and nothing has confirmed that`;
    this.#distrustSinceMs = undefined;
  }
}
