import { type Clock, sleepBy } from "../../kit/time/clock.ts";
import type { KernelClock } from "../../model/clock-trust.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import type { FaultStep } from "./script.ts";

/** A time without a running daemon, or with another fault. */
export interface Downtime {
  readonly from: EpochMs;
  to?: EpochMs;
}

/** A time with a wrong clock. */
interface WrongTime extends Downtime {
  readonly byMs: DurationMs;
}

interface MachineParts {
  /** The true time: never set, never asleep. */
  readonly clock: Clock;
  /** Whether NTP status can be queried. */
  readonly hasNtp: boolean;
  /** Aborted at the end of the simulation. */
  readonly signal: AbortSignal;
}

/** The daemon's machine: its wall clock may be set wrong, and it may sleep with everything on it. */
export class Machine {
  /** The clock that the daemon sees. */
  readonly clock: Clock;
  /** Times at which the wall clock was wrong by a second or more. */
  readonly wrong: WrongTime[] = [];
  readonly sleeps: Downtime[] = [];
  offsetMs: DurationMs = 0;
  readonly #parts: MachineParts;
  /** The starts of the machine; the first one was before. */
  readonly bootsAt: EpochMs[] = [0];
  readonly #settings: { readonly at: EpochMs; readonly offsetMs: DurationMs }[] = [];
  #sleptMs: DurationMs = 0;
  #asleep: { readonly sinceMs: DurationMs; readonly over: Promise<void> } | undefined;
  /** Called when the wall clock was set, and when the machine wakes. */
  readonly #onChange = new Set<() => void>();

  constructor(parts: MachineParts) {
    this.#parts = parts;
    const { clock: truth } = parts;
    const after: Clock["after"] = (ms, wake) => this.#after(ms, wake);
    this.clock = {
      now: () => truth.now() + this.offsetMs,
      monotonicMs: () => this.#monotonicMs,
      after,
      sleep: sleepBy(after),
      whenAt: (...wait) => this.#whenAt(...wait),
    };
  }

  /** Nothing moves this clock unnoticed: slices without a change need no look. */
  #whenAt(...[at, { sliceMs, look }, wake]: Parameters<Clock["whenAt"]>): () => void {
    let [sinceMs, dueMs] = [0, 0];
    let callOff = () => {};
    const waitOn = () => {
      sinceMs = this.#monotonicMs;
      dueMs = sinceMs + Math.max(0, at - this.clock.now());
      callOff = this.#after(dueMs - sinceMs, wakeOrWait);
    };
    const end = () => {
      callOff();
      this.#onChange.delete(lookSoon);
    };
    const wakeOrWait = () => {
      if (!look() && this.clock.now() < at) return waitOn();
      end();
      wake();
    };
    /** At the end of this slice. */
    const lookSoon = () => {
      callOff();
      const nowMs = this.#monotonicMs;
      const sliceEndMs = sinceMs + (Math.floor((nowMs - sinceMs) / sliceMs) + 1) * sliceMs;
      callOff = this.#after(Math.min(sliceEndMs, dueMs) - nowMs, wakeOrWait);
    };
    this.#onChange.add(lookSoon);
    waitOn();
    return end;
  }

  /** Timers due during sleep fire on wake-up. */
  #after(ms: DurationMs, wake: () => void): () => void {
    const { clock: truth } = this.#parts;
    const due = this.#monotonicMs + Math.max(0, ms);
    let isOff = false;
    const look = () => {
      if (isOff) return;
      if (this.#asleep !== undefined) void this.#asleep.over.then(look);
      else if (this.#monotonicMs < due) callOff = truth.after(due - this.#monotonicMs, look);
      else wake();
    };
    let callOff = truth.after(ms, look);
    return () => {
      isOff = true;
      callOff();
    };
  }

  get boot(): string {
    return `boot-${this.starts}`;
  }

  get starts(): number {
    return this.bootsAt.length;
  }

  get hasNtp(): boolean {
    return this.#parts.hasNtp;
  }

  get isWrong(): boolean {
    return this.offsetMs !== 0;
  }

  get isAsleep(): boolean {
    return this.#asleep !== undefined;
  }

  /** Includes sleep. */
  uptimeMs(): DurationMs {
    return this.#parts.clock.monotonicMs();
  }

  kernel(): KernelClock {
    if (!this.hasNtp) return "silent";
    return this.isWrong ? "unsynchronised" : "synchronised";
  }

  /** The wall clock's value at a true instant: the date of a file written then. */
  shownAt(at: EpochMs): EpochMs {
    return at + (this.#settings.findLast((setting) => setting.at < at)?.offsetMs ?? 0);
  }

  /** Resolves at once, or when the machine wakes. */
  async awake(): Promise<void> {
    while (this.#asleep !== undefined) await this.#asleep.over;
  }

  /** Sets one wrong time; it is corrected at `until`. */
  setClock({
    byMs,
    until,
  }: Pick<Extract<FaultStep, { readonly kind: "clock-step" }>, "byMs" | "until">): void {
    if (this.isWrong || byMs === 0) return;
    const { clock, signal } = this.#parts;
    this.wrong.push({ from: clock.now(), byMs });
    this.#set(byMs);
    void clock.sleep(until - clock.now(), signal).then(
      () => {
        const spell = this.wrong.at(-1);
        if (spell !== undefined) spell.to = clock.now();
        this.#set(0);
      },
      () => {},
    );
  }

  #set(offsetMs: DurationMs): void {
    this.offsetMs = offsetMs;
    this.#settings.push({ at: this.#parts.clock.now(), offsetMs });
    for (const notice of this.#onChange) notice();
  }

  /** Cuts the power; another start follows. */
  powerOff(): void {
    this.bootsAt.push(this.#parts.clock.now());
  }

  sleepUntil(until: EpochMs): void {
    const { clock, signal } = this.#parts;
    const ms = until - clock.now();
    if (this.isAsleep || ms < SECOND) return;
    const sleep: Downtime = { from: clock.now() };
    this.sleeps.push(sleep);
    const sinceMs = clock.monotonicMs();
    const wake = () => {
      sleep.to = clock.now();
      this.#sleptMs += clock.monotonicMs() - sinceMs;
      this.#asleep = undefined;
      for (const notice of this.#onChange) notice();
    };
    this.#asleep = { sinceMs, over: clock.sleep(ms, signal).then(wake, wake) };
  }

  get #monotonicMs(): DurationMs {
    const now = this.#parts.clock.monotonicMs();
    return now - this.#sleptMs - (this.#asleep === undefined ? 0 : now - this.#asleep.sinceMs);
  }
}
