import type { z } from "zod";
import type { HttpAnswer, HttpClient, HttpFailureCause } from "../kit/http/http.ts";
import { type Clock, withDeadline } from "../kit/time/clock.ts";
import { type ErrorCode, type Facts, RecorderdError } from "../model/errors.ts";
import { basicAuthorization, type SiteCredentials, secretsOf } from "./credentials.ts";
import { SITE_LIMITS } from "./limits.ts";
import { redirectText, refusalOf } from "./refusal.ts";

export interface SiteOptions {
  /**
   * `https://host/path`, with or without a slash at its end; the API is at `/wp-json/` below it, or at the site's
   * announced place.
   */
  readonly siteUrl: string;
  readonly credentials?: SiteCredentials;
  readonly http: HttpClient;
  readonly clock: Clock;
}

export interface SiteOrder {
  readonly method?: "GET" | "POST" | "DELETE";
  /** The path within the API. */
  readonly path: readonly string[];
  readonly query?: Readonly<
    Record<string, string | number | boolean | readonly (string | number)[] | undefined>
  >;
  readonly body?: unknown;
}

export interface SiteAnswer<T> {
  readonly value: T;
  readonly headers: HttpAnswer["headers"];
}

/** The facts of a site before its first request. */
export interface Site {
  /** The home page. */
  readonly home: URL;
  /** The root of the API, discovered once if it is not at /wp-json/. */
  root: URL;
  isRootKnown: boolean;
  readonly authorization?: string;
  readonly secrets: readonly string[];
}

/**
 * @throws RecorderdError SITE_PARAMETER_INVALID for an address that cannot be a site's
 * @throws RecorderdError SITE_CREDENTIALS_INVALID for credentials without encryption
 */
export function siteOf({ siteUrl, credentials }: SiteOptions): Site {
  const url = URL.canParse(siteUrl) ? new URL(siteUrl) : undefined;
  const plain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !plain || !/^https?:$/.test(url.protocol)) {
    // The address is not quoted: it may contain a password.
    throw new RecorderdError(
      "SITE_PARAMETER_INVALID",
      "The address of the content site must be like https://www.example.org, without user, password and query",
      { parameter: "site" },
    );
  }
  const home = new URL(`${url.origin}${url.pathname.replace(/\/+$/, "")}/`);
  const place = { home, root: new URL("wp-json/", home), isRootKnown: false };
  if (credentials === undefined) return { ...place, secrets: [] };
  return { ...place, authorization: basicAuthorization(credentials, url), secrets: secretsOf(credentials) };
}

/**
 * Sends one request and returns its answer if the site grants it and it fits `schema`.
 *
 * @throws RecorderdError as described at SiteClient
 */
export async function exchange<S extends z.ZodType>(
  way: SiteConnection,
  { order, schema }: { readonly order: SiteOrder; readonly schema: S },
  signal: AbortSignal,
): Promise<SiteAnswer<z.output<S>>> {
  const { site } = way;
  let answer = await answerTo(way, order, signal);
  if (!site.isRootKnown && isNotTheApi(answer)) {
    const before = site.root.href;
    await findRoot(way, answer, signal);
    if (site.root.href !== before) answer = await answerTo(way, order, signal);
  }
  const { outcome, parsed, url, facts } = answer;
  if (outcome.status < 200 || outcome.status > 299) {
    throw refusalOf({ answer: outcome, parsed, facts, site: url, secrets: site.secrets });
  }
  site.isRootKnown = true;
  const read = schema.safeParse(parsed);
  if (read.success) return { value: read.data, headers: outcome.headers };
  throw invalid(parsed, { facts, origin: url.origin, field: read.error.issues[0]?.path.join(".") });
}

interface SiteConnection {
  readonly site: Site;
  readonly http: HttpClient;
  readonly clock: Clock;
}

interface SiteReply {
  readonly outcome: HttpAnswer;
  /** The body as JSON; `undefined` if it is none. */
  readonly parsed: unknown;
  readonly url: URL;
  readonly facts: Facts;
}

/** @throws RecorderdError SITE_UNREACHABLE, or SITE_ANSWER_INVALID without a valid answer */
async function answerTo(way: SiteConnection, order: SiteOrder, signal: AbortSignal): Promise<SiteReply> {
  const { site } = way;
  const url = urlOf(site, order);
  const method = order.method ?? "GET";
  const facts: Facts = { method, endpoint: order.path.join("/") };
  const body = order.body === undefined ? {} : { body: Buffer.from(JSON.stringify(order.body)) };
  const request = {
    method,
    url,
    headers: headersOf(site, order),
    ...body,
    bodyBytesMax: SITE_LIMITS.bodyBytes,
  };
  const outcome = await fetched(way, { request, facts }, signal);
  if (outcome.kind === "failed")
    throw requestFailure(outcome.cause, { origin: url.origin, facts, code: outcome.code });
  return { outcome, parsed: parsedJson(outcome.body), url, facts: { ...facts, status: outcome.status } };
}

