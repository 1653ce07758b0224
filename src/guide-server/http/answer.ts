import { createHash, timingSafeEqual } from "node:crypto";
import { decodeDocument, encodeDocument, encodeInTurns, formatOfType } from "../../guide-wire/codec.ts";
import type { DocumentKind } from "../../guide-wire/documents.ts";
import { householdOf } from "../../kit/http/client-address.ts";
import type { WebAnswer, WebRefusal, WebRequest, WebRoute } from "../../kit/http/web-server.ts";
import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { WEB_LIMITS } from "../../web/limits.ts";
import type { GuideStore } from "../data/store.ts";
import type { OwnedDevice } from "../data/tables.ts";
import { authenticate, prolongedToken, type Session } from "../domain/accounts.ts";
import { deviceOfRequest, recordContact } from "../domain/device-contact.ts";
import type { SignIn } from "../domain/login.ts";
import { isAllowed } from "../domain/rights.ts";
import { SERVER_LIMITS } from "../limits.ts";
import type { ListChanges } from "../list-changes.ts";
import {
  isRefusal,
  notAcceptable,
  REFUSAL_CODES,
  type Refusal,
  tooManyRequests,
  unavailable,
} from "../refusal.ts";
import { settleAccount } from "../settle.ts";
import { answerFormat } from "./format.ts";
import type { RequestLimits } from "./request-limits.ts";
import {
  type AccountCall,
  type Call,
  forbiddenStatus,
  type GuideRoute,
  type Reply,
  rightOf,
} from "./route.ts";
import { GUIDE_ROUTES } from "./routes.ts";

/** The store and sign-in for routes once the data is loaded; before and after, the refusal for every request. */
export type Service =
  | {
      readonly kind: "open";
      readonly store: GuideStore;
      readonly signIn: SignIn;
      readonly changes: ListChanges;
    }
  | Refusal;

export const LOADING = unavailable(
  "The guide server is loading its data: try again soon.",
  SERVER_LIMITS.retryAfterMs,
);
export const CLOSING = unavailable("The guide server is shutting down.", SERVER_LIMITS.retryAfterMs);
export const BROKEN = unavailable(
  "The guide server cannot write its data.",
  SERVER_LIMITS.retryAfterFailureMs,
);

export interface AnswerOptions {
  readonly service: () => Service;
  /** Called when data could not be written: the server must restart before its data can be trusted. */
  readonly onStoreFailure: (error: RecorderdError) => void;
  readonly apiKey: string | undefined;
  /** The server's address for clients, if it differs from the Host header: behind a proxy. */
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
  readonly limits: RequestLimits;
}

/** Adapts a route of the API to the web server. */
export function webRoute(route: GuideRoute, options: AnswerOptions): WebRoute {
  return {
    method: route.method,
    path: route.path.replace(/\{(\w+)\}/g, ":$1"),
    ...(route.account === "signed-in" ? {} : { bodyBytesMax: WEB_LIMITS.openBodyBytes }),
    // Nobody else can take the places of a token, which is known to its owner alone.
    ...(route.isLong === true ? { longFor: async ({ query }) => query.get("token") ?? "" } : {}),
    handle: async (request) => {
      const outcome = await withStore(route, request, options);
      return isRefusal(outcome) ? refusalAnswer(request, outcome) : replyAnswer(route, request, outcome);
    },
  };
}

async function withStore(
  route: GuideRoute,
  request: WebRequest,
  options: AnswerOptions,
): Promise<Reply<DocumentKind> | Refusal> {
  try {
    return await outcomeOf(route, request, options);
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    if (error.code === "GUIDE_UNAVAILABLE") return unavailable(error.message, SERVER_LIMITS.retryAfterMs);
    if (error.code !== "STORE_WRITE_FAILED") throw error;
    options.onStoreFailure(error);
    return BROKEN;
  }
}

/** Checks the credentials before the body, and the body before the content. */
async function outcomeOf(
  route: GuideRoute,
  request: WebRequest,
  { service, apiKey, publicUrl, clock, limits }: AnswerOptions,
): Promise<Reply<DocumentKind> | Refusal> {
  const current = service();
  if (current.kind !== "open") return current;
  if (apiKey !== undefined && !sameSecret(request.query.get("api_key") ?? "", apiKey)) return FOREIGN;
  const now = clock.now();
  const session = route.account === "signed-in" ? await sessionOf(current.store, request, now) : undefined;
  // Invalid tokens count by address: they could be guesses.
  const tooMany =
    session === undefined || isRefusal(session)
      ? limits.refuse("open", householdOf(request.address), clock.monotonicMs())
      : limits.refuse(rightOf(route), session.token.id, clock.monotonicMs());
  if (tooMany !== undefined) return tooMany;
  if (isRefusal(session)) return session;
  if (session !== undefined && !isAllowed(session.user.rights, rightOf(route))) return forbidden(route);
  const body = bodyOf(route, request);
  if (isRefusal(body)) return body;
  const { store } = current;
  const device = session === undefined ? undefined : deviceOf(session, request);
  if (session !== undefined) {
    await store.commit(session.account.id, (tables) => ({
      changes: [...recordContact(tables, device, now), ...prolongedToken(tables, session.token, now)],
      value: undefined,
    }));
  }
  const call: Call & Partial<AccountCall> = {
    store,
    ...accessOf(store, session),
    signIn: current.signIn,
    changes: current.changes,
    now,
    request,
    format: answerFormat(request).format,
    baseUrl: publicUrl ?? (request.headers.host === undefined ? "" : `http://${request.headers.host}`),
    ...(session === undefined ? {} : { session, account: session.account, user: session.user, device }),
  };
  if (session !== undefined) await settleAccount(store, { ...session, now });
  return await route.handle(call as Parameters<GuideRoute["handle"]>[0], body.value);
}

