import type { HttpAnswer, HttpClient, HttpFailureCause } from "../kit/http/http.ts";
import { type Clock, withDeadline } from "../kit/time/clock.ts";
import { type ErrorCode, type Facts, RecorderdError } from "../model/errors.ts";
import { MODEL_LIMITS } from "../model/limits.ts";
import type { WorkRegister } from "../model/ports.ts";
import type { Decoded, Encoded, WireFormat } from "./codec.ts";
import type { DocumentKind } from "./documents.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import { refusalOf } from "./refusal.ts";
import { statusOfReportedError } from "./reported-error.ts";

export interface Credentials {
  readonly email: string;
  readonly token: string;
}

/** `decodeDocument` on another thread. */
export type DecodeOnThread = <K extends DocumentKind>(
  kind: K,
  body: Uint8Array,
  how: { readonly contentType: string; readonly signal: AbortSignal },
) => Promise<Decoded<K>>;

export interface GuideClientOptions {
  /** `https://host/path`, with or without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationVersion: string;
  readonly wire: WireFormat;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Called before each request on account data; `undefined` while nobody is signed in. */
  readonly credentials: () => Credentials | undefined;
  /** Decodes long answers for a caller whose loop must not block. Without it they are decoded in place. */
  readonly decodeOnThread?: DecodeOnThread;
  /** Registers each answer that is decoded in place; for work set aside, `decodeOnThread` is used. */
  readonly register?: WorkRegister;
}

/** One request of the API. */
export interface Order {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: readonly (string | number)[];
  /** Parameters beyond those of every request. */
  readonly query?: Readonly<Record<string, string>>;
  /** Concerns account data: sent with the credentials. */
  readonly account?: true;
  readonly body?: Encoded;
  /** The ETag of the answer that the client has: 304 is then a success. */
  readonly knownTag?: string | undefined;
  /** Values of the body that must not appear in an error. */
  readonly secrets?: readonly string[];
  /** The meaning of 401 here, if it does not concern the token. */
  readonly unauthorized?: string;
}

/**
 * Sends one request and returns the answer if its status is a success.
 *
 * @throws RecorderdError as described at GuideClient
 */
export async function exchange(
  options: GuideClientOptions,
  order: Order,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const facts = factsOf(order);
  const url = urlOf(options, order, credentialsOf(options, order));
  const { knownTag } = order;
  const outcome = await withDeadline(
    options.clock,
    {
      ms: MODEL_LIMITS.guideRequestMs,
      signal,
      timeoutError: () => requestFailure("timeout", { origin: url.origin, facts, code: "DEADLINE" }),
    },
    (deadline) =>
      options.http.request(
        {
          method: order.method ?? "GET",
          url,
          headers: {
            ...headersOf(options.wire, order.body),
            ...(knownTag === undefined ? {} : { "if-none-match": knownTag }),
          },
          ...(order.body === undefined ? {} : { body: order.body.body }),
          bodyBytesMax: GUIDE_WIRE_LIMITS.bodyBytes,
        },
        deadline,
      ),
  );
  if (outcome.kind === "failed") {
    throw requestFailure(outcome.cause, { origin: url.origin, facts, code: outcome.code });
  }
  if (outcome.status >= 200 && outcome.status < 300) {
    const reported = statusOfReportedError(outcome);
    if (reported === undefined) return outcome;
    throw refused(options, order, outcome, { url, reported });
  }
  if (outcome.status === 304 && knownTag !== undefined) return outcome;
  throw refused(options, order, outcome, { url });
}

/**
 * Opens a stream of server-sent events and passes on its bytes until it ends. The caller's signal sets all deadlines.
 *
 * @throws RecorderdError as `exchange`; GUIDE_ANSWER_UNEXPECTED for another kind of answer
 */
export async function exchangeEvents(
  options: GuideClientOptions,
  order: Order,
  { onData, signal }: { readonly onData: (chunk: Uint8Array) => void; readonly signal: AbortSignal },
): Promise<void> {
  const facts = factsOf(order);
  const url = urlOf(options, order, credentialsOf(options, order));
  const outcome = await options.http.stream(
    {
      url,
      headers: { accept: EVENT_STREAM, "accept-encoding": "identity" },
      bytesMax: GUIDE_WIRE_LIMITS.changesBytes,
      isWanted: isEventStream,
      onData,
    },
    signal,
  );
  if (outcome.kind === "failed") {
    throw requestFailure(outcome.cause, { origin: url.origin, facts, code: outcome.code });
  }
  if (outcome.status !== 200) throw refused(options, order, outcome, { url });
  if (isEventStream(outcome.headers)) return;
  throw new RecorderdError("GUIDE_ANSWER_UNEXPECTED", "The answer is not a stream of events", {
    ...facts,
    status: outcome.status,
  });
}