function fetched(
  { http, clock }: SiteConnection,
  { request, facts }: { readonly request: Parameters<HttpClient["request"]>[0]; readonly facts: Facts },
  signal: AbortSignal,
): ReturnType<HttpClient["request"]> {
  const timeoutError = () =>
    requestFailure("timeout", { origin: request.url.origin, facts, code: "DEADLINE" });
  return withDeadline(clock, { ms: SITE_LIMITS.requestMs, signal, timeoutError }, (deadline) =>
    http.request(request, deadline),
  );
}

/** Whether the answer shows that the API is elsewhere: a page for people, not found, or a redirection. */
function isNotTheApi({ outcome: { status }, parsed }: SiteReply): boolean {
  return parsed === undefined && [200, 301, 302, 307, 308, 404, 405].includes(status);
}

/**
 * Finds the announced root of the API, in a header of this answer or of the home page. Sites without rewritten
 * addresses have it at `/index.php?rest_route=/`.
 *
 * @throws RecorderdError SITE_REFUSED if it is on another site, which the credentials are not for
 */
async function findRoot(way: SiteConnection, { outcome }: SiteReply, signal: AbortSignal): Promise<void> {
  const { site } = way;
  site.isRootKnown = true;
  const said = apiLinkOf(outcome) ?? apiLinkOf(await firstPage(way, signal));
  if (said === undefined || !URL.canParse(said, site.home.href)) return;
  const root = new URL(said, site.home);
  if (root.origin === site.home.origin) site.root = root;
  else
    throw new RecorderdError(
      "SITE_REFUSED",
      `The content site ${site.home.origin} says that ${redirectText(said, site.home)}`,
    );
}

async function firstPage(way: SiteConnection, signal: AbortSignal): Promise<HttpAnswer | undefined> {
  const url = way.site.home;
  const request = { method: "GET", url, headers: {}, bodyBytesMax: SITE_LIMITS.bodyBytes } as const;
  const outcome = await fetched(way, { request, facts: {} }, signal);
  return outcome.kind === "answer" ? outcome : undefined;
}

/** RFC 8288, with the API's own link relation. */
function apiLinkOf(answer: HttpAnswer | undefined): string | undefined {
  return /<([^<>]*)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/i.exec(answer?.headers["link"] ?? "")?.[1];
}

/** The query parameter for the route if addresses are not rewritten. */
const ROUTE = "rest_route";

function urlOf({ root }: Site, { path, query = {} }: SiteOrder): URL {
  const place = path.map((part) => encodeURIComponent(part)).join("/");
  const url = new URL(root);
  const route = root.searchParams.get(ROUTE);
  if (route === null) url.pathname = `${root.pathname.replace(/\/+$/, "")}/${place}`;
  else url.searchParams.set(ROUTE, `${route.replace(/\/+$/, "")}/${place}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function headersOf({ authorization }: Site, { body }: SiteOrder): Readonly<Record<string, string>> {
  return {
    accept: "application/json",
    "accept-encoding": "identity",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

/** `undefined` for invalid JSON, or for JSON nested too deeply. */
function parsedJson(body: Buffer): unknown {
  try {
    const text = body.toString("utf8").replace(/^\ufeff/, "");
    const value: unknown = JSON.parse(text, (key, each) => (key === "__proto__" ? undefined : each));
    return isNestedDeeper(value, SITE_LIMITS.depth) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isNestedDeeper(each, levels - 1));
}

function invalid(
  parsed: unknown,
  {
    facts,
    origin,
    field = "",
  }: { readonly facts: Facts; readonly origin: string; readonly field?: string | undefined },
): RecorderdError {
  const text =
    parsed === undefined
      ? "is not valid JSON: check the address of the site, and whether its API is enabled"
      : `does not match its index${field === "" ? "" : ` (at ${field.slice(0, 100)})`}`;
  return new RecorderdError("SITE_ANSWER_INVALID", `The answer of the content site ${origin} ${text}`, facts);
}

const FAILURES: Readonly<Record<HttpFailureCause, { readonly code: ErrorCode; readonly text: string }>> = {
  "name-unresolved": {
    code: "SITE_UNREACHABLE",
    text: "the name of the host cannot be resolved; check the address and the name server",
  },
  unreachable: {
    code: "SITE_UNREACHABLE",
    text: "no connection; check the address, the port and the network",
  },
  tls: {
    code: "SITE_UNREACHABLE",
    text: "no trusted encrypted connection; check the address, the certificate of the site and the clock",
  },
  timeout: {
    code: "SITE_UNREACHABLE",
    text: `no complete answer in time (at most ${SITE_LIMITS.requestMs / 1000} s); try again later`,
  },
  broken: { code: "SITE_ANSWER_INVALID", text: "the connection broke before the answer was complete" },
  "too-large": {
    code: "SITE_ANSWER_INVALID",
    text: `the answer is larger than ${SITE_LIMITS.bodyBytes} bytes; ask for fewer entries per page`,
  },
  "not-http": {
    code: "SITE_ANSWER_INVALID",
    text: "the answer is not HTTP; check the address and the port",
  },
};

function requestFailure(
  cause: HttpFailureCause,
  { origin, facts, code }: { readonly origin: string; readonly facts: Facts; readonly code: string },
): RecorderdError {
  const { code: ours, text } = FAILURES[cause];
  return new RecorderdError(ours, `The content site ${origin}: ${text}`, { ...facts, cause: code });
}
