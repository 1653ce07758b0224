import { HOST_LIMITS } from "./limits.ts";

/**
 * Decides whether the host takes captures that ffmpeg could take. All captures die with the host. A source read by several hosts
 * that died is suspect, and goes to ffmpeg, which has a process per capture. A host that cannot start, or that keeps dying, is not
 * used. Both for a limited time.
 */
export class HostTrust {
  #deaths: readonly { readonly atMs: number; readonly sources: ReadonlySet<string> }[] = [];
  readonly #apartUntilMs = new Map<string, number>();
  #leftAloneUntilMs = Number.NEGATIVE_INFINITY;

  isGiven(source: string, nowMs: number): boolean {
    return nowMs >= this.#leftAloneUntilMs && nowMs >= (this.#apartUntilMs.get(source) ?? nowMs);
  }

  recordFailedStart(nowMs: number): void {
    this.#leftAloneUntilMs = nowMs + HOST_LIMITS.leftAloneMs;
  }

  /**
   * Records the death of a host.
   *
   * @param sources that it read
   * @returns how many of them are now kept apart, and whether the host is no longer used
   */
  recordDeath(
    sources: ReadonlySet<string>,
    nowMs: number,
  ): { readonly apart: number; readonly isLeftAlone: boolean } {
    const lately = this.#deaths.filter(({ atMs }) => nowMs - atMs < HOST_LIMITS.leftAloneMs);
    this.#deaths = [...lately, { atMs: nowMs, sources }];
    for (const [source, untilMs] of this.#apartUntilMs) {
      if (nowMs >= untilMs) this.#apartUntilMs.delete(source);
    }
    const deathsOf = (source: string) => this.#deaths.filter((death) => death.sources.has(source)).length;
    const suspects = [...sources].filter((source) => deathsOf(source) >= HOST_LIMITS.sourceDeaths);
    for (const source of suspects) this.#apartUntilMs.set(source, nowMs + HOST_LIMITS.leftAloneMs);
    const isLeftAlone = this.#deaths.length >= HOST_LIMITS.deaths;
    if (isLeftAlone) {
      this.#deaths = [];
      this.#leftAloneUntilMs = nowMs + HOST_LIMITS.leftAloneMs;
    }
    return { apart: suspects.length, isLeftAlone };
  }
}
