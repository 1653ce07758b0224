import { RateLimiter } from "../../kit/http/rate-limiter.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { type Refusal, tooManyRequests } from "../refusal.ts";

/** The separately limited kinds: reads and changes of sessions, and requests without a session. */
export type Kind = keyof typeof SERVER_LIMITS.requests;

/** Limits each requester: a burst of each kind, then a steady rate. */
export class RequestLimits {
  readonly #allowances: Readonly<Record<Kind, RateLimiter>>;

  constructor() {
    const of = (kind: Kind) => {
      const { atOnce, perSecond } = SERVER_LIMITS.requests[kind];
      return new RateLimiter({ atOnce, everyMs: SECOND / perSecond, peersMax: SERVER_LIMITS.requestersKept });
    };
    this.#allowances = { read: of("read"), write: of("write"), open: of("open") };
  }

  /** Counts a request or refuses it. @param who a session or an address. @param nowMs monotonic */
  refuse(kind: Kind, who: string, nowMs: DurationMs): Refusal | undefined {
    const allowance = this.#allowances[kind];
    const waitMs = allowance.waitMs(who, nowMs);
    if (waitMs > 0) return tooManyRequests(waitMs);
    allowance.take(who, nowMs);
    return undefined;
  }
}
