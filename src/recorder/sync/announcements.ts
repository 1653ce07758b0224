import { RateLimiter } from "../../kit/http/rate-limiter.ts";
import type { Log } from "../../kit/log.ts";
import { backOffMs } from "../../kit/time/back-off.ts";
import { type Chance, type Clock, onAbort, waitWithin } from "../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { GuideAccount } from "../../model/ports.ts";
import type { DurationMs } from "../../model/time.ts";
import { SYNC_LIMITS } from "./limits.ts";

interface AnnouncementParts {
  readonly account: Pick<GuideAccount, "changes">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Called when the timer list may have changed. */
  readonly onNews: () => void;
}

/** Answers of a service without a stream of changes, and of anything else that is at its address. */
const LACKING: ReadonlySet<ErrorCode> = new Set([
  "GUIDE_NOT_FOUND",
  "GUIDE_ANSWER_UNEXPECTED",
  "GUIDE_DOCUMENT_INVALID",
  "GUIDE_NOT_ACCEPTABLE",
]);

/**
 * Follows the service's stream of changes, where it has one. The stream only says when to poll: its absence, its end
 * and its silence delay nothing but the next poll, until the next scheduled one.
 */
export class Announcements {
  readonly #parts: AnnouncementParts;
  readonly #limiter = new RateLimiter({
    atOnce: SYNC_LIMITS.changesPollsAtOnce,
    everyMs: SYNC_LIMITS.changesPollEveryMs,
    peersMax: 1,
  });
  /** The last sign of life of the open stream, on the monotonic clock. */
  #heardMs: DurationMs | undefined;
  #version: string | undefined;
  #callOffNews: (() => void) | undefined;

  constructor(parts: AnnouncementParts) {
    this.#parts = parts;
  }

  /** Whether a change would be announced at once. */
  get areAlive(): boolean {
    return this.#silentMs() < SYNC_LIMITS.changesSilentMs;
  }

  /** Runs until the signal is aborted. No failure ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, chance, log } = this.#parts;
    let failures = 0;
    while (!signal.aborted && this.#parts.account.changes !== undefined) {
      const sinceMs = clock.monotonicMs();
      const error = await this.#follow(signal);
      if (signal.aborted) break;
      const isGood = clock.monotonicMs() - sinceMs >= SYNC_LIMITS.changesGoodMs;
      failures = isGood ? 1 : failures + 1;
      log.debug("the stream of changes is not available; polls continue", {
        code: error?.code ?? "ended",
        text: error?.message ?? "",
      });
      const waitMs = waitAfter(error, failures, chance);
      await waitWithin(signal, (over) => clock.sleep(waitMs, over).catch(() => {}));
    }
    this.#callOffNews?.();
  }

  /** One stream, until it ends or falls silent. */
  async #follow(signal: AbortSignal): Promise<RecorderdError | undefined> {
    const { account, log } = this.#parts;
    const onAlive = () => {
      if (this.#heardMs === undefined) log.debug("the guide service announces changes");
      this.#heardMs = this.#parts.clock.monotonicMs();
    };
    try {
      await this.#untilSilent(signal, async (over) => {
        await account.changes?.({ onAlive, onVersion: (version) => this.#hear(version) }, over);
      });
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof RecorderdError)) throw error;
      return error;
    } finally {
      this.#heardMs = undefined;
    }
  }

  /** Aborts the work when nothing is heard any more. */
  async #untilSilent(signal: AbortSignal, work: (over: AbortSignal) => Promise<void>): Promise<void> {
    const { clock } = this.#parts;
    const startMs = clock.monotonicMs();
    const { changesSilentMs } = SYNC_LIMITS;
    const ended = new AbortController();
    const unfollow = onAbort(signal, () => ended.abort(signal.reason));
    let callOff = () => {};
    const look = () => {
      const silentMs = clock.monotonicMs() - (this.#heardMs ?? startMs);
      if (silentMs >= changesSilentMs) ended.abort(new RecorderdError("GUIDE_TIMEOUT", SILENT));
      else callOff = clock.after(changesSilentMs - silentMs, look);
    };
    look();
    try {
      await work(ended.signal);
    } finally {
      callOff();
      unfollow();
    }
  }

  #silentMs(): DurationMs {
    return this.#heardMs === undefined
      ? Number.POSITIVE_INFINITY
      : this.#parts.clock.monotonicMs() - this.#heardMs;
  }

  /** Tells of another version; of many in a short time, soon of the last one. */
  #hear(version: string): void {
    if (version === this.#version) return;
    this.#version = version;
    if (this.#callOffNews !== undefined) return;
    const { clock, onNews } = this.#parts;
    const waitMs = this.#limiter.waitMs("", clock.monotonicMs());
    const tell = () => {
      this.#callOffNews = undefined;
      this.#limiter.take("", clock.monotonicMs());
      onNews();
    };
    if (waitMs === 0) tell();
    else this.#callOffNews = clock.after(waitMs, tell);
  }
}

const SILENT = "The stream of changes is silent";

function waitAfter(error: RecorderdError | undefined, failures: number, chance: Chance): DurationMs {
  const { changesBackOffMsMin: firstMs, changesBackOffMsMax: maxMs, changesRefusedMs } = SYNC_LIMITS;
  if (error !== undefined && LACKING.has(error.code)) return changesRefusedMs * (1 + chance() / 10);
  const asked = error?.facts["retryAfterMs"];
  const retryAfterMs = typeof asked === "number" ? asked : 0;
  return backOffMs({ failures, firstMs, maxMs, retryAfterMs }, chance);
}
