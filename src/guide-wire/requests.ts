import type { HttpAnswer } from "../kit/http/http.ts";
import { RecorderdError } from "../model/errors.ts";
import type { EpochMs } from "../model/time.ts";
import { type Decoded, decodeDocument, type Encoded, encodeDocument, isHtml } from "./codec.ts";
import type { Document, DocumentKind } from "./documents.ts";
import { exchange, factsOf, type GuideClientOptions, type Order } from "./exchange.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import { serverTimeOf } from "./refusal.ts";

export interface GuideAnswer<K extends DocumentKind> extends Decoded<K> {
  /** The service's clock, from the Date header; resolution one second. */
  readonly serverTime?: EpochMs;
}

/** One request each, on which the methods of the client are built. They fail as the client does. */
export interface Requests {
  /** Sends an order and reads the document of the answer. */
  ask<K extends DocumentKind>(kind: K, order: Order, signal: AbortSignal): Promise<GuideAnswer<K>>;
  /** Deletes; the answer needs no document. */
  remove(path: Order["path"], signal: AbortSignal): Promise<void>;
  body<K extends DocumentKind>(kind: K, value: Document<K>): Encoded;
}

export function createRequests(options: GuideClientOptions): Requests {
  return {
    async ask(kind, order, signal) {
      const answer = await exchange(options, order, signal);
      const serverTime = serverTimeOf(answer);
      const decoded = await decodeAnswer(kind, { order, answer, options }, signal);
      return serverTime === undefined ? decoded : { ...decoded, serverTime };
    },
    async remove(path, signal) {
      const order: Order = { method: "DELETE", path, account: true };
      refusePage(order, await exchange(options, order, signal));
    },
    body: (kind, value) => encodeDocument(kind, value, { format: options.wire }),
  };
}

/** Stands in for the empty answer to a PUT: the specification requires only the status. */
const EMPTY_DOCUMENT = {
  json: '{"devices":[],"timers":[],"series_recordings":[],"keywords":[],"rules":[]}',
  contentType: "application/json",
};

interface OrderAnswer {
  readonly order: Order;
  readonly answer: HttpAnswer;
  readonly options: Pick<GuideClientOptions, "decodeOnThread" | "register">;
}

export async function decodeAnswer<K extends DocumentKind>(
  kind: K,
  { order, answer, options: { decodeOnThread, register } }: OrderAnswer,
  signal: AbortSignal,
): Promise<Decoded<K>> {
  const silent = order.method === "PUT" && answer.body.length === 0;
  const contentType = silent ? EMPTY_DOCUMENT.contentType : (answer.headers["content-type"] ?? "");
  const body = silent ? Buffer.from(EMPTY_DOCUMENT.json) : answer.body;
  try {
    const work = { kind: "guide-document", subject: kind } as const;
    const isApart = body.length > GUIDE_WIRE_LIMITS.readHereBytes || register?.isSetAside(work) === true;
    if (isApart && decodeOnThread !== undefined)
      return await decodeOnThread(kind, body, { contentType, signal });
    register?.begin(work);
    return decodeDocument(kind, body, { contentType });
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const facts = { ...error.facts, ...factsOf(order), status: answer.status };
    throw new RecorderdError(error.code, error.message, facts);
  }
}

/** An answer to DELETE needs no document, but a portal's page on the way is not the service's answer. */
function refusePage(order: Order, { status, headers, body }: HttpAnswer): void {
  if (!isHtml(body, headers["content-type"] ?? "")) return;
  throw new RecorderdError(
    "GUIDE_DOCUMENT_INVALID",
    "The answer is an HTML page, not a guide document: something else is at this address",
    { ...factsOf(order), status, html: true },
  );
}
