import { Readable } from "node:stream";
import { decodeDocument, encodeDocument, formatOfType } from "../guide-wire/codec.ts";
import type { Timer } from "../guide-wire/records.ts";
import type { WebAnswer, WebRequest } from "../kit/http/web-server.ts";
import type { Clock } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { HOUR, MINUTE, SECOND } from "../model/time.ts";
import type { Chance } from "./demo/chance.ts";
import { refusalAnswer } from "./http/answer.ts";
import type { Refusal } from "./refusal.ts";

/** One request to spoil. */
export interface Turn {
  readonly request: WebRequest;
  /** The number of such requests, this one included. */
  readonly count: number;
  /** The number of timer lists requested so far. */
  readonly lists: number;
  readonly chance: Chance;
  readonly clock: Clock;
}

/** One fault of real services, as a layer over a correct service's answers. */
export interface Misbehaviour {
  /** One sentence, repeated in docs/dev/guide-server-api.md. */
  readonly meaning: string;
  /**
   * The affected requests: lists of timers, orders of new ones, changes of one timer, all requests about rules, or
   * every request with credentials.
   */
  readonly spoils: "list" | "order" | "change" | "rules" | "account";
  /** Replaces the request to the correct service. */
  readonly request?: (turn: Turn) => WebRequest;
  /** Answers without carrying out the request. */
  readonly instead?: (turn: Turn) => WebAnswer | undefined;
  readonly answer?: (answer: WebAnswer, turn: Turn) => WebAnswer;
}

