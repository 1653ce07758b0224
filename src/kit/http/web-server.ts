import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { systemCode } from "../machine/system-code.ts";
import { plainAddress } from "../net/loopback.ts";
import type { Clock } from "../time/clock.ts";
import { clientAddress, type TrustedProxy } from "./client-address.ts";
import { limitConnections } from "./connection-limit.ts";
import { listen, listenOnSocket } from "./listening.ts";
import { LongAnswers } from "./long-answers.ts";
import { Paths } from "./paths.ts";
import { type Unreadable, unreadableRequest } from "./unreadable-request.ts";
import { UnsentAnswers } from "./unsent-answers.ts";

export type WebMethod = "GET" | "POST" | "PUT" | "DELETE";

export interface WebRequest {
  readonly method: string;
  /** The path without query and extension. */
  readonly path: string;
  /** One of the server's extensions, without its dot. */
  readonly extension?: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Empty if there is none; the body of a GET is not read. */
  readonly body: Buffer;
  /** Address of the client: the peer, or whom a trusted proxy has named. */
  readonly address: string;
  /** Address of the connection: the client's, or a proxy's. */
  readonly peer: string;
  /** For example `1.1`. */
  readonly httpVersion: string;
  /** The port that received the request; absent on a Unix socket. */
  readonly localPort: number | undefined;
  readonly isTls: boolean;
}

/** A request whose body has not been read. */
export type WebHead = Omit<WebRequest, "body">;

export interface WebAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent as it arrives, and destroyed when the peer disconnects. */
  readonly body?: Buffer | string | Readable;
}

export interface WebRoute {
  readonly method: WebMethod;
  /** For example `/regions/:id/channels`. */
  readonly path: string;
  /** Overrides the server's limit, for routes open to strangers. */
  readonly bodyBytesMax?: number;
  /** Its answers take much memory: those for one payer, whom this names, are made few at a time. */
  readonly longFor?: (request: WebHead) => Promise<string>;
  /** Runs before the body is read. @returns the refusal, or `undefined` to go on */
  readonly admit?: (request: WebHead) => Promise<WebAnswer | undefined>;
  /** An exception is answered as `failed`. */
  readonly handle: (request: WebRequest) => Promise<WebAnswer>;
}

/** A request that no handler has answered. */
export type WebRefusal =
  | { readonly kind: "no-route" }
  | { readonly kind: "method"; readonly allow: string }
  | { readonly kind: "too-large"; readonly bytesMax: number }
  | { readonly kind: "malformed"; readonly status: number; readonly reason: string }
  /** Not even its head could be read: the request has no path and no headers. */
  | ({ readonly kind: "unreadable" } & Unreadable)
  /** Too many long answers at once for one payer. */
  | { readonly kind: "too-many" }
  | { readonly kind: "failed"; readonly error: unknown };

export interface WebServerOptions {
  readonly routes: readonly WebRoute[];
  /** The answer to an unhandled request. */
  readonly refuse: (request: WebRequest, refusal: WebRefusal) => WebAnswer;
  /** A larger body is refused before it is read to its end. */
  readonly bodyBytesMax: number;
  /** With the extension `xml`, `/regions.xml` is `/regions`. */
  readonly extensions?: readonly string[];
  /** `/Lineup.JSON` is `/lineup.json`. */
  readonly ignoresCase?: boolean;
  /** TLS certificate and key in PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  /** Connections at a time. Default: 500. */
  readonly connectionsMax?: number;
  /** Whether the peer is a proxy, which carries many visitors: its connections are not limited by address. */
  readonly isProxy?: (address: string) => boolean;
  /** Whether the peer is a proxy that names its clients; absent: none is. */
  readonly isTrustedProxy?: TrustedProxy;
  /** A TLS handshake, and then a request, that is incomplete after this time is refused; 30 s if absent. */
  readonly requestMs?: DurationMs;
  /** Longest pause of a peer that reads an answer; a minute if absent. */
  readonly pauseMs?: DurationMs;
  readonly clock: Clock;
}

