import { z } from "zod";
import type { WebAnswer, WebMethod, WebRequest } from "../kit/http/web-server.ts";
import { type ErrorCode, RecorderdError } from "../model/errors.ts";
import { json } from "./json.ts";

/** The parsed and checked input of a route. */
export interface RouteInput<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly request: WebRequest;
}

/** The input and the successful output of a route; refusals are the same for all. */
interface Shape {
  readonly method: WebMethod;
  /** For example `/v1/recordings/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly status: number;
  /** A schema for JSON, a media type for any other answer, absent for none. */
  readonly answer?: z.ZodType | string;
  /** Needs no sign-in: reveals nothing about recordings and changes nothing. */
  readonly open?: true;
  /** Its answer may take tens of megabytes: few are made at once for one visitor. */
  readonly long?: true;
  /** Not rate-limited: it costs nothing, and a supervisor would restart a daemon that refuses it. */
  readonly unmetered?: true;
}

/** One entry of the route table: data for the API document, the tests and both listeners. */
export interface ApiRoute extends Shape {
  readonly handle: (request: WebRequest) => Promise<WebAnswer>;
}

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;
type RouteOutput<A> = A extends z.ZodType ? z.input<A> : WebAnswer;

/**
 * Defines a route; the compiler checks its answer against its schema. A route of another media type returns the
 * whole answer.
 */
export function route<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  A extends z.ZodType | string | undefined = undefined,
>(
  definition: Omit<Shape, "params" | "query" | "body" | "answer" | "status"> & {
    readonly status?: number;
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    readonly answer?: A;
    readonly handle: (
      asked: RouteInput<Parsed<P>, Parsed<Q>, Parsed<B>>,
    ) => RouteOutput<A> | Promise<RouteOutput<A>>;
  },
): ApiRoute {
  const { handle, status = 200, ...shape } = definition;
  const { params, query, body, answer } = shape;
  return {
    ...shape,
    status,
    handle: (request) =>
      answerOrRefuse(async () => {
        const asked = {
          params: read("path", params, request.params),
          query: read("query", query, Object.fromEntries(request.query)),
          body: read("body", body, () => jsonOf(request.body)),
          request,
        } as RouteInput<Parsed<P>, Parsed<Q>, Parsed<B>>;
        const output = await handle(asked);
        return answer instanceof z.ZodType ? json(status, output) : (output as WebAnswer);
      }),
  } as ApiRoute;
}

/** Malformed input, with its place. */
class Malformed extends Error {}

function read(
  place: "path" | "query" | "body",
  schema: z.ZodType | undefined,
  value: unknown | (() => unknown),
): unknown {
  if (schema === undefined) return undefined;
  const given = typeof value === "function" ? value() : value;
  if (place !== "body") for (const text of Object.values(given as object)) refuseStray(String(text), place);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const says = parsed.error.issues.map(
    ({ path, message }) => `${[place, ...path.map(String)].join(".")}: ${message}`,
  );
  throw new Malformed(says.slice(0, 10).join("; ").slice(0, 1000));
}

function jsonOf(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    // Only an escape can contain the characters that `refuseStray` rejects: invalid UTF-8 is U+FFFD by now.
    return JSON.parse(text, text.includes("\\u") ? refuseStrayIn : undefined);
  } catch (error) {
    if (error instanceof Malformed) throw error;
    throw new Malformed("body: expected a JSON document");
  }
}

function refuseStrayIn(key: string, value: unknown): unknown {
  refuseStray(key, "body");
  if (typeof value === "string") refuseStray(value, "body");
  return value;
}

/** Rejects NUL and lone surrogates: no text needs them, and names that differ only in them look equal. */
function refuseStray(text: string, place: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw new Malformed(`${place}: a text holds NUL or half a surrogate pair`);
}

const NOT_THERE: readonly ErrorCode[] = ["RECORDING_UNKNOWN", "GUIDE_NOT_FOUND", "FILE_UNREADABLE"];

/** Refused for now: the client may try again after this many seconds. */
const RETRY_AFTER: Readonly<Partial<Record<ErrorCode, number>>> = {
  CONVERSION_BUSY: 10,
  GUIDE_UNAVAILABLE: 5,
};

function statusOf(code: ErrorCode): number {
  if (NOT_THERE.includes(code)) return 404;
  if (RETRY_AFTER[code] !== undefined) return 503;
  return code === "GUIDE_FORBIDDEN" ? 403 : 409;
}

/** Turns errors into refusals with their own messages. */
export async function answerOrRefuse<T>(work: () => Promise<T>): Promise<T | WebAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Malformed) return refused(400, "malformed", error.message);
    if (!(error instanceof RecorderdError)) throw error;
    const seconds = RETRY_AFTER[error.code];
    const headers = seconds === undefined ? {} : { "retry-after": String(seconds) };
    const { field, why } = error.facts;
    const more = {
      ...(typeof field === "string" ? { field } : {}),
      ...(typeof why === "string" ? { why } : {}),
    };
    return withHeaders(
      json(statusOf(error.code), { code: error.code, message: error.message, ...more }),
      headers,
    );
  }
}

export function refused(status: number, code: string, message: string, headers = {}): WebAnswer {
  return withHeaders(json(status, { code, message }), headers);
}

function withHeaders(answer: WebAnswer, headers: Readonly<Record<string, string>>): WebAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
