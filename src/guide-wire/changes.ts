import { onAbort } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import type { ChangeListener } from "../model/ports.ts";
import { exchangeEvents, factsOf, type GuideClientOptions, type Order } from "./exchange.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";

const ORDER: Order = { path: ["shows", "timers", "changes"], account: true };

/** Follows the stream of changes until it ends. @throws RecorderdError as `exchangeEvents` */
export async function followChanges(
  options: GuideClientOptions,
  listener: ChangeListener,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const unfollow = onAbort(signal, () => ended.abort(signal.reason));
  const reader = new EventReader(listener, () => {
    const text = `A line of the stream of changes has more than ${GUIDE_WIRE_LIMITS.changesLineBytes} bytes`;
    ended.abort(new RecorderdError("GUIDE_DOCUMENT_INVALID", text, factsOf(ORDER)));
  });
  try {
    const onData = (chunk: Uint8Array) => reader.read(chunk);
    await exchangeEvents(options, ORDER, { onData, signal: ended.signal });
  } finally {
    unfollow();
  }
}

/**
 * Reads server-sent events: the data of each event `list`, and that anything came at all.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventReader {
  readonly #listener: ChangeListener;
  readonly #onTooLong: () => void;
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not come yet. */
  #rest = "";
  #event = "";
  #data = "";
  #isOver = false;

  constructor(listener: ChangeListener, onTooLong: () => void) {
    this.#listener = listener;
    this.#onTooLong = onTooLong;
  }

  read(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#listener.onAlive();
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
    const { changesLineBytes } = GUIDE_WIRE_LIMITS;
    if (this.#rest.length <= changesLineBytes && this.#data.length <= changesLineBytes) return;
    this.#isOver = true;
    this.#rest = "";
    this.#data = "";
    this.#onTooLong();
  }

  #take(line: string): void {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line !== "") {
      if (field === "event") this.#event = value;
      if (field === "data" && this.#data.length <= GUIDE_WIRE_LIMITS.changesLineBytes) this.#data += value;
      return;
    }
    const version = this.#event === "list" ? versionIn(this.#data) : undefined;
    this.#event = "";
    this.#data = "";
    if (version !== undefined) this.#listener.onVersion(version);
  }
}

function versionIn(data: string): string | undefined {
  try {
    const value: unknown = JSON.parse(data);
    const isRecord = typeof value === "object" && value !== null && "version" in value;
    return isRecord && typeof value.version === "string" ? value.version : undefined;
  } catch {
    return undefined;
  }
}