/** An HTTP server on one address. Closing lets requests in progress end; closing twice is harmless. */
export interface WebServer extends AsyncDisposable {
  /**
   * @returns the port, chosen by the system if `port` is 0
   * @throws RecorderdError ADDRESS_IN_USE, also if the address is not local or the port needs privileges
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }>;
  /**
   * Listens on a Unix socket that only this user may open, and replaces a stale one.
   *
   * @throws RecorderdError ADDRESS_IN_USE, also when the socket cannot be created
   */
  listenOnSocket(path: string): Promise<void>;
}

/** A request that is incomplete by then gets 408. */
const REQUEST_MS: DurationMs = 30 * SECOND;
/** Looks for such requests in that time: each wakes the machine. */
const SLOW_LOOKS = 3;
const IDLE_CONNECTION_MS: DurationMs = 60 * SECOND;
const CONNECTIONS_MAX = 500;
const CONNECTIONS_PER_ADDRESS_MAX = 200;
/** Requests of a connection before the first of them is answered; no known client sends a second one. */
const PIPELINED_MAX = 10;
/** Bytes of answers that clients have not read. */
const UNSENT_BYTES_MAX = 128 * 1024 * 1024;
/** Requests still in progress after this are cut off on close. */
const CLOSE_MS: DurationMs = 5 * SECOND;