const FOREIGN: Refusal = {
  kind: "refusal",
  status: 403,
  message: "The query parameter api_key is missing, or does not belong to this server.",
  field: "api_key",
};

/** Compares in constant time. */
export function sameSecret(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function accessOf(store: GuideStore, session: Session | undefined): Pick<Call, "tables" | "commit"> {
  if (session === undefined)
    return { tables: store.catalogue, commit: (decide) => store.commitShared(decide) };
  const { account, tables } = session;
  return { tables, commit: (decide) => store.commit(account.id, decide) };
}

function sessionOf(store: GuideStore, { query }: WebRequest, now: number): Promise<Session | Refusal> {
  return authenticate(store, { email: query.get("email_address"), token: query.get("token") }, now);
}

/** A read-only user cannot be a recorder, so its reads do not count as a recorder's. */
function deviceOf({ account, user, token, tables }: Session, { query }: WebRequest): OwnedDevice | undefined {
  return isAllowed(user.rights, "write")
    ? deviceOfRequest(tables, account, { token, named: query.get("device_id") })
    : undefined;
}

function forbidden(route: GuideRoute): Refusal {
  const status = forbiddenStatus(route);
  const isRead = GUIDE_ROUTES.some(({ method, path }) => method === "GET" && path === route.path);
  return {
    kind: "refusal",
    status,
    message: "This user may only read: ask an owner of the household.",
    ...(status === 405 ? { headers: { Allow: isRead ? "GET, HEAD" : "" } } : {}),
  };
}

function bodyOf(
  { body: kind, checksMediaType }: GuideRoute,
  { body, headers }: WebRequest,
): { readonly value: unknown } | Refusal {
  const contentType = headers["content-type"];
  const hasBody = body.length > 0 || Number(headers["content-length"] ?? 0) > 0;
  const looksAtType = kind !== undefined || (checksMediaType === true && hasBody);
  if (looksAtType && contentType !== undefined && formatOfType(contentType) === undefined) return WRONG_TYPE;
  if (looksAtType && !/^(identity)?$/i.test(headers["content-encoding"] ?? "")) return PACKED;
  if (kind === undefined) return { value: undefined };
  try {
    const { value, malformed } = decodeDocument(kind, body, contentType === undefined ? {} : { contentType });
    const [first] = malformed;
    if (first === undefined) return { value };
    const { collection, place, id, field, reason } = first;
    const where = `${collection}, ${place}${id === undefined ? "" : `, id ${id}`}`;
    return notAcceptable(field, `An entry of the body (${where}) cannot be used: ${reason}.`);
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const field = error.facts["field"];
    return notAcceptable(typeof field === "string" ? field : undefined, `${error.message}.`);
  }
}

const WRONG_TYPE: Refusal = {
  kind: "refusal",
  status: 415,
  message: "The header Content-Type must be application/json or application/xml, as the body is.",
  headers: { Accept: "application/json, application/xml" },
};

/** RFC 9110 §15.5.16. */
const PACKED: Refusal = {
  kind: "refusal",
  status: 415,
  message: "The body must not be compressed.",
  headers: { "Accept-Encoding": "identity" },
};

async function replyAnswer(
  { success, answer: kind }: GuideRoute,
  request: WebRequest,
  { document, events, isUnchanged, headers = {} }: Reply<DocumentKind>,
): Promise<WebAnswer> {
  if (events !== undefined) return { status: success, headers: EVENT_STREAM, body: events };
  const common = { ...headers, Vary: "Accept, Accept-Charset, Content-Type", "Cache-Control": "no-store" };
  if (isUnchanged === true) return { status: 304, headers: common };
  if (kind === undefined || document === undefined) return { status: success, headers: common };
  const { body, contentType } = await encodeInTurns(kind, document, answerFormat(request));
  return { status: success, headers: { ...common, "Content-Type": contentType }, body };
}

const EVENT_STREAM = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store, no-transform",
  // Some proxies would buffer the events.
  "X-Accel-Buffering": "no",
};

export function refusalAnswer(request: WebRequest, refusal: Refusal): WebAnswer {
  const { status, message, field, headers = {} } = refusal;
  const error = { status, code: REFUSAL_CODES[status], message, ...(field === undefined ? {} : { field }) };
  const { body, contentType } = encodeDocument("error", { error }, answerFormat(request));
  return { status, headers: { ...headers, "Content-Type": contentType, "Cache-Control": "no-store" }, body };
}

/** Converts a refusal by the web server itself. */
export function transportRefusal({ address }: WebRequest, refusal: WebRefusal, log: Log): Refusal {
  switch (refusal.kind) {
    case "no-route":
      return {
        kind: "refusal",
        status: 404,
        message: "There is nothing at this address: see /openapi.json.",
      };
    case "method":
      return {
        kind: "refusal",
        status: 405,
        message: `This resource supports ${refusal.allow}.`,
        headers: { Allow: refusal.allow },
      };
    case "too-large":
      return {
        kind: "refusal",
        status: 413,
        message: `A body can have at most ${refusal.bytesMax} bytes here.`,
      };
    case "too-many":
      return tooManyRequests(SECOND);
    case "malformed":
      return notAcceptable(undefined, refusal.reason);
    case "unreadable":
      return { kind: "refusal", status: refusal.status, message: refusal.reason };
    case "failed":
      log.error("a request failed", { address, error: String(refusal.error) });
      return { kind: "refusal", status: 500, message: "The guide server failed on this request." };
  }
}
