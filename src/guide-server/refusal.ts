import { RecorderdError } from "../model/errors.ts";
import { SECOND } from "../model/time.ts";

/** The reason for refusing a request. Nothing was changed. */
export interface Refusal {
  readonly kind: "refusal";
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 413 | 415 | 429 | 431 | 500 | 503;
  /** A sentence for people: what was wrong and what to do. */
  readonly message: string;
  /** The faulty field of the request. */
  readonly field?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The machine-readable codes of error documents. */
export const REFUSAL_CODES: Readonly<Record<Refusal["status"], string>> = {
  400: "malformed",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  406: "not_acceptable",
  408: "timeout",
  413: "too_large",
  415: "unsupported_media_type",
  429: "too_many_requests",
  431: "too_large",
  500: "failed",
  503: "unavailable",
};

export function isRefusal(outcome: unknown): outcome is Refusal {
  return typeof outcome === "object" && outcome !== null && "kind" in outcome && outcome.kind === "refusal";
}

export function notFound(message: string, field?: string): Refusal {
  return { kind: "refusal", status: 404, message, ...(field === undefined ? {} : { field }) };
}

export function notAcceptable(field: string | undefined, message: string): Refusal {
  return { kind: "refusal", status: 406, message, ...(field === undefined ? {} : { field }) };
}

/** @param problem what is wrong with the field, as the rest of a sentence */
export function badField(field: string, problem: string): Refusal {
  return notAcceptable(field, `The field ${field} ${problem}.`);
}

export function unauthorized(message: string): Refusal {
  // RFC 9110 §11.6.1 requires a challenge; the API's own scheme uses two query parameters.
  const headers = { "WWW-Authenticate": 'GuideToken realm="guide", params="email_address token"' };
  return { kind: "refusal", status: 401, message, headers };
}

export function tooManyLogins(afterMs: number): Refusal {
  return tooMany("Too many logins have failed: try again later, with the right password.", afterMs);
}

export function tooManyRequests(afterMs: number): Refusal {
  return tooMany("Too many requests: ask again later, and less often.", afterMs);
}

export function tooManyStreams(afterMs: number): Refusal {
  return tooMany("Too many clients of this account wait for changes: poll, and ask again later.", afterMs);
}

function tooMany(message: string, afterMs: number): Refusal {
  return { kind: "refusal", status: 429, message, headers: retryAfter(afterMs) };
}

function retryAfter(ms: number): Readonly<Record<string, string>> {
  return { "Retry-After": String(Math.max(1, Math.ceil(ms / SECOND))) };
}

export function unavailable(message: string, afterMs: number): Refusal {
  return { kind: "refusal", status: 503, message, headers: retryAfter(afterMs) };
}

/** @throws RecorderdError GUIDE_NOT_FOUND or GUIDE_NOT_ACCEPTABLE for a refusal */
export function accepted<T>(outcome: T | Refusal): T {
  if (!isRefusal(outcome)) return outcome as T;
  const { status, message, field } = outcome;
  throw new RecorderdError(status === 404 ? "GUIDE_NOT_FOUND" : "GUIDE_NOT_ACCEPTABLE", message, {
    // No request was sent: advice about its fields would be wrong.
    saysRemedy: true,
    ...(field === undefined ? {} : { field }),
  });
}