export function createWebServer(options: WebServerOptions): WebServer {
  const { refuse, extensions = [] } = options;
  const app = fastify({
    bodyLimit: options.bodyBytesMax,
    requestTimeout: options.requestMs ?? REQUEST_MS,
    connectionTimeout: options.pauseMs ?? IDLE_CONNECTION_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    routerOptions: { maxParamLength: 500, caseSensitive: options.ignoresCase !== true },
    rewriteUrl: (request) => {
      withoutNonsenseType(request);
      return splitExtension(addressOnServer(request), extensions).url;
    },
    // An address that cannot be decoded reaches no route. Fastify's own answer repeats it, with the token in its query.
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      const {
        status,
        headers = {},
        body,
      } = refuse(webRequest(request, options), refusalOf(error, options.bodyBytesMax));
      void reply.code(status).headers(headers).send(body);
    },
    clientErrorHandler: (error, socket) => answerUnread(error, socket, refuse),
    // During closing, `refuse` answers requests, as always.
    return503OnClosing: false,
    ...(options.tls === undefined
      ? { http: nodeOptions(options) }
      : {
          https: {
            ...options.tls,
            ...nodeOptions(options),
            handshakeTimeout: options.requestMs ?? REQUEST_MS,
          },
        }),
    // No route has a schema; fastify's compilers would take 2 MB of resident memory.
    schemaController: {
      compilersFactory: { buildValidator: withoutSchemas, buildSerializer: withoutSchemas },
    },
  }) as FastifyInstance;
  const { isProxy = () => false, isTrustedProxy = () => false } = options;
  const closeConnections = limitConnections(app.server, {
    max: options.connectionsMax ?? CONNECTIONS_MAX,
    maxPerAddress: CONNECTIONS_PER_ADDRESS_MAX,
    isProxy: (address) => isProxy(address) || isTrustedProxy(address),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  addRoutes(app, options);
  let closed: Promise<void> | undefined;
  return {
    listen: (address) => listen(app, address),
    listenOnSocket: (path) => listenOnSocket(app, path),
    [Symbol.asyncDispose]: () => {
      closed ??= close(app, options.clock, closeConnections);
      return closed;
    },
  };
}

function nodeOptions({ requestMs = REQUEST_MS }: WebServerOptions) {
  return {
    // Given later, as fastify does, it would not hold for bodies: the time for headers would remain longer.
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.ceil(requestMs / SLOW_LOOKS),
    // A request without Host is refused by a hook, with a reason.
    requireHostHeader: false,
  };
}

function withoutSchemas(): never {
  throw new Error("routes have no schemas of fastify's");
}

function addRoutes(app: FastifyInstance, options: WebServerOptions): void {
  const { refuse } = options;
  const routes = options.routes.map((route) => ({ ...route, path: withoutSpareSlashes(route.path) }));
  const requestOf = (request: FastifyRequest) => webRequest(request, options);
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  const unsent = new UnsentAnswers(UNSENT_BYTES_MAX);
  const long = new LongAnswers();
  const answer = (reply: FastifyReply, { status, headers = {}, body }: WebAnswer) => {
    if (body !== undefined && !(body instanceof Readable))
      unsent.add(reply.raw, { body, address: addressOf(reply.request, options.isTrustedProxy) });
    // A keep-alive connection would delay the close.
    if (closing) reply.header("Connection", "close");
    // Without this, fastify would send a content-length of 0 for a HEAD, whatever the headers say.
    const isHead = reply.request.method === "HEAD" && body === undefined;
    return reply
      .code(status)
      .headers(headers)
      .send(isHead ? Readable.from([]) : body);
  };
  const asHook =
    (admit: NonNullable<WebRoute["admit"]>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const refusal = await admit(requestOf(request));
      return refusal === undefined ? undefined : answer(reply, refusal);
    };
  for (const { method, path, handle, bodyBytesMax, admit, longFor } of routes) {
    app.route({
      method,
      url: path,
      ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
      ...(admit === undefined ? {} : { onRequest: asHook(admit) }),
      handler: async (request, reply) => {
        const asked = requestOf(request);
        const payer = await longFor?.(asked);
        if (payer !== undefined && !(await long.enter(payer, reply.raw)))
          return answer(reply, refuse(asked, { kind: "too-many" }));
        return answer(reply, await handle(asked));
      },
    });
  }
  const pipelined = new WeakMap<Socket, number>();
  app.addHook("onRequest", async ({ raw: { socket } }, { raw }) => {
    const count = (pipelined.get(socket) ?? 0) + 1;
    pipelined.set(socket, count);
    raw.once("close", () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
    // Each of them would be carried out, and its answer kept, although nobody reads the first one.
    if (count <= PIPELINED_MAX) return;
    socket.destroy();
    throw new Malformed("Too many requests at once on a connection.");
  });
  app.addHook("onRequest", async ({ raw: { rawHeaders, httpVersion, headers } }) => {
    if (rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length > 1)
      // RFC 9112 §3.2: a proxy and this server could each believe another one.
      throw new Malformed("A request must have one Host header, not two.");
    if (httpVersion === "1.1" && headers.host === undefined)
      throw new Malformed("A request of HTTP/1.1 must have the header Host, with the name of this server.");
  });
  const paths = new Paths(routes);
  const refused = (request: FastifyRequest, reply: FastifyReply) => {
    const asked = requestOf(request);
    const methods = paths.methodsAt(asked.path);
    const why: WebRefusal =
      methods === undefined ? { kind: "no-route" } : { kind: "method", allow: methods.join(", ") };
    return answer(reply, refuse(asked, why));
  };
  for (const { path, others } of paths.mistaken())
    app.route({ method: [...others], url: path, handler: refused });
  app.setNotFoundHandler(refused);
  app.setErrorHandler((error, request, reply) => {
    const bytesMax = request.routeOptions.bodyLimit ?? options.bodyBytesMax;
    return answer(reply, refuse(requestOf(request), refusalOf(error, bytesMax)));
  });
}

class Malformed extends Error {
  readonly statusCode = 400;
}

/** RFC 9112 §3.2.2: a request may name the server in its first line, which then counts instead of its Host header. */
function addressOnServer(request: Pick<IncomingMessage, "url" | "headers">): string {
  const { url = "/" } = request;
  const [, host, rest = ""] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (host === undefined) return url;
  request.headers.host = host;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** How a request is read. */
type Reading = Pick<WebServerOptions, "extensions" | "isTrustedProxy">;

/** fastify marks client errors with a status below 500; everything else is our failure. */
function refusalOf(error: unknown, bytesMax: number): WebRefusal {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status === 413) return { kind: "too-large", bytesMax };
  if (status >= 400 && status < 500) return { kind: "malformed", status, reason: reasonOf(error) };
  return { kind: "failed", error };
}

/** Texts of fastify may quote the request. */
function reasonOf(error: unknown): string {
  if (error instanceof Malformed) return error.message;
  return systemCode(error) === "FST_ERR_BAD_URL"
    ? "A % in the address must be followed by two hexadecimal digits, which are bytes of UTF-8."
    : "The request is not valid HTTP.";
}

/** A type that is none says nothing about the body; fastify would refuse the request, with or without one. */
function withoutNonsenseType({ headers }: IncomingMessage): void {
  if (!/^\s*[^\s/;,"]+\/[^\s/;,"]+\s*(?:;|$)/.test(headers["content-type"] ?? ""))
    delete headers["content-type"];
}

/** Answers what Node.js could not read as a request, and closes the connection. */
function answerUnread(error: Error, socket: Socket, refuse: WebServerOptions["refuse"]): void {
  const why = unreadableRequest(error, socket);
  if (why !== undefined) {
    const { status, headers = {}, body = "" } = refuse(blankRequest(socket), { kind: "unreadable", ...why });
    const bytes = body instanceof Readable ? Buffer.alloc(0) : Buffer.from(body);
    const head = { ...headers, "Content-Length": bytes.length, Connection: "close" };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
    socket.write(bytes);
  }
  socket.destroy(error);
}

function blankRequest(socket: Socket): WebRequest {
  const peer = plainAddress(socket.remoteAddress ?? "");
  return {
    method: "",
    path: "",
    params: {},
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.alloc(0),
    address: peer,
    peer,
    httpVersion: "1.1",
    localPort: socket.localPort,
    isTls: "encrypted" in socket,
  };
}

function webRequest(request: FastifyRequest, { extensions = [], isTrustedProxy }: Reading): WebRequest {
  const { extension } = splitExtension(request.originalUrl, extensions);
  const [path = "", query = ""] = request.url.split(/\?(.*)/s);
  return {
    method: request.method,
    path,
    ...(extension === undefined ? {} : { extension }),
    params: { ...(request.params as Readonly<Record<string, string>>) },
    query: queryOf(query),
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    address: addressOf(request, isTrustedProxy),
    peer: plainAddress(request.socket.remoteAddress ?? ""),
    httpVersion: request.raw.httpVersion,
    localPort: request.socket.localPort,
    isTls: request.protocol === "https",
  };
}

/** In the query, as in bodies, old clients write ISO-8859-1: each parameter that is not UTF-8 is read so. */
function queryOf(text: string): URLSearchParams {
  const written = text
    .split("&")
    .map((part) => (isUtf8(part) ? part : part.replace(HIGH_BYTE, latin1AsUtf8)));
  return new URLSearchParams(written.join("&"));
}

const HIGH_BYTE = /%[89a-f][0-9a-f]/gi;

function isUtf8(part: string): boolean {
  try {
    decodeURIComponent((part.match(/(?:%[89a-f][0-9a-f])+/gi) ?? []).join(" "));
    return true;
  } catch {
    return false;
  }
}

function latin1AsUtf8(byte: string): string {
  return encodeURIComponent(String.fromCharCode(Number.parseInt(byte.slice(1), 16)));
}

function addressOf({ socket, headers }: FastifyRequest, isTrustedProxy: TrustedProxy = () => false): string {
  // Node.js joins all headers of this name.
  return clientAddress(socket.remoteAddress ?? "", String(headers["x-forwarded-for"] ?? ""), isTrustedProxy);
}

function splitExtension(
  url: string,
  extensions: readonly string[],
): { readonly url: string; readonly extension?: string } {
  const mark = url.indexOf("?");
  const written = mark < 0 ? url : url.slice(0, mark);
  const query = url.slice(written.length);
  const path = withoutSpareSlashes(written);
  const extension = extensions.find((name) => path.toLowerCase().endsWith(`.${name}`));
  if (extension === undefined) return { url: path + query };
  return { url: path.slice(0, -extension.length - 1) + query, extension };
}

/** Clients join a base address that ends with a slash with a path that begins with one, or end a path with one. */
function withoutSpareSlashes(path: string): string {
  if (!path.startsWith("/") || !/\/(?:\/|$)/.test(path)) return path;
  return `/${path.split("/").filter(Boolean).join("/")}`;
}

async function close(app: FastifyInstance, clock: Clock, closeConnections: () => void): Promise<void> {
  const ended = new AbortController();
  const patience = clock.sleep(CLOSE_MS, ended.signal).then(closeConnections, () => {});
  await app.close();
  ended.abort();
  await patience;
}
