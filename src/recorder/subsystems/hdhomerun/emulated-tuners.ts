import { PassThrough, type Readable } from "node:stream";
import type { Clock } from "../../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../../model/errors.ts";
import type { Triplet } from "../../../model/service.ts";
import { SECOND } from "../../../model/time.ts";
import type { LineupChannel } from "./core/lineup.ts";
import type { Refusal } from "./core/refusal.ts";
import { HDHOMERUN_LIMITS } from "./limits.ts";

interface Parts {
  readonly count: () => number;
  /** A live service, as for any viewer: it costs no recording. @throws RecorderdError */
  readonly live: (service: Triplet) => Promise<Readable>;
  readonly clock: Clock;
}

export interface Watching {
  readonly channel: LineupChannel;
  /** Address of the client. */
  readonly viewer: string;
}

interface Order extends Watching {
  /** The emulated tuner; absent: any that is free. */
  readonly tuner?: number;
  /** The stream ends after this time. */
  readonly seconds?: number;
}

export type Opened =
  | { readonly kind: "stream"; readonly tuner: number; readonly stream: Readable }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** The tuners that clients see: each carries one stream. Which tuner of the pool delivers it, the engine decides. */
export class EmulatedTuners {
  readonly #parts: Parts;
  readonly #uses = new Map<number, Watching>();
  readonly #streams = new Set<Readable>();
  readonly #ended = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#parts.count();
  }

  useOf(tuner: number): Watching | undefined {
    return this.#uses.get(tuner);
  }

  /**
   * A client that changes the channel closes one stream and opens the next before the tuner is free: waits for it a moment.
   *
   * @returns the stream of the channel, which ends when it is destroyed or a recording takes the tuner
   */
  async open(order: Order): Promise<Opened> {
    const { clock } = this.#parts;
    const until = clock.monotonicMs() + HDHOMERUN_LIMITS.busyMs;
    for (;;) {
      const opened = await this.#openNow(order);
      const isBusy = opened.kind === "refused" && /^(inUse|allInUse)$/.test(opened.refusal);
      if (!isBusy || this.#ended.signal.aborted || clock.monotonicMs() >= until) return opened;
      await clock.sleep(HDHOMERUN_LIMITS.busyLookMs, this.#ended.signal).catch(() => {});
    }
  }

  async #openNow({ tuner: wanted, seconds, channel, viewer }: Order): Promise<Opened> {
    const free = Array.from({ length: this.count }, (_, index) => index).filter(
      (index) => (wanted ?? index) === index && !this.#uses.has(index),
    );
    const [tuner] = free;
    if (tuner === undefined) return refused(wanted === undefined ? "allInUse" : "inUse");
    this.#uses.set(tuner, { channel, viewer });
    const release = () => this.#uses.delete(tuner);
    try {
      const stream = this.#kept(await this.#parts.live(channel.service), release);
      return {
        kind: "stream",
        tuner,
        stream: seconds === undefined ? stream : this.#limited(stream, seconds),
      };
    } catch (error) {
      release();
      if (!(error instanceof RecorderdError)) throw error;
      return refused(MEANINGS[error.code] ?? "tuneFailed");
    }
  }

  /** Ends all streams, also those that are still being opened. */
  end(): void {
    this.#ended.abort();
    for (const stream of this.#streams) stream.destroy();
  }

  #kept(stream: Readable, release: () => void): Readable {
    this.#streams.add(stream);
    // A failed stream also closes.
    stream.on("error", () => {});
    stream.once("close", () => {
      this.#streams.delete(stream);
      release();
    });
    if (this.#ended.signal.aborted) stream.destroy();
    return stream;
  }

  #limited(stream: Readable, seconds: number): Readable {
    const part = new PassThrough();
    const callOff = this.#parts.clock.after(seconds * SECOND, () => {
      stream.unpipe(part);
      part.end();
      stream.destroy();
    });
    stream.once("close", () => {
      callOff();
      // A recording took the tuner: the client sees the stream break off.
      if (!part.writableEnded) part.destroy();
    });
    part.once("close", () => stream.destroy());
    return stream.pipe(part);
  }
}

function refused(refusal: Refusal): Opened {
  return { kind: "refused", refusal };
}

/** Every other failure is a failure to tune. */
const MEANINGS: Partial<Readonly<Record<ErrorCode, Refusal>>> = {
  TUNER_BUSY: "allInUse",
  TUNER_IN_USE: "allInUse",
  STREAM_NO_DATA: "noData",
  DAEMON_NOT_READY: "busy",
};
