import { createRequire } from "node:module";
import type * as Undici from "undici";
import type { Dispatcher } from "undici";
import { SECOND } from "../../model/time.ts";
import { withoutCodings } from "./content-coding.ts";

// Loads only undici's agent and its request: the package entry adds fetch, WebSocket, caches and mocks, 7 MB of resident
// memory. These modules are internal, so package.json pins the exact version.
const partOf = createRequire(import.meta.url);
const Agent: typeof Undici.Agent = partOf("undici/lib/dispatcher/agent.js");
const ask: Dispatcher["request"] = partOf("undici/lib/api/api-request.js");

/** Sent with every request: some front ends reject requests without it. */
const USER_AGENT = { "user-agent": "recorderd" };

interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** A longer response body is not read to its end. */
  readonly bodyBytesMax: number;
}

interface HttpStreamRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  /** Whether to read the body of a 200 with these headers; names in lower case. Absent: always. */
  readonly isWanted?: (headers: HttpAnswer["headers"]) => boolean;
  readonly onData: (chunk: Uint8Array) => void;
}

export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  /** Names in lower case; the first value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The reason for a missing answer. `broken` and `too-large` occur after the answer has begun. */
export type HttpFailureCause =
  | "name-unresolved"
  | "unreachable"
  | "tls"
  | "timeout"
  | "broken"
  | "too-large"
  | "not-http";

interface HttpFailure {
  readonly kind: "failed";
  readonly cause: HttpFailureCause;
  /** The system's error code (`ECONNREFUSED`); never the address, which may hold secrets. */
  readonly code: string;
}

/** Keeps connections alive between requests, verifies certificates, follows no redirect, retries nothing. */
export interface HttpClient extends AsyncDisposable {
  /**
   * Sends one request and reads the whole answer, unpacked, whatever its status. The caller's signal sets the deadline.
   *
   * @throws the signal's reason when it is aborted first
   */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer | HttpFailure>;
  /**
   * Sends a GET and passes on the body of a 200 as it arrives, up to `bytesMax`. Other bodies are not read. Credentials in the
   * URL are ignored.
   *
   * @throws the signal's reason when it is aborted first
   */
  stream(request: HttpStreamRequest, signal: AbortSignal): Promise<HttpAnswer | HttpFailure>;
  /** Closes connections and aborts requests in progress. Closing twice is harmless. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Sends every request to this Unix socket, whatever host its URL names. */
  readonly socketPath?: string;
  /** Certificate authorities in PEM, trusted instead of the system's. */
  readonly authorities?: string;
}

export function createHttpClient({ socketPath, authorities }: HttpClientOptions = {}): HttpClient {
  const agent = new Agent({
    connections: 8,
    connect: {
      timeout: 10 * SECOND,
      ...(socketPath === undefined ? {} : { socketPath }),
      // Takes precedence over NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      ...(authorities === undefined ? {} : { ca: authorities }),
    },
    // A fallback; the callers' own deadlines are shorter.
    headersTimeout: 120 * SECOND,
    bodyTimeout: 120 * SECOND,
    keepAliveTimeout: 4 * SECOND,
  });
  const close = () => (agent.destroyed ? Promise.resolve() : agent.destroy());
  return {
    request: (request, signal) => send(agent, request, signal),
    stream: (request, signal) => receive(agent, request, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function send(
  agent: Undici.Agent,
  { method, url, headers, body, bodyBytesMax }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer | HttpFailure> {
  signal.throwIfAborted();
  let begun = false;
  try {
    const answer = await ask.call(agent, {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...USER_AGENT, ...headers },
      body: body ?? null,
      signal,
    });
    begun = true;
    const sent = await readBody(answer.body, bodyBytesMax, Number(answer.headers["content-length"] ?? 0));
    const codings = String(answer.headers["content-encoding"] ?? "");
    const read = sent === undefined ? undefined : await withoutCodings(sent, codings, bodyBytesMax);
    if (read === undefined) return { kind: "failed", cause: "too-large", code: "TOO_LARGE" };
    return { kind: "answer", status: answer.statusCode, headers: firstOf(answer.headers), body: read };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error, begun);
  }
}

async function receive(
  agent: Undici.Agent,
  { url, headers = {}, bytesMax, isWanted = () => true, onData }: HttpStreamRequest,
  signal: AbortSignal,
): Promise<HttpAnswer | HttpFailure> {
  signal.throwIfAborted();
  let begun = false;
  try {
    const { origin, pathname, search } = url;
    const answer = await ask.call(agent, {
      origin,
      path: `${pathname}${search}`,
      method: "GET",
      headers: { ...USER_AGENT, ...headers },
      signal,
    });
    begun = true;
    let bytes = 0;
    if (answer.statusCode === 200 && isWanted(firstOf(answer.headers))) {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        onData(chunk);
        if (bytes >= bytesMax) break;
      }
    }
    answer.body.on("error", () => {});
    answer.body.destroy();
    const { statusCode: status } = answer;
    return { kind: "answer", status, headers: firstOf(answer.headers), body: Buffer.alloc(0) };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error, begun);
  }
}

/** `undefined` if the body is too large; the connection is then closed, not drained. */
async function readBody(
  body: Dispatcher.ResponseData["body"],
  bytesMax: number,
  announced: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (announced <= bytesMax) {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) break;
      chunks.push(chunk);
    }
    if (bytes <= bytesMax) return Buffer.concat(chunks, bytes);
  }
  // Destroying an unfinished body raises an error on it that nothing else handles.
  body.on("error", () => {});
  body.destroy();
  return undefined;
}

function firstOf(headers: Dispatcher.ResponseData["headers"]): Readonly<Record<string, string>> {
  const firsts = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(firsts.filter(([, value]) => value !== undefined));
}

const CAUSES: readonly (readonly [RegExp, HttpFailureCause])[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, "name-unresolved"],
  [/TLS|SSL|CERT|^EPROTO$|^UNABLE_TO_|SIGNATURE|^CRL_/, "tls"],
  [/TIMEOUT|^ETIMEDOUT$/, "timeout"],
  [/^HPE_/, "not-http"],
];

function failureOf(error: unknown, begun: boolean): HttpFailure {
  const code = codeOf(error);
  const named = CAUSES.find(([pattern]) => pattern.test(code))?.[1];
  if (named !== undefined && !(begun && named === "not-http")) return { kind: "failed", cause: named, code };
  return { kind: "failed", cause: begun ? "broken" : "unreachable", code };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  if ("code" in error && typeof error.code === "string") return error.code;
  // The parser gives some errors no code.
  return error.name === "HTTPParserError" ? "HPE_INVALID" : "UNKNOWN";
}
