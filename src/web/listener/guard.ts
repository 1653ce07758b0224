import type { Readable } from "node:stream";
import { householdOf } from "../../kit/http/client-address.ts";
import { RateLimiter } from "../../kit/http/rate-limiter.ts";
import type { SignInLimiter } from "../../kit/http/sign-in-limiter.ts";
import type { WebAnswer, WebHead } from "../../kit/http/web-server.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { SECOND } from "../../model/time.ts";
import { WEB_LIMITS } from "../limits.ts";
import { refused } from "../route.ts";
import { whyNotLocal } from "./local.ts";
import { nameIn, type Visitor, type Visitors } from "./visitors.ts";

export interface GuardPolicy {
  /** Whether people at this machine need no sign-in, as far as a request reveals them. */
  readonly trustsLocal: boolean;
  /** Names of this machine for its browsers, besides `localhost` and the loopback addresses. */
  readonly names: readonly string[];
  /** A proxy at this address that has signed the visitor in and names the user in this header. */
  readonly proxy?: { readonly address: string; readonly userHeader: string } | undefined;
  readonly visitors: Visitors;
  /** The counter of failed sign-ins, shared with other listeners. */
  readonly guesses: () => SignInLimiter;
  readonly clock: Clock;
}

export interface Guard {
  /** @returns the refusal, or `undefined` to admit the request */
  admit(request: WebHead, route: RouteAccess): Promise<WebAnswer | undefined>;
  /** The one who pays for a request with an allowance: a stranger cannot use up that of a signed-in visitor at the same address. */
  payer(request: WebHead): Promise<string>;
  /** Identifies the visitor by the request's session, token or proxy header. */
  visitor(
    request: WebHead,
  ): Promise<{ readonly visitor?: Visitor; readonly csrfToken?: string; readonly isBusy?: true }>;
  /** Ends a stream when its visitor has no access any more: after a sign-out, with another password or without the token. */
  follow(request: WebHead, stream: Readable): void;
  /** Counts a starting sign-in as failed. @returns the refusal after too many guesses, or callbacks for the outcome */
  guess(request: WebHead, name: string | undefined): WebAnswer | GuessOutcome;
}

/** A route's access rules. */
export interface RouteAccess {
  readonly open?: true | undefined;
  readonly unmetered?: true | undefined;
}

/** Callbacks for a sign-in that has started. */
export interface GuessOutcome {
  right(): void;
  /** The sign-in ended without a verdict. */
  open(): void;
}

export const BUSY = refused(503, "unavailable", "Too many sign-ins at once: try again soon.", {
  "retry-after": "5",
});

const CHANGES_NOTHING = ["GET", "HEAD"];

