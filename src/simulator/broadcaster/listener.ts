import type { ServerResponse } from "node:http";
import type { Clock } from "../../kit/time/clock.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";

/** An endless transport stream: packet `index` is always the same and belongs to one instant. */
export interface EndlessStream {
  /** The first packet whose instant is not before `at`. */
  indexAt(at: EpochMs): number;
  /** The broadcast time of packet `index`; not always a full millisecond. */
  instantOf(index: number): EpochMs;
  /** Packets `from` up to, not including, `to`. */
  packets(from: number, to: number): Buffer;
}

/** Interval of sending. */
const TICK_MS = 20;
/** A reader with more lag is disconnected. */
const BEHIND_MS_MAX = 10 * SECOND;
/** Longest burst, so that a reader that catches up does not delay the others. */
const BURST_MS_MAX = SECOND;

/**
 * Sends a stream in real time from packet `from` on until the reader disconnects. A slow reader loses nothing: packets are
 * generated when it can take them.
 *
 * @returns `gone`: the reader disconnected. `behind`: it read too slowly and was cut off
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
