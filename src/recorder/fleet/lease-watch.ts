import type { DurationMs } from "../../model/time.ts";
import type { Standing } from "./lease.ts";
import { FLEET_LIMITS } from "./limits.ts";

type LeaseSign = Pick<Standing, "term" | "renewals" | "isDrained">;

/**
 * Tells when a lease has run out, by this node's monotonic clock alone, so no wall clock need be right. Only a time in which the
 * database kept answering counts: while it is away, the leader cannot renew the lease either.
 */
export class LeaseWatch {
  #seen: Pick<LeaseSign, "term" | "renewals"> | undefined;
  #sinceMs: DurationMs = 0;
  #lookedMs = Number.NEGATIVE_INFINITY;

  /** @returns whether the leader has been silent for the whole lease */
  isOver({ term, renewals, isDrained }: LeaseSign, nowMs: DurationMs): boolean {
    const isUnbroken = nowMs - this.#lookedMs <= FLEET_LIMITS.lookGapMs;
    this.#lookedMs = nowMs;
    if (!isUnbroken || term !== this.#seen?.term || renewals !== this.#seen.renewals) {
      this.#seen = { term, renewals };
      this.#sinceMs = nowMs;
    }
    return nowMs - this.#sinceMs >= (isDrained ? FLEET_LIMITS.drainedLeaseMs : FLEET_LIMITS.leaseMs);
  }
}
