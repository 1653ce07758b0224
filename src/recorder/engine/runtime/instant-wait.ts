import { type Clock, onAbort } from "../../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../../kit/time/limits.ts";
import type { ClockStanding } from "../../../model/clock-trust.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { World } from "../core/draft.ts";
import { beatInstant, dueInstant } from "../core/settle.ts";

/** A place besides the document that shows until when the daemon lived. */
export interface SignOfLife {
  /** The sign of an earlier run; absent if there is none. */
  readonly before: EpochMs | undefined;
  renew(): void | Promise<void>;
}

export interface InstantWaitParts {
  readonly store: { readonly current: DaemonDocument };
  readonly tuners: () => World["tuners"];
  /** `hasMoved`: whether the clock was set or the machine slept since the last decision. `isNoted`: the disk has all such changes. */
  readonly watch: Pick<ClockStanding, "othersAheadMs"> & {
    readonly hasMoved: boolean;
    readonly isNoted: boolean;
  };
  /** Called at least every `TIME_LIMITS.waitSliceMs`. */
  readonly onPulse?: () => void;
  readonly signOfLife: SignOfLife;
  /** Whether only a sign of life is due by now: nothing that time alone changes. */
  readonly isQuiet: () => boolean;
  readonly clock: Clock;
}

/** The wait between two decisions, with a sign of life each minute. */
export class InstantWait {
  readonly #parts: InstantWaitParts;
  /** Every earlier instant of the plan has been decided about. */
  #decidedAt: EpochMs = 0;
  /** The latest sign of life since the document was written. */
  #beatAt: EpochMs | undefined;

  constructor(parts: InstantWaitParts) {
    this.#parts = parts;
  }

  /** @param now of the decision that was made */
  decided(now: EpochMs): void {
    this.#decidedAt = now;
  }

  /** The document was written: that is a sign of life, too. */
  written(): void {
    this.#beatAt = undefined;
  }

  /**
   * A sign later than a sleep says that the recorder was up meanwhile, and one by a new setting of the clock does not
   * fit the stored times: there is none until the document has both.
   */
  renewSignOfLife(): void {
    const { watch, signOfLife } = this.#parts;
    if (watch.isNoted) void signOfLife.renew();
  }

  /**
   * Waits until an instant of the document comes, or is interrupted.
   *
   * @param onInterruption sets the function that interrupts the wait; `undefined`: none
   * @returns whether an instant is due
   */
  untilDue(
    onInterruption: (interrupt: (() => void) | undefined) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { store, tuners, clock, watch, onPulse, isQuiet } = this.#parts;
    // Counts from the last decision on: an instant that passed during its write is still to come.
    const since = Math.min(this.#decidedAt, clock.now());
    const dueAt = dueInstant(store.current, { tuners: tuners(), now: since, clock: watch });
    const look = () => {
      onPulse?.();
      return watch.hasMoved;
    };
    return new Promise<boolean>((resolve) => {
      const stopWaiting = (due: boolean) => {
        callOff();
        unfollow();
        onInterruption(undefined);
        resolve(due);
      };
      // Thousands of waits a day: a signal and a promise for each of their parts would dominate their cost.
      const waitOn = () => {
        const beatAt = beatInstant(this.#beatAt ?? store.current.heartbeatAt, clock.now());
        return clock.whenAt(Math.min(dueAt, beatAt), { sliceMs: TIME_LIMITS.waitSliceMs, look }, wake);
      };
      const wake = () => {
        if (clock.now() >= dueAt || watch.hasMoved || !isQuiet()) return stopWaiting(true);
        // A minute in which nothing is due needs no decision, and no write of the document.
        this.#beatAt = clock.now();
        this.renewSignOfLife();
        callOff = waitOn();
      };
      let callOff = waitOn();
      const unfollow = onAbort(signal, () => stopWaiting(false));
      onInterruption(() => stopWaiting(false));
    });
  }
}
