import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Backlog } from "../../../model/backlog.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { StoreTrouble } from "../../../model/snapshot.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { DaemonDocument } from "../core/document.ts";
import { ENGINE_LIMITS } from "../core/limits.ts";

export interface StoreGuardParts {
  readonly store: { readonly backlog?: Backlog<DaemonDocument> | undefined };
  /** The data folder is not writable, so no decision is made; `undefined`: it is writable again. */
  readonly onTrouble: (trouble: StoreTrouble | undefined) => void;
  /** Frees space in the data folder when its disk is full. @returns whether to retry at once */
  readonly makeRoom?: () => Promise<boolean>;
  /** Called with each retry. */
  readonly onPulse?: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Retries what cannot be written, and holds back what must not happen before a decision is stored. */
export class StoreGuard {
  readonly #parts: StoreGuardParts;
  /** Called when everything is stored again. */
  readonly #onStored: () => void;
  #trouble: StoreTrouble | undefined;
  #backlog: Backlog<DaemonDocument> | undefined;
  /** Waits for the end of the backlog. */
  #heldUp: (() => void)[] = [];

  constructor(parts: StoreGuardParts, onStored: () => void) {
    this.#parts = parts;
    this.#onStored = onStored;
  }

  /** Present while the data folder is not writable. */
  get trouble(): StoreTrouble | undefined {
    return this.#trouble;
  }

  /** Retries with a pause while the data folder is not writable. @returns `undefined` when the signal ends it */
  async untilWritten<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const { clock, log, makeRoom, onPulse } = this.#parts;
    const since = clock.now();
    for (let pauseMs: number = ENGINE_LIMITS.retryMsMin, failures = 0; ; failures += 1) {
      try {
        const done = await work();
        if (failures > 0) {
          this.#report(undefined);
          log.info("the state can be written again", { failures });
        }
        return done;
      } catch (error) {
        if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
        const trouble = troubleOf(error, since);
        if (trouble.code === "DISK_FULL" && (await makeRoom?.()) === true) continue;
        this.#report(trouble);
        if (failures === 0) log.error("the state cannot be written; retrying", { ...trouble });
      }
      await clock.sleep(pauseMs, signal).catch(() => {});
      if (signal.aborted) return undefined;
      onPulse?.();
      pauseMs = Math.min(ENGINE_LIMITS.retryMsMax, 2 * pauseMs);
    }
  }

  /** Notices that decisions are not stored for now, or that all of them are. */
  checkBacklog(): void {
    const { store, log } = this.#parts;
    const { backlog } = store;
    if (backlog === this.#backlog) return;
    this.#backlog = backlog;
    if (backlog === undefined) {
      this.#report(undefined);
      log.info("the state is stored again", { heldUp: this.#heldUp.length });
      for (const act of this.#heldUp.splice(0)) act();
      return;
    }
    const { since, text } = backlog;
    this.#report({ since, code: "STORE_WRITE_FAILED", text });
    log.error("the state cannot be stored; recordings begin and end, and all else waits", { text });
    void backlog.over.then(this.#onStored);
  }

  /** Calls `act` when all decisions are stored: now, or at the end of the backlog. */
  whenStored(act: () => void): void {
    if (this.#backlog === undefined) act();
    else this.#heldUp.push(act);
  }

  #report(trouble: StoreTrouble | undefined): void {
    this.#trouble = trouble;
    this.#parts.onTrouble(trouble);
  }
}

/** Codes of a full file system and of an exhausted quota. */
const DISK_FULL_CODES: readonly unknown[] = ["ENOSPC", "EDQUOT"];

function troubleOf({ message: text, facts }: RecorderdError, since: EpochMs): StoreTrouble {
  return {
    since,
    code: DISK_FULL_CODES.includes(facts["system"]) ? "DISK_FULL" : "STORE_WRITE_FAILED",
    text,
  };
}
