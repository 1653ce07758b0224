import { authorizationFor, type Credentials, credentialsIn } from "../../../kit/http/http-auth.ts";
import { mayRedirect } from "../../../kit/net/redirect-scope.ts";
import type { Complaint } from "../log-text.ts";
import type { Head } from "./http-head.ts";
import { HOST_LIMITS } from "./limits.ts";

const COMPLAINTS: Readonly<Record<number, Complaint>> = {
  401: "TUNER_CREDENTIALS_WRONG",
  403: "TUNER_FORBIDDEN",
  404: "TUNER_SERVICE_UNKNOWN",
  410: "TUNER_SERVICE_UNKNOWN",
  // Providers limit the streams of a customer.
  429: "TUNER_IN_USE",
  503: "TUNER_IN_USE",
};
/** The server is there, and other streams of it may be fine. */
const OTHER_COMPLAINT: Complaint = "STREAM_NO_DATA";

export interface SourceRequest {
  readonly url: URL;
  readonly credentials?: Credentials;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization?: string;
  readonly redirects: number;
}

/** The consequence of an answer: the body follows, another request is due, or the source has failed. */
export type Consequence =
  | { readonly kind: "body"; readonly isChunked: boolean; readonly length?: number }
  | { readonly kind: "again"; readonly request: SourceRequest }
  | { readonly kind: "failed"; readonly what: string; readonly complaint: Complaint };

export function firstRequest(address: string, headers: Readonly<Record<string, string>>): SourceRequest {
  const url = new URL(address);
  const credentials = credentialsIn(url);
  return { url, headers, redirects: 0, ...(credentials && { credentials }) };
}

/** Follows redirects, and signs in once. */
export function consequenceOf({ status, fields }: Head, request: SourceRequest): Consequence {
  const location = fields.get("location")?.[0];
  if (status >= 300 && status < 400 && location !== undefined) return redirected(location, request);
  if (status === 401 && request.authorization === undefined) {
    const authorization = answerTo(fields.get("www-authenticate") ?? [], request);
    if (authorization !== undefined) return { kind: "again", request: { ...request, authorization } };
  }
  if (status < 200 || status >= 300) {
    const complaint = COMPLAINTS[status] ?? OTHER_COMPLAINT;
    return { kind: "failed", what: `answered ${status}`, complaint };
  }
  const coding = fields.get("transfer-encoding")?.join(",").toLowerCase() ?? "";
  const length = fields.get("content-length")?.[0];
  const isCounted = length !== undefined && /^\d{1,15}$/.test(length);
  return {
    kind: "body",
    isChunked: coding.includes("chunked"),
    ...(isCounted ? { length: Number(length) } : {}),
  };
}

function redirected(location: string, { url: from, ...request }: SourceRequest): Consequence {
  const failed = (what: string) => ({ kind: "failed", what, complaint: "TUNER_UNREACHABLE" }) as const;
  if (request.redirects === HOST_LIMITS.redirects || !URL.canParse(location, from.href)) {
    return failed("redirected too often");
  }
  const url = new URL(location, from);
  if (!/^https?:$/.test(url.protocol)) return failed("redirected to an address that is not HTTP");
  if (!mayRedirect(from, url)) return failed("redirected to an address of this machine or its network");
  const isSame = url.origin === from.origin;
  const credentials = credentialsIn(url) ?? (isSame ? request.credentials : undefined);
  return {
    kind: "again",
    request: {
      url,
      headers: isSame ? request.headers : carried(request.headers),
      redirects: request.redirects + 1,
      ...(credentials && { credentials }),
    },
  };
}

/** Another server gets only what tells which program asks, and from where: the rest may be secret. */
const CARRIED = ["user-agent", "referer", "origin"];

function carried(headers: SourceRequest["headers"]): SourceRequest["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => CARRIED.includes(name.toLowerCase())));
}

function answerTo(challenges: readonly string[], { credentials, url }: SourceRequest): string | undefined {
  if (credentials === undefined) return undefined;
  const asked = { challenge: challenges.join(", "), method: "GET", uri: `${url.pathname}${url.search}` };
  return authorizationFor(asked, credentials);
}

export function requestText({ url, headers, authorization }: SourceRequest): string {
  const fields = {
    Host: url.host,
    "User-Agent": "recorderd",
    Accept: "*/*",
    Connection: "close",
    ...headers,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${value.replace(/[\r\n]/g, " ")}\r\n`,
  );
  return `GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
