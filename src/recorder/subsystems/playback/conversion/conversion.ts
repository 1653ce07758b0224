import type { Clock } from "../../../../kit/time/clock.ts";
import { leadInOf } from "../hls/segments.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import { conversionArguments, FIRST_PID, MAP_PID } from "./arguments.ts";
import { conversionFailed, runConverter } from "./converter.ts";
import type { Encoder } from "./encoder.ts";
import { feed } from "./feed.ts";
import type { ConversionOrder, ConvertedStreams } from "./orders.ts";
import { SegmentCutter } from "./segment-cutter.ts";
import { SegmentShelf } from "./segment-shelf.ts";

export interface ConversionParts {
  /** The command that runs ffmpeg at low priority, without ffmpeg's arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly encoder: Encoder;
  /** A folder of its own. */
  readonly folder: string;
  readonly clock: Clock;
}

/** One ffmpeg that converts a source from one segment on. Disposing it leaves neither process nor files. */
export interface Conversion extends AsyncDisposable {
  /** Whether it failed after it had converted something. */
  readonly wasBroken: boolean;
  /** Whether it has this segment, or will soon. */
  covers(number: number): boolean;
  /**
   * Waits for a segment. @returns its file, which is removed when the viewer is far beyond it
   * @throws RecorderdError FFMPEG_FAILED, FFMPEG_MISSING, WRITE_FAILED, and those of the source
   */
  segment(number: number): Promise<string>;
}

export function startConversion(order: ConversionOrder, parts: ConversionParts): Conversion {
  const { folder, clock, command, env, encoder } = parts;
  const ending = new AbortController();
  const { signal } = ending;
  const shelf = new SegmentShelf(folder, order.first.number);
  const cutter = cutterFor(order.streams);
  let progressMs = clock.monotonicMs();
  let state: { readonly kind: "running" | "over" } | { readonly kind: "failed"; readonly error: unknown } = {
    kind: "running",
  };

  async function run(): Promise<void> {
    await runConverter({
      command: [...command, ...conversionArguments(order.streams, encoder)],
      env,
      input: (until) =>
        feed(order, {
          clock,
          signal: until,
          isWanted: (number) => untilNear(number, until),
          onSegment: (segment) => cutter.begin({ ...segment, isKey: leadInOf(segment) === 0 }),
        }),
      onOutput: async (bytes) => {
        progressMs = clock.monotonicMs();
        for (const segment of cutter.push(bytes)) await shelf.add(segment);
        if (cutter.pendingBytes > PLAYBACK_LIMITS.convertPendingBytes)
          throw conversionFailed("its output has too few key frames");
      },
      signal,
    });
    for (const segment of cutter.end()) await shelf.add(segment);
  }

  /** Pauses a conversion that is far ahead of its viewer. */
  async function untilNear(number: number, until: AbortSignal): Promise<void> {
    while (!shelf.isNear(number)) {
      await clock.sleep(PLAYBACK_LIMITS.convertLookMs, until);
      // ffmpeg gets nothing, so it writes nothing.
      progressMs = clock.monotonicMs();
    }
  }

  const done = run().then(
    () => {
      state = { kind: "over" };
    },
    (error: unknown) => {
      state = { kind: "failed", error };
    },
  );

  /** Why a segment that is not there will not come; `undefined`: it will. */
  function reason(number: number, untilMs: number): unknown {
    const nowMs = clock.monotonicMs();
    if (state.kind === "failed") return state.error;
    if (state.kind === "over" || number < shelf.next) return conversionFailed("it left out a part");
    if (nowMs - progressMs > PLAYBACK_LIMITS.convertStallMs)
      return conversionFailed("ffmpeg stopped writing");
    return nowMs > untilMs ? conversionFailed("this machine is too slow for it") : undefined;
  }

  return {
    get wasBroken() {
      return state.kind === "failed" && shelf.next > order.first.number;
    },
    covers: (number) => {
      const isSoon = number >= shelf.next && number <= shelf.next + PLAYBACK_LIMITS.convertReachSegments;
      return state.kind !== "failed" && (shelf.has(number) || (state.kind === "running" && isSoon));
    },
    segment: async (number) => {
      const untilMs = clock.monotonicMs() + PLAYBACK_LIMITS.convertWaitMs;
      for (;;) {
        const file = shelf.want(number);
        if (file !== undefined) return file;
        const why = reason(number, untilMs);
        if (why !== undefined) throw why;
        await clock.sleep(PLAYBACK_LIMITS.convertLookMs, signal);
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort(conversionFailed("it was ended"));
      await done;
      await shelf.remove();
    },
  };
}

function cutterFor({ video, audio }: ConvertedStreams): SegmentCutter {
  const streams = [video, audio].filter((stream) => stream !== undefined);
  return new SegmentCutter({
    pids: streams.map((_, at) => FIRST_PID + at),
    videoPid: video === undefined ? undefined : FIRST_PID,
    mapPid: MAP_PID,
  });
}
