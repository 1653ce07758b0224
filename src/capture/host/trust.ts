import { LIMITS } from "../../model/limits.ts";

/**
 * Whether captures are given to the host where ffmpeg could take them: all of them die with it, so one that cannot be started, or that
 * dies again and again, such as of something that one source sends, is left alone for a while.
 */
export class HostTrust {
  #deathsMs: readonly number[] = [];
  #leftAloneUntilMs = Number.NEGATIVE_INFINITY;

  isGiven(nowMs: number): boolean {
    return nowMs >= this.#leftAloneUntilMs;
  }

  couldNotStart(nowMs: number): void {
    this.#leftAloneUntilMs = nowMs + LIMITS.hostLeftAloneMs;
  }

  /** @returns whether that was once too often */
  died(nowMs: number): boolean {
    const lately = this.#deathsMs.filter((atMs) => nowMs - atMs < LIMITS.hostLeftAloneMs);
    this.#deathsMs = [...lately, nowMs];
    if (this.#deathsMs.length < LIMITS.hostDeaths) return false;
    this.#deathsMs = [];
    this.#leftAloneUntilMs = nowMs + LIMITS.hostLeftAloneMs;
    return true;
  }
}
