import { LIMITS } from "../../../model/limits.ts";

/**
 * Whether a capture is given to the host where ffmpeg could take it. All captures die with the host. A source that was read by several
 * hosts that died may be the reason, and is kept apart: ffmpeg has a process for each. A host that cannot be started, or that dies again
 * and again whatever it reads, is left alone. Both for a while.
 */
export class HostTrust {
  #deaths: readonly { readonly atMs: number; readonly sources: ReadonlySet<string> }[] = [];
  readonly #apartUntilMs = new Map<string, number>();
  #leftAloneUntilMs = Number.NEGATIVE_INFINITY;

  isGiven(source: string, nowMs: number): boolean {
    return nowMs >= this.#leftAloneUntilMs && nowMs >= (this.#apartUntilMs.get(source) ?? nowMs);
  }

  couldNotStart(nowMs: number): void {
    this.#leftAloneUntilMs = nowMs + LIMITS.hostLeftAloneMs;
  }

  /**
   * @param sources that it read
   * @returns how many of them are kept apart from now on, and whether the host is left alone
   */
  died(
    sources: ReadonlySet<string>,
    nowMs: number,
  ): { readonly apart: number; readonly isLeftAlone: boolean } {
    const lately = this.#deaths.filter(({ atMs }) => nowMs - atMs < LIMITS.hostLeftAloneMs);
    this.#deaths = [...lately, { atMs: nowMs, sources }];
    for (const [source, untilMs] of this.#apartUntilMs) {
      if (nowMs >= untilMs) this.#apartUntilMs.delete(source);
    }
    const deathsOf = (source: string) => this.#deaths.filter((death) => death.sources.has(source)).length;
    const suspects = [...sources].filter((source) => deathsOf(source) >= LIMITS.hostSourceDeaths);
    for (const source of suspects) this.#apartUntilMs.set(source, nowMs + LIMITS.hostLeftAloneMs);
    const isLeftAlone = this.#deaths.length >= LIMITS.hostDeaths;
    if (isLeftAlone) {
      this.#deaths = [];
      this.#leftAloneUntilMs = nowMs + LIMITS.hostLeftAloneMs;
    }
    return { apart: suspects.length, isLeftAlone };
  }
}