export const MISBEHAVIOURS = {
  shrink: {
    meaning: "Every other list holds fewer than half of the timers.",
    spoils: "list",
    answer: onTimers((timers, turn) => (isEveryOther(turn) ? fewOf(timers, turn) : timers)),
  },
  "empty-once": {
    meaning: "The second list is empty.",
    spoils: "list",
    answer: onTimers((timers, { count }) => (count === 2 ? [] : timers)),
  },
  "forget-after-record": {
    meaning: "Forgets come last in the list, not first.",
    spoils: "list",
    answer: onTimers((timers) => [
      ...timers.filter(({ action }) => action !== "forget"),
      ...timers.filter(({ action }) => action === "forget"),
    ]),
  },
  duplicate: {
    meaning: "Every timer is listed twice.",
    spoils: "list",
    answer: onTimers((timers) => [...timers, ...timers]),
  },
  "malformed-one": {
    meaning: "The list has an additional invalid timer, which starts `soon`.",
    spoils: "list",
    answer: onTimers((timers) => [
      ...timers.slice(0, 1).map((timer) => ({ ...timer, id: "malformed", start_time: "soon" })),
      ...timers,
    ]),
  },
  "re-key": {
    meaning: "From every third list on, each timer has a new id and show id; requests for an old id get 404.",
    spoils: "account",
    instead: (turn) => (isOutdated(turn) ? notThere(turn) : undefined),
    request: withOldId,
    answer: onTimers((timers, turn) => timers.map((timer) => withNewId(timer, turn))),
  },
  "not-found-when-empty": {
    meaning: "An empty list is answered with 404.",
    spoils: "list",
    answer: (answer, turn) => (timersIn(answer)?.timers.length === 0 ? notThere(turn) : answer),
  },
  "unauthorized-mid-batch": {
    meaning: "Every third change of a timer gets 401, although the credentials are valid.",
    spoils: "change",
    instead: ({ count, request }) =>
      count % 3 === 0 ? refuse(request, 401, "Not signed in, says the service.") : undefined,
  },
  "retry-after-date": {
    meaning: "Every other request gets 503, with Retry-After as a date one minute ahead.",
    spoils: "account",
    instead: (turn) => (isEveryOther(turn) ? unavailable(turn) : undefined),
  },
  "html-200": {
    meaning: "Every other answer is a web page with status 200.",
    spoils: "account",
    instead: (turn) => (isEveryOther(turn) ? PAGE : undefined),
  },
  "lost-answer": {
    meaning: "Every other new timer is stored, but its request is answered with 503.",
    spoils: "order",
    answer: (answer, turn) =>
      isEveryOther(turn) ? refuse(turn.request, 503, "Something went wrong, says the service.") : answer,
  },
  "numbers-as-strings": {
    meaning: "In JSON, numbers are strings, and strings that look like numbers are numbers.",
    spoils: "account",
    answer: inOtherTypes,
  },
  "latin1-lie": {
    meaning: "Bodies are in ISO-8859-1, with `?` for missing characters, but declare UTF-8.",
    spoils: "account",
    answer: inLatin1,
  },
  truncate: {
    meaning: "Every other list is cut off at a random place.",
    spoils: "list",
    answer: (answer, turn) => (isEveryOther(turn) ? truncated(answer, turn) : answer),
  },
  "clock-skew": {
    meaning: "The header Date is an hour ahead.",
    spoils: "account",
    answer: (answer, { clock }) => withHeaders(answer, { Date: httpDate(clock.now() + HOUR) }),
  },
  "no-rules": {
    meaning: "There are no rules: requests about them get 404.",
    spoils: "rules",
    instead: notThere,
  },
  trickle: {
    meaning: "Every other list arrives byte by byte, one each second.",
    spoils: "list",
    answer: (answer, turn) =>
      isEveryOther(turn) ? { ...answer, body: droppedConnection(answer, turn) } : answer,
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>;

/** Spares the first answer, so that a recorder has something to lose. */
function isEveryOther({ count }: Turn): boolean {
  return count % 2 === 0;
}

function onTimers(change: (timers: readonly Timer[], turn: Turn) => readonly Timer[]) {
  return (answer: WebAnswer, turn: Turn): WebAnswer => {
    const format = formatOfType(contentTypeOf(answer));
    const document = timersIn(answer);
    if (format === undefined || document === undefined) return answer;
    const timers = [...change(document.timers, turn)];
    return { ...answer, body: encodeDocument("timers", { ...document, timers }, { format }).body };
  };
}

/** `undefined` for an answer without a list of timers, or with a spoiled one. */
function timersIn(answer: WebAnswer) {
  const { status, body } = answer;
  if (status >= 300 || !Buffer.isBuffer(body)) return undefined;
  try {
    return decodeDocument("timers", body, { contentType: contentTypeOf(answer) }).value;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return undefined;
  }
}

function contentTypeOf({ headers = {} }: WebAnswer): string {
  return headers["Content-Type"] ?? "";
}

function textOf({ body = "" }: WebAnswer): string {
  return Buffer.isBuffer(body) ? body.toString("utf8") : typeof body === "string" ? body : "";
}

function withHeaders(answer: WebAnswer, headers: Readonly<Record<string, string>>): WebAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function fewOf(timers: readonly Timer[], { chance }: Turn): readonly Timer[] {
  const kept = chance.below(Math.ceil(timers.length / 2));
  const drawn = timers.map((timer) => ({ timer, lot: chance.below(2 ** 31) }));
  return [...drawn]
    .sort((a, b) => a.lot - b.lot)
    .slice(0, kept)
    .map(({ timer }) => timer);
}

/** The number of changes of the ids. */
function generationOf({ lists }: Turn): number {
  return Math.floor(lists / 3);
}

function withNewId(timer: Timer, turn: Turn): Timer {
  const generation = generationOf(turn);
  if (generation === 0) return timer;
  return {
    ...timer,
    id: `${timer.id}-${generation}`,
    show_id: (timer.show_id ?? 0) + generation * 1_000_000,
  };
}

function isOutdated(turn: Turn): boolean {
  const id = turn.request.params["timer_id"];
  return id !== undefined && Number(id.split("-")[1] ?? 0) !== generationOf(turn);
}

function withOldId({ request }: Turn): WebRequest {
  const id = request.params["timer_id"];
  if (id === undefined) return request;
  return { ...request, params: { ...request.params, timer_id: id.split("-")[0] ?? id } };
}

function refuse(request: WebRequest, status: Refusal["status"], message: string): WebAnswer {
  return refusalAnswer(request, { kind: "refusal", status, message });
}

function notThere({ request }: Turn): WebAnswer {
  return refuse(request, 404, "There is nothing here, says the service.");
}

function unavailable({ request, clock }: Turn): WebAnswer {
  const now = clock.now();
  const headers = { Date: httpDate(now), "Retry-After": httpDate(now + MINUTE) };
  return withHeaders(refuse(request, 503, "Not now, says the service."), headers);
}

function httpDate(at: number): string {
  return new Date(at).toUTCString();
}

const PAGE: WebAnswer = {
  status: 200,
  headers: { "Content-Type": "text/html; charset=utf-8" },
  body: "<!DOCTYPE html><html><head><title>Maintenance</title></head><body><p>Back soon.</p></body></html>",
};

/** Swaps numbers and strings, except for strings that a number would not reproduce. */
function swapped(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return String(Number(value)) === value ? Number(value) : value;
  if (Array.isArray(value)) return value.map(swapped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, swapped(inner)]));
}

function inOtherTypes(answer: WebAnswer): WebAnswer {
  if (formatOfType(contentTypeOf(answer)) !== "json" || answer.body === undefined) return answer;
  return { ...answer, body: Buffer.from(JSON.stringify(swapped(JSON.parse(textOf(answer))))) };
}

function inLatin1(answer: WebAnswer): WebAnswer {
  if (answer.body === undefined) return answer;
  return { ...answer, body: Buffer.from(textOf(answer).replace(/[^\0-\xff]/gu, "?"), "latin1") };
}

function truncated(answer: WebAnswer, { chance }: Turn): WebAnswer {
  const { body } = answer;
  return Buffer.isBuffer(body)
    ? { ...answer, body: body.subarray(0, 1 + chance.below(body.length - 1)) }
    : answer;
}

function droppedConnection({ body }: WebAnswer, { clock }: Turn): Readable {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const gone = new AbortController();
  async function* fall(): AsyncGenerator<Buffer, void, undefined> {
    for (const byte of bytes) {
      yield Buffer.of(byte);
      await clock.sleep(SECOND, gone.signal).catch(() => {});
    }
  }
  const stream = Readable.from(fall());
  stream.once("close", () => gone.abort());
  return stream;
}
