import type { ServerResponse } from "node:http";
import type { Clock } from "../../kit/time/clock.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";

/** A transport stream without begin and end: packet `index` is always the same and belongs to one instant. */
export interface EndlessStream {
  /** The first packet whose instant is not before `at`. */
  indexAt(at: EpochMs): number;
  /** When packet `index` is on the air; not always a full millisecond. */
  instantOf(index: number): EpochMs;
  /** Packets `from` up to, not including, `to`. */
  packets(from: number, to: number): Buffer;
}

/** What is due is sent so often. */
const TICK_MS = 20;
/** A reader that is further behind than this is disconnected. */
const BEHIND_MS_MAX = 10 * SECOND;
/** At most so much at once, so that one who has to catch up does not hold up the others. */
const BURST_MS_MAX = SECOND;

/**
 * Sends a stream in real time, from packet `from` on until the reader goes away. A slow reader is waited for and loses
 * nothing: its place is remembered, and packets are made when it can take them.
 *
 * @returns `gone`: the reader went away. `behind`: it read too slowly, and what it has is not all
 * @throws the signal's reason
 */
export async function sendTo(
  response: ServerResponse,
  {
    stream,
    from,
    clock,
    signal,
  }: {
    readonly stream: EndlessStream;
    readonly from: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<"gone" | "behind"> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const either = AbortSignal.any([gone.signal, signal]);
  let next = from;
  while (!gone.signal.aborted) {
    const now = clock.now();
    if (now - stream.instantOf(next) > BEHIND_MS_MAX) return "behind";
    const stop = stream.indexAt(Math.min(now, stream.instantOf(next) + BURST_MS_MAX));
    if (!response.writableNeedDrain && stop > next) {
      response.write(stream.packets(next, stop));
      next = stop;
    }
    try {
      await clock.sleep(TICK_MS, either);
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  }
  return "gone";
}
