import { type Clock, sleepBy, whenAtBy } from "../../kit/time/clock.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";

export interface ClockError {
  /** How far the wall clock is ahead. */
  readonly aheadMs: DurationMs;
  /** How fast both clocks go, in millionths more. */
  readonly drift: number;
}

/** A process of a node: it can be paused, and it can die. Nothing that it waits for reaches it then. */
export class NodeProcess {
  readonly clock: Clock;
  readonly #time: Clock;
  readonly #aheadMs: DurationMs;
  readonly #late: (() => void)[] = [];
  readonly #onDeath: (() => void)[] = [];
  #isPaused = false;
  #isDead = false;

  /** @param time the true time */
  constructor(time: Clock, { aheadMs, drift }: ClockError) {
    this.#time = time;
    this.#aheadMs = aheadMs;
    const rate = 1 + drift / 1_000_000;
    const after: Clock["after"] = (ms, wake) => this.after(ms / rate, wake);
    const now = () => time.now() + aheadMs;
    const monotonicMs = () => time.monotonicMs() * rate;
    this.clock = { now, monotonicMs, after, sleep: sleepBy(after), whenAt: whenAtBy({ now, after }) };
  }

  get runs(): boolean {
    return !this.#isPaused && !this.#isDead;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** The true time at which its wall clock shows this one. */
  trueTime(at: EpochMs): EpochMs {
    return at - this.#aheadMs;
  }

  /** Wakes it after this true time, or when it goes on. */
  after(ms: DurationMs, wake: () => void): () => void {
    let isOver = false;
    const once = () => {
      if (!isOver) wake();
    };
    const callOff = this.#time.after(ms, () => this.#reach(once));
    return () => {
      isOver = true;
      callOff();
    };
  }

  #reach(wake: () => void): void {
    if (this.#isDead) return;
    if (this.#isPaused) this.#late.push(wake);
    else wake();
  }

  pause(): void {
    this.#isPaused = true;
  }

  goOn(): void {
    this.#isPaused = false;
    for (const wake of this.#late.splice(0)) this.#reach(wake);
  }

  die(): void {
    this.#isDead = true;
    for (const ended of this.#onDeath.splice(0)) ended();
  }

  /** The kernel closes its connections then. */
  onDeath(ended: () => void): void {
    this.#onDeath.push(ended);
  }
}
