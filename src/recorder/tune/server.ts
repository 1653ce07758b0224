import { z } from "zod";
import { acceptsConnections } from "../../kit/http/accepts.ts";
import { createHttpClient, type HttpAnswer, type HttpClient } from "../../kit/http/http.ts";
import { authorizationFor, type Credentials } from "../../kit/http/http-auth.ts";
import type { Log } from "../../kit/log.ts";
import { hostOf } from "../../kit/net/host-of.ts";
import { parseJson } from "../../kit/text/parse-json.ts";
import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { Source } from "../../model/ports.ts";
import type { DurationMs } from "../../model/time.ts";
import { textsWithinWire } from "../../model/wire-text.ts";
import { TUNE_LIMITS } from "./limits.ts";

/** The daemon's services for a driver. */
export interface TunerParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Current user and password for the tuner's server; `recorderd tuners login` writes them. */
  readonly credentials: (tunerId: string) => Credentials | undefined;
  /** The daemon's data folder: holds files of processes that outlive it, and its path identifies them as ours. */
  readonly folder: string;
  /** Time limits of tuners; `TUNE_LIMITS` by default. Tests use shorter ones. */
  readonly limits?: Readonly<Record<keyof typeof TUNE_LIMITS, number>>;
}

export const ServerAddress = z
  .url({ protocol: /^https?$/, error: "expected an address such as http://192.0.2.5:9981" })
  .regex(
    /^[^@?#]+$/,
    "expected an address without user and query: `recorderd tuners login` stores the password",
  );

/** A server's answer to the request for a stream: the refusal's status and headers, or the other outcomes. */
export type StreamAnswer =
  | { readonly kind: "refused"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "flows"; readonly begin: Uint8Array }
  | { readonly kind: "no answer" }
  | { readonly kind: "unreachable" };

/** The server of a network tuner. Every failure is a RecorderdError with a driver's code. */
export interface TunerServer {
  readonly tunerId: string;
  /** Fetches `path` below the server's address. @throws RecorderdError TUNER_… */
  ask<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T>;
  /** An address on the server, including user and password if there are any: only for the capture. */
  streamUrl(path: string, base?: URL): string;
  /** Requests a stream as the capture does. */
  tryStream(source: Source, signal: AbortSignal): Promise<StreamAnswer>;
  /** Requests a stream to learn why the capture gets none; `meaningOf` interprets the answer. */
  whyNot<T>(
    meaningOf: (answer: StreamAnswer) => T | undefined,
  ): (source: Source, signal: AbortSignal) => Promise<T | undefined>;
  /** Whether the server accepts connections. */
  answers(signal: AbortSignal): Promise<boolean>;
  failure(code: ErrorCode, what: string): RecorderdError;
}

const STREAM_BEGIN_BYTES = 188;

export function tunerServer(
  {
    id,
    address,
    refusesWithinMs = TUNE_LIMITS.answerMs,
    userPage,
  }: {
    readonly id: string;
    readonly address: string;
    /** A page for every user: it tells a wrong password from a missing right if both are answered with 403. */
    readonly userPage?: string;
    /** Longest time until the server refuses a stream. */
    readonly refusesWithinMs?: DurationMs;
  },
  { clock, log, credentials }: TunerParts,
): TunerServer & AsyncDisposable {
  const http = createHttpClient();
  const base = new URL(address.endsWith("/") ? address : `${address}/`);
  const failure = (code: ErrorCode, what: string) =>
    new RecorderdError(code, `Tuner ${id}: ${what}.`, { tunerId: id });
  const late = () => failure("TUNER_UNREACHABLE", `${base.host} does not answer in time`);
  const within = <T>(ms: DurationMs, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) =>
    withDeadline(clock, { ms, signal, timeoutError: late }, work);

  /** Rejects oversized answers: channel names are the server's choice. */
  function bounded<T>(answer: T): T {
    const { value, changed } = textsWithinWire(answer);
    if (changed > 0)
      log.warn("texts from a tuner's server were too long and were shortened", {
        tunerId: id,
        texts: changed,
      });
    return value;
  }

  async function tryStream({ url, headers = {} }: Source, signal: AbortSignal): Promise<StreamAnswer> {
    try {
      return await within(refusesWithinMs, signal, (both) =>
        begin(http, { url, headers, as: credentials(id) }, both),
      );
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      return { kind: "no answer" };
    }
  }

  const read = (path: string, signal: AbortSignal) =>
    within(TUNE_LIMITS.answerMs, signal, (both) =>
      get(http, { url: new URL(path, base), as: credentials(id) }, both),
    );
  const unknownUser = () =>
    failure(
      "TUNER_CREDENTIALS_WRONG",
      `${base.host} rejects the user or password (recorderd tuners login ${id} USER), or the user has no rights there`,
    );

  return {
    tunerId: id,
    failure,
    tryStream,
    answers: (signal) =>
      acceptsConnections(
        {
          host: hostOf(base),
          port: Number(base.port || (base.protocol === "https:" ? 443 : 80)),
        },
        { clock, signal },
      ),
    async ask(path, schema, signal) {
      const answer = await read(path, signal);
      if (answer === undefined) throw failure("TUNER_UNREACHABLE", `${base.host} cannot be reached`);
      if (answer.status === 403 && userPage !== undefined) {
        const page = await read(userPage, signal);
        if (page !== undefined && [401, 403].includes(page.status)) throw unknownUser();
      }
      if (answer.status !== 200) throw failure(codeOf(answer.status), meaningOf(answer.status, base.host));
      const parsed = schema.safeParse(parseJson(answer.body.toString("utf8").replace(/^\ufeff/, "")));
      if (parsed.success) return bounded(parsed.data);
      throw failure("TUNER_UNREACHABLE", `the answer of ${base.host} is not what this kind of tuner expects`);
    },
    streamUrl(path, from = base) {
      const url = new URL(path, from);
      const as = credentials(id);
      if (as === undefined) return url.href;
      // Encoded by hand: URL leaves some characters unescaped that ffmpeg takes for the end of the password.
      const user = `${encodeURIComponent(as.user)}:${encodeURIComponent(as.password)}@`;
      return `${url.protocol}//${user}${url.host}${url.pathname}${url.search}`;
    },
    whyNot: (meaningOf) => async (source, signal) => meaningOf(await tryStream(source, signal)),
    [Symbol.asyncDispose]: () => http.close(),
  };
}

interface Request {
  readonly url: URL;
  readonly as: Credentials | undefined;
}

async function get(
  http: HttpClient,
  { url, as }: Request,
  signal: AbortSignal,
): Promise<HttpAnswer | undefined> {
  const send = async (headers: Readonly<Record<string, string>>) => {
    const request = { method: "GET", url, headers, bodyBytesMax: TUNE_LIMITS.answerBytes } as const;
    const answer = await http.request(request, signal);
    return answer.kind === "answer" ? answer : undefined;
  };
  const first = await send({ accept: "application/json" });
  const authorization = first === undefined ? undefined : answerTo(first, url, as);
  return authorization === undefined ? first : await send({ accept: "application/json", authorization });
}

async function begin(
  http: HttpClient,
  {
    url: address,
    headers,
    as,
  }: Omit<Request, "url"> & { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<StreamAnswer> {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  const chunks: Uint8Array[] = [];
  const onData = (chunk: Uint8Array) => void chunks.push(chunk);
  const send = (more: Readonly<Record<string, string>>) =>
    http.stream({ url, headers: { ...headers, ...more }, bytesMax: STREAM_BEGIN_BYTES, onData }, signal);
  let answer = await send({});
  const authorization = answer.kind === "answer" ? answerTo(answer, url, as) : undefined;
  if (authorization !== undefined) answer = await send({ authorization });
  if (answer.kind === "failed")
    return { kind: /REFUSED|NOTFOUND|UNREACH/.test(answer.code) ? "unreachable" : "no answer" };
  const { status, headers: said } = answer;
  return status === 200
    ? { kind: "flows", begin: Buffer.concat(chunks) }
    : { kind: "refused", status, headers: said };
}

function answerTo(
  { status, headers }: HttpAnswer,
  { pathname, search }: URL,
  as: Credentials | undefined,
): string | undefined {
  const challenge = headers["www-authenticate"];
  if (status !== 401 || challenge === undefined || as === undefined) return undefined;
  return authorizationFor({ challenge, method: "GET", uri: `${pathname}${search}` }, as);
}

/** The meaning of a status unless the protocol defines another. */
export function codeOf(status: number): ErrorCode {
  if (status === 401) return "TUNER_CREDENTIALS_WRONG";
  if (status === 403) return "TUNER_FORBIDDEN";
  if (status === 404 || status === 410) return "TUNER_SERVICE_UNKNOWN";
  return status === 429 || status === 503 ? "TUNER_IN_USE" : "TUNER_UNREACHABLE";
}

function meaningOf(status: number, host: string): string {
  if (status === 401) return `${host} rejects the user or password: correct them with recorderd tuners login`;
  if (status === 403)
    return `${host} does not allow this to the user: give the user that right on the server`;
  return `${host} answers ${status}`;
}
