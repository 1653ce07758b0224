import type { HttpAnswer } from "../kit/http/http.ts";
import { type ErrorCode, type Facts, RecorderdError } from "../model/errors.ts";
import { MODEL_LIMITS } from "../model/limits.ts";
import { type DurationMs, type EpochMs, SECOND } from "../model/time.ts";
import { decodeDocument } from "./codec.ts";

interface Meaning {
  readonly code: ErrorCode;
  readonly text: string;
}

const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: {
    code: "GUIDE_SIGN_IN_NEEDED",
    text: "the sign-in is not accepted: its token has expired or was revoked; run `recorderd login`, or sign in on the dashboard",
  },
  403: {
    code: "GUIDE_FORBIDDEN",
    text: "it does not allow this; check the api key and the rights of the account",
  },
  404: { code: "GUIDE_NOT_FOUND", text: "there is nothing at this address" },
  405: { code: "GUIDE_METHOD_REFUSED", text: "it does not allow this on this resource" },
  406: { code: "GUIDE_NOT_ACCEPTABLE", text: "it does not accept the data sent" },
  408: { code: "GUIDE_UNAVAILABLE", text: "the request took too long; try again later" },
  415: {
    code: "GUIDE_MEDIA_TYPE_REFUSED",
    text: "it does not accept this format; try the other one (json or xml)",
  },
  429: { code: "GUIDE_UNAVAILABLE", text: "it received too many requests; try again later" },
};

const UNAVAILABLE: Meaning = {
  code: "GUIDE_UNAVAILABLE",
  text: "it is not available at the moment; try again later",
};
const UNEXPECTED: Meaning = {
  code: "GUIDE_ANSWER_UNEXPECTED",
  text: "this status is not part of the protocol; check the address",
};

/** The error for an answer with an error status, with the service's own message. */
export function refusalOf(
  answer: HttpAnswer,
  {
    facts,
    secrets,
    now,
    unauthorized,
    url,
    reported,
  }: {
    readonly facts: Facts;
    readonly url: URL;
    /** The status of the error in an answer with a status of success. */
    readonly reported?: number;
    readonly secrets: readonly string[];
    readonly now: EpochMs;
    readonly unauthorized?: string | undefined;
  },
): RecorderdError {
  const { headers } = answer;
  const status = reported ?? answer.status;
  const meaning = MEANINGS[status] ?? (status >= 500 ? UNAVAILABLE : UNEXPECTED);
  const serviceError = serviceErrorOf(answer);
  const retryAfterMs = retryAfterMsOf(headers["retry-after"], serverTimeOf(answer) ?? now);
  const allFacts: Facts = {
    ...facts,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...serviceError.facts,
  };
  const clean = Object.fromEntries(
    Object.entries(allFacts).map(([key, value]) => [
      key,
      typeof value === "string" ? redacted(value, secrets) : value,
    ]),
  );
  const words =
    serviceError.message === undefined ? "" : ` (it says: ${redacted(serviceError.message, secrets)})`;
  const base = redirection(answer, { url, endpoint: String(facts["endpoint"]) });
  const moved =
    base === undefined
      ? undefined
      : `it redirects to ${redacted(base, secrets)}; set guide.url if this is right`;
  const text = status === 401 ? (unauthorized ?? meaning.text) : (moved ?? meaning.text);
  const answered = reported === undefined ? status : `${answer.status} with the error ${reported}`;
  return new RecorderdError(meaning.code, `The guide service answered ${answered}: ${text}${words}`, clean);
}

/** The base address to which an answer redirects: credentials follow no redirect, so a person must decide. */
function redirection(
  { status, headers }: HttpAnswer,
  { url, endpoint }: { readonly url: URL; readonly endpoint: string },
): string | undefined {
  const { location = "" } = headers;
  if (status < 300 || status > 399 || location === "" || !URL.canParse(location, url.href)) return undefined;
  const { origin, pathname } = new URL(location, url.href);
  const base = `${origin}${pathname.replace(/\/+$/, "")}`;
  return base.endsWith(`/${endpoint}`) ? base.slice(0, -endpoint.length - 1) : base;
}

interface ServiceError {
  readonly message?: string;
  readonly facts: Facts;
}

/** The content of the error document, if any: the specification does not define it, so it may have any form. */
function serviceErrorOf({ headers, body }: HttpAnswer): ServiceError {
  try {
    const contentType = headers["content-type"] ?? "";
    const { error } = decodeDocument("error", body, { contentType }).value;
    const field = error.field === undefined ? {} : { field: error.field };
    const facts = { ...(error.code === "" ? {} : { serviceCode: error.code }), ...field };
    return { message: error.message, facts };
  } catch (problem) {
    const { html, format } = problem instanceof RecorderdError ? problem.facts : {};
    if (html === true) return { facts: { html } };
    return { facts: body.length > 0 && format === undefined ? { plain: true } : {} };
  }
}

/**
 * Removes the secrets that an echoing service repeats, before they reach our logs. Cutting comes last: half a secret
 * would not be found.
 */
function redacted(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
  ]);
  const hidden = forms.filter((form) => form !== "").sort((a, b) => b.length - a.length);
  const clean = hidden.reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
  return clean.slice(0, MODEL_LIMITS.messageLength);
}

const HTTP_DATE = /^[A-Za-z]{3,9},? \d{1,2}[ -][A-Za-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;

function parseHttpDate(text: string): EpochMs | undefined {
  const at = HTTP_DATE.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The service's clock, from the Date header; an answer from a cache on the way says nothing about the present time. */
export function serverTimeOf({ headers }: Pick<HttpAnswer, "headers">): EpochMs | undefined {
  if (Number(headers["age"] ?? 0) > 0) return undefined;
  return parseHttpDate(headers["date"] ?? "");
}

/** Retry-After in seconds, or as a date by the service's clock; at most an hour. @see RFC 9110 §10.2.3 */
function retryAfterMsOf(text: string | undefined, now: EpochMs): DurationMs | undefined {
  if (text === undefined) return undefined;
  const at = parseHttpDate(text);
  const ms = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) * SECOND : at === undefined ? undefined : at - now;
  return ms === undefined ? undefined : Math.min(Math.max(0, ms), MODEL_LIMITS.guideRetryAfterMsMax);
}
