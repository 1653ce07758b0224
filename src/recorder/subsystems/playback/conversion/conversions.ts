import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FFMPEG_ENV, politeFfmpeg } from "../../../../kit/process/polite-ffmpeg.ts";
import type { Clock } from "../../../../kit/time/clock.ts";
import { Turns } from "../../../../kit/time/turns.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import type { DurationMs } from "../../../../model/time.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import { type Conversion, startConversion } from "./conversion.ts";
import { candidates, chooseEncoder, type Encoder, SOFTWARE } from "./encoder.ts";
import type { ConversionOrder } from "./orders.ts";

export interface ConversionsParts {
  /** Converted segments; removed at the beginning and at the end. */
  readonly folder: string;
  /** Viewers at once; 0: nobody. */
  readonly viewersMax: number;
  readonly ffmpegPath: string;
  /** Whether to try the encoders of the machine's graphics processor. */
  readonly usesHardware: boolean;
  /** The niceness of ffmpeg, as for nice(1): conversions leave the processor to recordings. */
  readonly niceness: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface ConversionRequest {
  readonly viewer: string;
  /** A viewer has one conversion of each kind: the picture with its sound, and one other sound track. */
  readonly lane: "main" | "audio";
  /** A conversion with another key is another one. */
  readonly key: string;
  readonly number: number;
  /** The conversion that begins with this segment. */
  readonly order: () => Promise<ConversionOrder>;
}

/** The conversions for viewers. */
export interface Conversions extends AsyncDisposable {
  /**
   * Checks whether a viewer may have a conversion now.
   *
   * @throws RecorderdError CONVERSION_BUSY, CONVERSION_OFF
   */
  admit(viewer: string): void;
  /** @returns the file of a converted segment @throws RecorderdError those of `admit` and `Conversion.segment` */
  segment(request: ConversionRequest): Promise<string>;
}

interface Lane {
  readonly key: string;
  readonly conversion: Conversion;
}

interface Viewer {
  readonly lanes: Map<ConversionRequest["lane"], Lane>;
  /** Beginnings and ends of its conversions, one after the other. */
  readonly turns: Turns;
  /** Requests that wait for a segment. */
  waiting: number;
  /** The time of its last request, on the monotonic clock. */
  lastMs: DurationMs;
}

/** Opens no process before the first request. */
export function createConversions(parts: ConversionsParts): Conversions {
  const { folder, viewersMax, ffmpegPath, usesHardware, niceness, clock, signal } = parts;
  const viewers = new Map<string, Viewer>();
  const leaving = new Set<Promise<void>>();
  const cleaned = rm(folder, { recursive: true, force: true });
  cleaned.catch(() => {});
  let tools: Promise<{ readonly encoder: Encoder; readonly command: readonly string[] }> | undefined;

  /** @throws RecorderdError FFMPEG_MISSING */
  async function findTools() {
    const command = await politeFfmpeg(ffmpegPath, niceness);
    const found = usesHardware ? await candidates() : [SOFTWARE];
    const encoder = await chooseEncoder(found, { ffmpegPath, env: FFMPEG_ENV, clock, signal });
    return { encoder, command };
  }

  function admit(name: string): void {
    if (viewersMax === 0)
      throw new RecorderdError(
        "CONVERSION_OFF",
        "This device cannot play the broadcast as it is, and conversion is switched off (playback.conversions). VLC plays it without conversion.",
      );
    if (viewers.has(name) || viewers.size < viewersMax) return;
    throw new RecorderdError("CONVERSION_BUSY", busyText(viewersMax));
  }

  function viewerOf(name: string): Viewer {
    const known = viewers.get(name);
    if (known !== undefined) return known;
    const made: Viewer = {
      lanes: new Map(),
      turns: new Turns(),
      waiting: 0,
      lastMs: clock.monotonicMs(),
    };
    viewers.set(name, made);
    void watch(name, made);
    return made;
  }

  /** Ends a viewer's conversions when nothing is requested any more. */
  async function watch(name: string, viewer: Viewer): Promise<void> {
    const leftMs = () =>
      (viewer.waiting > 0 ? clock.monotonicMs() : viewer.lastMs) +
      PLAYBACK_LIMITS.convertIdleMs -
      clock.monotonicMs();
    try {
      for (let ms = leftMs(); ms > 0; ms = leftMs()) await clock.sleep(ms, signal);
    } catch {
      // The recorder ends: disposing waits for the conversions.
      return;
    }
    await leave(name, viewer);
  }

  async function leave(name: string, viewer: Viewer): Promise<void> {
    if (viewers.get(name) === viewer) viewers.delete(name);
    const left = viewer.turns.run(async () => {
      for (const lane of [...viewer.lanes.keys()]) await drop(viewer, lane);
    });
    leaving.add(left);
    await left.catch(() => {});
    leaving.delete(left);
  }

  async function drop(viewer: Viewer, lane: ConversionRequest["lane"]): Promise<void> {
    const found = viewer.lanes.get(lane);
    viewer.lanes.delete(lane);
    await found?.conversion[Symbol.asyncDispose]();
  }

  /** The conversion that has the segment, or one that begins with it. */
  async function conversionFor(viewer: Viewer, request: ConversionRequest): Promise<Conversion> {
    const { lane, key, number } = request;
    const known = viewer.lanes.get(lane);
    if (known?.key === key && known.conversion.covers(number)) return known.conversion;
    await drop(viewer, lane);
    signal.throwIfAborted();
    const order = await request.order();
    tools ??= findTools().catch((error: unknown) => {
      tools = undefined;
      throw error;
    });
    const { encoder, command } = await tools;
    await cleaned;
    const place = join(folder, randomUUID());
    const conversion = startConversion(order, { command, env: FFMPEG_ENV, encoder, folder: place, clock });
    viewer.lanes.set(lane, { key, conversion });
    return conversion;
  }

  async function segment(viewer: Viewer, request: ConversionRequest): Promise<string> {
    const conversion = await viewer.turns.run(() => conversionFor(viewer, request));
    try {
      return await conversion.segment(request.number);
    } catch (error) {
      // It worked, and was killed, perhaps for lack of memory.
      if (!conversion.wasBroken || signal.aborted) throw error;
    }
    const again = await viewer.turns.run(() => conversionFor(viewer, request));
    return await again.segment(request.number);
  }

  return {
    admit,
    segment: async (request) => {
      admit(request.viewer);
      const viewer = viewerOf(request.viewer);
      viewer.waiting += 1;
      try {
        return await segment(viewer, request);
      } finally {
        viewer.waiting -= 1;
        viewer.lastMs = clock.monotonicMs();
        // A request that failed holds no place.
        if (viewer.waiting === 0 && viewer.lanes.size === 0) await leave(request.viewer, viewer);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...viewers].map(([name, viewer]) => leave(name, viewer)));
      await Promise.allSettled(leaving);
      await cleaned.catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function busyText(viewersMax: number): string {
  const others = viewersMax === 1 ? "another viewer" : `${viewersMax} other viewers`;
  return `The recorder already converts for ${others}, its limit (playback.conversions). Try again when one of them has stopped, or use VLC, which plays the broadcast without conversion.`;
}
