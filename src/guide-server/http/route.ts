import type { Readable } from "node:stream";
import type { WireFormat } from "../../guide-wire/codec.ts";
import type { Document, DocumentKind } from "../../guide-wire/documents.ts";
import type { WebMethod, WebRequest } from "../../kit/http/web-server.ts";
import type { EpochMs } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Decision } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import type { Account, GuideTables, OwnedDevice, User } from "../data/tables.ts";
import type { Session } from "../domain/accounts.ts";
import type { SignIn } from "../domain/login.ts";
import type { Right } from "../domain/rights.ts";
import type { ListChanges } from "../list-changes.ts";
import type { Refusal } from "../refusal.ts";

/** The input of a route. */
export interface Call {
  readonly store: GuideStore;
  /** The account's records and the catalogue; the catalogue alone without an account. */
  readonly tables: GuideTables;
  /** Carries out a decision on them. @throws RecorderdError STORE_WRITE_FAILED */
  readonly commit: <T>(decide: (tables: GuideTables) => Decision<T>) => Promise<T | Refusal>;
  readonly signIn: SignIn;
  readonly changes: ListChanges;
  readonly now: EpochMs;
  readonly request: WebRequest;
  /** The format of the answer. */
  readonly format: WireFormat;
  /** The server's address as the client sees it; empty if unknown. */
  readonly baseUrl: string;
}

/** A call on account data by a user with the necessary right. */
export interface AccountCall extends Call {
  readonly account: Account;
  readonly user: User;
  readonly session: Session;
  /** The requesting device, if known: its token's device, or the one named in the query. A read-only user has none. */
  readonly device: OwnedDevice | undefined;
}

export interface Reply<A extends DocumentKind> {
  readonly kind: "reply";
  readonly document?: Document<A>;
  /** Server-sent events, instead of a document. */
  readonly events?: Readable;
  /** The client has the current list already: the answer is 304. */
  readonly isUnchanged?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

export function reply<A extends DocumentKind>(
  document?: Document<A>,
  headers?: Readonly<Record<string, string>>,
): Reply<A> {
  return {
    kind: "reply",
    ...withoutUndefined({ document, headers }),
  };
}

/** The client has the list already. */
export function unchanged(tag: string): Reply<never> {
  return { kind: "reply", isUnchanged: true, headers: { ETag: tag } };
}

type Status = "401" | "404" | "405" | "406" | "415" | "429" | "503";

/** The description of one request of the API, with the conditions of its statuses. */
export interface RouteFacts {
  readonly method: WebMethod;
  /** Parameters in braces, as in the specification: `/devices/{device_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly success: 200 | 201;
  /** Whether the request carries e-mail address and token; `any-token`: the route checks them itself. */
  readonly account: "none" | "signed-in" | "any-token";
  /** Further query parameters with their meanings. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: DocumentKind;
  readonly answer?: DocumentKind;
  /** The answer is a stream of server-sent events; the text is their meaning. */
  readonly events?: string;
  /** The answer has an ETag: a request with If-None-Match gets 304 while the list is the same. */
  readonly isConditional?: true;
  /** The whole list may have tens of thousands of records: few are made at once for one session. */
  readonly isLong?: true;
  /** The condition of each status besides the success, in words. */
  readonly statuses: Readonly<Partial<Record<Status, string>>>;
  /** A body that is neither JSON nor XML is refused even if the body is not used. */
  readonly checksMediaType?: true;
}

export interface GuideRoute extends RouteFacts {
  readonly handle: (call: AccountCall, body: unknown) => Promise<Reply<DocumentKind> | Refusal>;
}

/** A route on account data. */
export function accountRoute<B extends DocumentKind, A extends DocumentKind>(
  facts: Omit<RouteFacts, "account" | "body" | "answer"> & { readonly body?: B; readonly answer?: A },
  handle: (call: AccountCall, body: Document<B>) => Promise<Reply<A> | Refusal>,
): GuideRoute {
  return {
    ...facts,
    account: "signed-in",
    statuses: { ...facts.statuses, ...forbiddenBy(facts) },
    handle: (call, body) => handle(call, body as Document<B>),
  };
}

/** The right that the method needs; the roles follow in domain/rights.ts. */
export function rightOf({ method }: Pick<RouteFacts, "method">): Exclude<Right, "govern"> {
  return method === "GET" ? "read" : "write";
}

/**
 * The status for a missing right: the specification has none, and 401 makes boxes drop their token. So a DELETE is
 * not allowed, and a body not acceptable.
 */
export function forbiddenStatus({ method }: Pick<RouteFacts, "method">): 405 | 406 {
  return method === "DELETE" ? 405 : 406;
}

function forbiddenBy(facts: Pick<RouteFacts, "method" | "statuses">): RouteFacts["statuses"] {
  if (rightOf(facts) === "read") return {};
  const status = forbiddenStatus(facts);
  return { [status]: [facts.statuses[status], "Or: the user may only read."].join(" ").trim() };
}

/** A route without credentials: it cannot reach an account. */
export function openRoute<B extends DocumentKind, A extends DocumentKind>(
  facts: Omit<RouteFacts, "account" | "body" | "answer"> & { readonly body?: B; readonly answer?: A },
  handle: (call: Call, body: Document<B>) => Promise<Reply<A> | Refusal>,
): GuideRoute {
  return {
    ...facts,
    account: "none",
    handle: (call, body) => handle(call, body as Document<B>),
  };
}
