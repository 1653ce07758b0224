import type { WireFormat } from "../../guide-wire/codec.ts";
import type { Document, DocumentKind } from "../../guide-wire/documents.ts";
import type { WebMethod, WebRequest } from "../../kit/http/web-server.ts";
import type { EpochMs } from "../../model/time.ts";
import type { GuideStore } from "../data/store.ts";
import type { Account, OwnedDevice, User } from "../data/tables.ts";
import type { SignIn } from "../domain/login.ts";
import type { Right } from "../domain/rights.ts";
import type { Refusal } from "../refusal.ts";

/** What a route has to work with. */
export interface Call {
  readonly store: GuideStore;
  readonly signIn: SignIn;
  readonly now: EpochMs;
  readonly request: WebRequest;
  /** That of the answer. */
  readonly format: WireFormat;
  /** As the client knows it; empty when it has not said. */
  readonly baseUrl: string;
}

/** A call on account data, by one of its users who may make it. */
export interface AccountCall extends Call {
  readonly account: Account;
  readonly user: User;
  /** The device that asks, where that is known: it has signed in with the token, or the query names it. Whoever may only read has none. */
  readonly device: OwnedDevice | undefined;
}

export interface Reply<A extends DocumentKind> {
  readonly kind: "reply";
  readonly document?: Document<A>;
  readonly headers?: Readonly<Record<string, string>>;
}

export function reply<A extends DocumentKind>(
  document?: Document<A>,
  headers?: Readonly<Record<string, string>>,
): Reply<A> {
  return {
    kind: "reply",
    ...(document === undefined ? {} : { document }),
    ...(headers === undefined ? {} : { headers }),
  };
}

type Status = "401" | "404" | "405" | "406" | "415" | "429" | "503";

/** One request of the interface: what it is, when which status comes, and what is done. */
export interface RouteFacts {
  readonly method: WebMethod;
  /** Parameters in braces, as the interface writes them: `/devices/{device_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly success: 200 | 201;
  /** Whether e-mail address and token are part of the request; `any-token`: the route looks at them itself. */
  readonly account: "none" | "signed-in" | "any-token";
  /** Query parameters besides those of all requests, and what they mean. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: DocumentKind;
  readonly answer?: DocumentKind;
  /** The condition of every status that this route may answer besides the success, in words. */
  readonly statuses: Readonly<Partial<Record<Status, string>>>;
  /** A body of another media type than JSON and XML is refused even where a body means nothing. */
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

/** Looking, or changing something: who may follows (domain/rights.ts). */
export function rightOf({ method }: Pick<RouteFacts, "method">): Exclude<Right, "govern"> {
  return method === "GET" ? "read" : "write";
}

/**
 * What the interface says to whoever may not: it has no status for that, and 401 makes boxes forget their token. So a DELETE is not
 * allowed, and a body not acceptable.
 */
export function forbiddenStatus({ method }: Pick<RouteFacts, "method">): 405 | 406 {
  return method === "DELETE" ? 405 : 406;
}

function forbiddenBy(facts: Pick<RouteFacts, "method" | "statuses">): RouteFacts["statuses"] {
  if (rightOf(facts) === "read") return {};
  const status = forbiddenStatus(facts);
  return { [status]: [facts.statuses[status], "Or: the user may only read."].join(" ").trim() };
}

/** A route for everybody: it cannot reach an account. */
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