const EVENT_STREAM = "text/event-stream";

function isEventStream({ "content-type": type = "" }: HttpAnswer["headers"]): boolean {
  return type.split(";", 1)[0]?.trim().toLowerCase() === EVENT_STREAM;
}

function credentialsOf(options: GuideClientOptions, order: Order): Credentials | undefined {
  const account = order.account === true ? options.credentials() : undefined;
  if (order.account !== true || account !== undefined) return account;
  throw new RecorderdError(
    "GUIDE_SIGN_IN_NEEDED",
    "Nobody is signed in: run `recorderd login`, or sign in on the dashboard",
    factsOf(order),
  );
}

function refused(
  options: GuideClientOptions,
  order: Order,
  answer: HttpAnswer,
  place: { readonly url: URL; readonly reported?: number },
): RecorderdError {
  const secrets = [options.apiKey, options.credentials()?.token ?? "", ...(order.secrets ?? [])];
  const { unauthorized } = order;
  const facts = factsOf(order);
  return refusalOf(answer, { ...place, facts, secrets, now: options.clock.now(), unauthorized });
}

/** The facts of an error: the path as on the wire, never the query, which contains the secrets. */
export function factsOf({ method = "GET", path }: Order): Facts {
  return { method, endpoint: path.map((part) => encodeURIComponent(part)).join("/") };
}

function urlOf(options: GuideClientOptions, order: Order, account: Credentials | undefined): URL {
  // A URL resolves these segments in any spelling, and the request would reach another endpoint.
  if (order.path.some((part) => ["", ".", ".."].includes(String(part)))) {
    throw new RecorderdError("GUIDE_NOT_FOUND", "No record can have this id", factsOf(order));
  }
  const endpoint = String(factsOf(order)["endpoint"]);
  const url = new URL(`${options.baseUrl.replace(/\/+$/, "")}/${endpoint}`);
  for (const [name, value] of Object.entries(order.query ?? {})) url.searchParams.set(name, value);
  url.searchParams.set("api_key", options.apiKey);
  url.searchParams.set("application_version", options.applicationVersion);
  if (account !== undefined) {
    url.searchParams.set("email_address", account.email);
    url.searchParams.set("token", account.token);
  }
  return url;
}

const MEDIA_TYPES: Readonly<Record<WireFormat, string>> = {
  json: "application/json",
  xml: "application/xml",
};

function headersOf(wire: WireFormat, body: Encoded | undefined): Readonly<Record<string, string>> {
  const always = { accept: MEDIA_TYPES[wire], "accept-encoding": "identity" };
  return body === undefined ? always : { ...always, "content-type": body.contentType };
}

/** Each cause has its own code and message. */
const FAILURES: Readonly<Record<HttpFailureCause, { readonly code: ErrorCode; readonly text: string }>> = {
  "name-unresolved": {
    code: "GUIDE_NAME_UNRESOLVED",
    text: "the name of the host cannot be resolved; check the address and the name server",
  },
  unreachable: {
    code: "GUIDE_UNREACHABLE",
    text: "no connection; check the address, the port and the network",
  },
  tls: {
    code: "GUIDE_TLS_FAILED",
    text: "no trusted encrypted connection; check the certificate of the service, the address and the clock",
  },
  timeout: {
    code: "GUIDE_TIMEOUT",
    text: `no complete answer in time (at most ${MODEL_LIMITS.guideRequestMs / 1000} s); try again later`,
  },
  broken: {
    code: "GUIDE_DOCUMENT_TORN",
    text: "the connection broke before the answer was complete",
  },
  "too-large": {
    code: "GUIDE_BODY_TOO_LARGE",
    text: `the answer is larger than ${GUIDE_WIRE_LIMITS.bodyBytes} bytes`,
  },
  "not-http": {
    code: "GUIDE_ANSWER_UNEXPECTED",
    text: "the answer is not HTTP; check the address and the port",
  },
};

interface FailedRequest {
  readonly origin: string;
  readonly facts: Facts;
  /** The system's error code. */
  readonly code: string;
}

function requestFailure(cause: HttpFailureCause, { origin, facts, code }: FailedRequest): RecorderdError {
  const { code: ours, text } = FAILURES[cause];
  return new RecorderdError(ours, `The guide service at ${origin}: ${text}`, { ...facts, cause: code });
}