/** Admits or refuses each request before it has any effect (docs/dev/decisions/0017-one-api-two-listeners.md). */
export function createGuard(policy: GuardPolicy): Guard {
  const { clock, visitors } = policy;
  const rate = new RateLimiter({
    atOnce: WEB_LIMITS.requestsAtOnce,
    everyMs: SECOND / WEB_LIMITS.requestsPerSecond,
    peersMax: WEB_LIMITS.addresses,
  });
  const guess: Guard["guess"] = ({ address }, name) => {
    const attempt = { name, address };
    const guesses = policy.guesses();
    const refusal = tooMany(guesses.begin(attempt, clock.monotonicMs()) ?? 0);
    return (
      refusal ?? {
        right: () => guesses.prove(attempt, clock.monotonicMs()),
        open: () => guesses.forgive(attempt, clock.monotonicMs()),
      }
    );
  };

  function proxied({ peer, headers }: WebHead): Visitor | undefined {
    const { proxy } = policy;
    if (proxy === undefined || peer !== proxy.address) return undefined;
    const name = headers[proxy.userHeader.toLowerCase()];
    return typeof name === "string" && name !== "" ? { name, by: "proxy" } : undefined;
  }

  async function visitor(request: WebHead): ReturnType<Guard["visitor"]> {
    const user = proxied(request);
    if (user !== undefined) return { visitor: user };
    const identity = await visitors.identityOf(request);
    if (identity.kind === "known") {
      const { csrfToken } = identity;
      return { visitor: identity.visitor, ...(csrfToken === undefined ? {} : { csrfToken }) };
    }
    if (identity.kind === "busy") return { isBusy: true };
    const isLocal = policy.trustsLocal && whyNotLocal(request, policy.names) === undefined;
    return isLocal ? { visitor: { name: "", by: "nothing" } } : {};
  }

  /** A right token is no guess: nobody finds one. Wrong ones of others at the address must not lock out its program. */
  async function showsToken(request: WebHead): Promise<boolean> {
    return nameIn(request) === undefined && (await visitors.identityOf(request)).kind === "known";
  }

  function follow(request: WebHead, stream: Readable): void {
    const look = async () => {
      // Identities are found once for each object of headers.
      const { visitor: known, isBusy } = await visitor({ ...request, headers: { ...request.headers } });
      if (stream.destroyed) return;
      if (known === undefined && isBusy !== true) stream.destroy();
      else callOff = wait();
    };
    const wait = () => clock.after(WEB_LIMITS.streamLookMs, () => void look().catch(() => stream.destroy()));
    let callOff = wait();
    stream.once("close", () => callOff());
  }

  const payer = async (request: WebHead) =>
    (await visitors.provenKey(request)) ?? householdOf(request.address);

  return {
    follow,
    guess,
    payer,
    visitor,
    admit: async (request, { open, unmetered }) => {
      const isChange = !CHANGES_NOTHING.includes(request.method);
      const foreign = otherSite(request);
      if (foreign !== undefined) return foreign;
      if (unmetered && request.headers.authorization === undefined) return undefined;
      const who = await payer(request);
      const tooFast = tooMany(rate.waitMs(who, clock.monotonicMs()));
      if (tooFast !== undefined) return tooFast;
      rate.take(who, clock.monotonicMs());
      const bodyType = request.headers["content-type"] ?? "";
      if (isChange && hasBody(request) && !/^application\/json\b/i.test(bodyType)) {
        return refused(415, "malformed", "The body must be application/json.");
      }
      const showsSecret = request.headers.authorization !== undefined;
      if (open && !showsSecret) return undefined;
      const guessing =
        showsSecret && !(await showsToken(request)) ? guess(request, nameIn(request)) : undefined;
      if (guessing !== undefined && "status" in guessing) return guessing;
      const { visitor: known, csrfToken, isBusy } = await visitor(request);
      if (known !== undefined && known.by !== "nothing") guessing?.right();
      if (isBusy) {
        guessing?.open();
        return BUSY;
      }
      if (open) return undefined;
      if (known === undefined) {
        const why = policy.trustsLocal ? whyNotLocal(request, policy.names) : undefined;
        const reason = why === undefined ? "" : ` Nobody signed in, and ${why}.`;
        return refused(401, "not-signed-in", `Sign in, or send a token, as in docs/household.md.${reason}`, {
          "www-authenticate": 'Basic realm="recorderd", charset="UTF-8"',
        });
      }
      const isForged = known.by === "session" && isChange && request.headers["x-csrf-token"] !== csrfToken;
      return isForged
        ? refused(403, "not-allowed", "The header X-CSRF-Token does not belong to this session.")
        : undefined;
    },
  };
}

/** RFC 9112 §6.3. */
function hasBody({ headers }: WebHead): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function tooMany(waitMs: number): WebAnswer | undefined {
  if (waitMs === 0) return undefined;
  const seconds = String(Math.ceil(waitMs / SECOND));
  return refused(429, "too-many", `Too many requests: wait ${seconds} s.`, { "retry-after": seconds });
}

/** Refuses requests from other sites' pages, whatever credentials the browser sends. */
export function otherSite({ headers }: WebHead): WebAnswer | undefined {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  const isOther = site !== undefined && site !== "same-origin" && site !== "none";
  if (!isOther && (origin === undefined || sameHost(origin, host))) return undefined;
  return refused(403, "not-allowed", "The recorder accepts requests only from its own pages.");
}

function sameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
