import { join } from "node:path";
import { readFile } from "../../../kit/files/steady-fs.ts";
import { FFMPEG_ENV, politeFfmpeg } from "../../../kit/process/polite-ffmpeg.ts";
import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { Turns } from "../../../kit/time/turns.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { DurationMs } from "../../../model/time.ts";
import { runConverter } from "./conversion/converter.ts";
import { firstDecodablePackets } from "./hls/segment-packets.ts";
import type { Segment } from "./hls/segments.ts";
import type { HlsParts, HlsSource } from "./hls/source.ts";
import { tablesAt } from "./hls/source-tracks.ts";
import { keepPicture } from "./kept-pictures.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";
import { createRecentFailures } from "./recent-failures.ts";

export interface StillsParts {
  /** Pictures of finished recordings are kept here. */
  readonly folder: string;
  readonly sourceOf: (recordingId: string) => HlsSource;
  readonly ffmpegPath: string;
  /** The niceness of ffmpeg, as for nice(1): pictures leave the processor to recordings. */
  readonly niceness: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface Stills {
  /**
   * A picture of a recording, as JPEG: made once for a finished one, now and then for a growing one.
   *
   * @throws RecorderdError INDEX_UNUSABLE, RECORDING_UNKNOWN, FFMPEG_FAILED, FFMPEG_MISSING and others
   */
  open(recordingId: string): Promise<Still>;
}

export interface Still {
  readonly bytes: Buffer;
  readonly isGrowing: boolean;
}

/** The share of a recording that has passed where its picture is taken: behind the titles. */
const PLACE = 1 / 3;
const ENDING = ".jpg";

/** Pictures of recordings, made from a few pictures at a third of their length when somebody looks at them first. */
export function createStills(parts: StillsParts): Stills {
  const { folder, sourceOf, ffmpegPath, niceness, clock, signal } = parts;
  /** Pictures of growing recordings; times on the monotonic clock. */
  const growing = new Map<string, { readonly bytes: Buffer; readonly madeMs: DurationMs }>();
  /** Recordings without a usable picture, such as those of radio. */
  const failures = createRecentFailures(clock, {
    forMs: PLAYBACK_LIMITS.stillFreshMs,
    most: PLAYBACK_LIMITS.stillsKept,
  });
  const making = new Map<string, Promise<Still>>();
  const turns = new Turns();
  let command: Promise<readonly string[]> | undefined;

  async function made(id: string): Promise<Still> {
    const source = sourceOf(id);
    const now = await source.parts("segment");
    const segment = now.segments[Math.floor(now.segments.length * PLACE)];
    if (segment === undefined)
      throw new RecorderdError("INDEX_UNUSABLE", "The recording has no picture that can be shown yet.");
    const bytes = await pictureOf(source, now, segment);
    if (now.isGrowing) growing.set(id, { bytes, madeMs: clock.monotonicMs() });
    else {
      growing.delete(id);
      // A picture that cannot be kept is made again next time.
      const place = { folder, name: nameOf(id), most: PLAYBACK_LIMITS.stillsKept };
      await keepPicture(bytes, place).catch(() => {});
    }
    return { bytes, isGrowing: now.isGrowing };
  }

  async function pictureOf(source: HlsSource, now: HlsParts, segment: Segment): Promise<Buffer> {
    command ??= politeFfmpeg(ffmpegPath, niceness);
    const begin = await command.catch((error: unknown) => {
      command = undefined;
      throw error;
    });
    const output: Buffer[] = [];
    async function* input() {
      yield tablesAt(now, segment);
      yield* firstDecodablePackets(source, segment);
    }
    const timeoutError = () => new RecorderdError("FFMPEG_FAILED", "The picture took too long.");
    await withDeadline(clock, { ms: PLAYBACK_LIMITS.stillMs, signal, timeoutError }, (within) =>
      runConverter({
        command: [...begin, ...STILL_ARGUMENTS],
        env: FFMPEG_ENV,
        input,
        onOutput: async (bytes) => void output.push(bytes),
        signal: within,
      }),
    );
    if (output.length === 0) throw noPicture();
    return Buffer.concat(output);
  }

  /** One after the other: a page asks for many at once. Concurrent requests for one share it. */
  function inTurn(id: string): Promise<Still> {
    const running = making.get(id);
    if (running !== undefined) return running;
    if (making.size >= PLAYBACK_LIMITS.stillsWaiting)
      throw new RecorderdError("CONVERSION_BUSY", "Too many pictures are waiting: try again later.");
    const begun = turns
      .run(() => made(id))
      .catch((error: unknown) => {
        failures.note(id);
        throw error;
      })
      .finally(() => making.delete(id));
    making.set(id, begun);
    return begun;
  }

  return {
    open: async (id) => {
      const kept = await readFile(join(folder, nameOf(id))).catch(() => undefined);
      if (kept !== undefined) return { bytes: kept, isGrowing: false };
      const earlier = growing.get(id);
      if (earlier !== undefined && clock.monotonicMs() - earlier.madeMs < PLAYBACK_LIMITS.stillFreshMs)
        return { bytes: earlier.bytes, isGrowing: true };
      if (failures.has(id)) throw noPicture();
      return await inTurn(id);
    },
  };
}

function noPicture(): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", "The recording has no picture that can be shown.");
}

/** Square pixels; lines of an interlaced picture are joined. */
const STILL_ARGUMENTS = [
  ...["-v", "error", "-nostdin", "-f", "mpegts", "-i", "pipe:0", "-map", "0:v:0", "-frames:v", "1"],
  "-vf",
  [
    "yadif=deint=interlaced",
    `thumbnail=${PLAYBACK_LIMITS.stillChoice}`,
    `scale=${PLAYBACK_LIMITS.stillWidth}:trunc(ow/dar/2)*2`,
    "setsar=1",
  ].join(","),
  ...["-q:v", "4", "-f", "image2pipe", "-c:v", "mjpeg", "pipe:1"],
];

/** Ids are counted by the recorder, and are plain already; a name from elsewhere must not leave the folder. */
function nameOf(id: string): string {
  return `${encodeURIComponent(id).replaceAll(".", "%2E")}${ENDING}`;
}
