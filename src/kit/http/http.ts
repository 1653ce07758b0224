import { createRequire } from "node:module";
import type * as Undici from "undici";
import type { Dispatcher } from "undici";
import { SECOND } from "../../model/time.ts";

// Of undici the agent and its requests alone: its entry brings fetch, WebSocket, caches and mocks with it, 7 MB of a process that stays.
// They are no part of what it promises, so package.json names its version exactly.
const partOf = createRequire(import.meta.url);
const Agent: typeof Undici.Agent = partOf("undici/lib/dispatcher/agent.js");
const ask: Dispatcher["request"] = partOf("undici/lib/api/api-request.js");

/** Goes with every request: some front ends refuse requests without it. */
const USER_AGENT = { "user-agent": "recorderd" };

interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** A longer body of the answer is not read to its end. */
  readonly bodyBytesMax: number;
}

interface HttpStreamRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  readonly onData: (chunk: Uint8Array) => void;
}

export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  /** Names in lower case; of a header sent several times, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why there is no answer. `broken` and `too-large` happen after its beginning has arrived. */
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
  /** The system's word for it (`ECONNREFUSED`); never the address, which may hold secrets. */
  readonly code: string;
}

/** Keeps connections alive between requests, verifies certificates, follows no redirect, retries nothing. */
export interface HttpClient extends AsyncDisposable {
  /**
   * Sends one request and reads the whole answer, whatever its status. The deadline is the signal's owner's affair.
   *
   * @throws the signal's reason when it is aborted first
   */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer | HttpFailure>;
  /**
   * Sends a GET and hands on the body of a 200 as it comes, until it ends or `bytesMax` of it have come. The body of any other
   * answer is not read. Credentials in the address are not used.
   *
   * @throws the signal's reason when it is aborted first
   */
  stream(request: HttpStreamRequest, signal: AbortSignal): Promise<HttpAnswer | HttpFailure>;
  /** Ends open connections and with them requests under way. Twice is harmless. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Every request goes to this unix socket, whatever host its URL names. */
  readonly socketPath?: string;
  /** Certificates of authorities in PEM: these are trusted, and no other. */
  readonly authorities?: string;
}

export function createHttpClient({ socketPath, authorities }: HttpClientOptions = {}): HttpClient {
  const agent = new Agent({
    connections: 8,
    connect: {
      timeout: 10 * SECOND,
      ...(socketPath === undefined ? {} : { socketPath }),
      // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
      rejectUnauthorized: true,
      ...(authorities === undefined ? {} : { ca: authorities }),
    },
    // A net below the callers' own deadlines, which are shorter.
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
    const read = await readBody(answer.body, bodyBytesMax, Number(answer.headers["content-length"] ?? 0));
    if (read === undefined) return { kind: "failed", cause: "too-large", code: "TOO_LARGE" };
    return { kind: "answer", status: answer.statusCode, headers: firstOf(answer.headers), body: read };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error, begun);
  }
}

async function receive(
  agent: Undici.Agent,
  { url, headers = {}, bytesMax, onData }: HttpStreamRequest,
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
    if (answer.statusCode === 200) {
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

/** `undefined` when it is larger than allowed; the connection is then given up, not drained. */
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
  // Destroying a body that is not read to its end raises an error on it that nobody waits for.
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
  // The parser gives some of its errors no code.
  return error.name === "HTTPParserError" ? "HPE_INVALID" : "UNKNOWN";
}
