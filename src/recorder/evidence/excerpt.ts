import { runBounded } from "../../kit/process/bounded-process.ts";
import { FFMPEG_ENV, politeFfmpeg } from "../../kit/process/polite-ffmpeg.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { Turns } from "../../kit/time/turns.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Lack } from "../../model/inspection.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { EVIDENCE_LIMITS } from "./limits.ts";

/** Some seconds of picture or sound in a file. */
export interface Excerpt {
  readonly file: string;
  readonly pid: number;
  readonly kind: Lack["kind"];
  readonly lengthMs: DurationMs;
  /** Time before it, in which a key picture may come. It is not judged. */
  readonly leadMs?: DurationMs;
  /** Bytes of the file, with the time before it. */
  readonly from: number;
  readonly to: number;
}

/** Whether it decodes; `undefined` if no decoder could judge. */
export type DecodesExcerpt = (excerpt: Excerpt, signal: AbortSignal) => Promise<boolean | undefined>;

/** The lowest priority: it has time. */
const NICENESS = 19;
/** Larger than any broadcast; a damaged header may announce more. */
const PIXELS_MAX = 7680 * 4320;
/** One line for each packet (stream 0) and each decoded picture or portion of sound (stream 1). */
const LINE = /^([01]), *-?\d+, *(-?\d+), *(\d+), /;
const OUTPUT_BYTES_MAX = 1024 * 1024;
const NO_DECODER = /decoder .*not found|no decoder found|unknown decoder/i;
/** The least share of the time from the first decoded picture on; not all pictures of a film are equally long. */
const PICTURES_FROM = 1 / 3;
/** The same of the sound: a frame whose rest is missing may decode. */
const SOUND_FROM = 2 / 3;
/** The first key picture may be near the end. */
const DECODED_FROM = 1 / 12;

/** Decodes excerpts with ffmpeg, one after the other. */
export function excerptDecoder({
  ffmpegPath,
  clock,
}: {
  readonly ffmpegPath: string;
  readonly clock: Clock;
}): DecodesExcerpt {
  const turns = new Turns();
  const decode: DecodesExcerpt = async (excerpt, signal) => {
    const begin = await politeFfmpeg(ffmpegPath, NICENESS).catch((error: unknown) => {
      if (error instanceof RecorderdError) return undefined;
      throw error;
    });
    const [command, ...args] = begin ?? [];
    if (command === undefined) return undefined;
    const { excerptDecodingMs: timeoutMs } = EVIDENCE_LIMITS;
    const order = { command, args: [...args, ...argumentsFor(excerpt)], env: FFMPEG_ENV, timeoutMs };
    const end = await runBounded({ ...order, outputBytesMax: OUTPUT_BYTES_MAX }, { clock, signal });
    const hasJudged = end.how === "exited" && !NO_DECODER.test(end.output);
    return hasJudged ? decodes(excerpt, end.answer) : undefined;
  };
  return (excerpt, signal) => turns.run(() => decode(excerpt, signal));
}

/** Errors are not concealed: a decoder would make pictures from nothing. */
function argumentsFor({ file, pid, from, to }: Excerpt): readonly string[] {
  return [
    ...["-v", "error", "-nostdin", "-threads", "1", "-max_pixels", `${PIXELS_MAX}`],
    ...["-ec", "0", "-err_detect", "explode", "-f", "mpegts"],
    ...["-i", `subfile,,start,${from},end,${to},,:${file}`],
    ...["-map", `0:i:${pid}`, "-map", `0:i:${pid}`, "-c:0", "copy", "-f", "framecrc", "pipe:1"],
  ];
}

/** @param answer in the format framecrc */
function decodes({ kind, lengthMs, leadMs = 0 }: Excerpt, answer: string): boolean {
  const all = linesOf(answer, "0");
  const from = (earliest(all) ?? 0) + leadMs / SECOND;
  const judged = (lines: readonly Line[]) => (leadMs === 0 ? lines : lines.filter(({ at }) => at >= from));
  const [packets, decoded] = [judged(all), judged(linesOf(answer, "1"))];
  const [sent, first] = [earliest(packets), earliest(decoded)];
  const decodedS = kind === "picture" ? picturesSeconds(decoded) : soundSeconds(decoded);
  const allS = lengthMs / SECOND;
  if (sent === undefined || first === undefined || decodedS < DECODED_FROM * allS) return false;
  const share = kind === "picture" ? PICTURES_FROM : SOUND_FROM;
  return decodedS >= share * (allS - Math.max(0, first - sent));
}

/** In seconds. */
interface Line {
  readonly at: number;
  readonly duration: number;
}

function linesOf(answer: string, stream: "0" | "1"): readonly Line[] {
  const [, over, under] = new RegExp(`^#tb ${stream}: (\\d+)/(\\d+)`, "m").exec(answer) ?? [];
  const tick = Number(over ?? 0) / Number(under ?? 1);
  return answer.split("\n").flatMap((line) => {
    const [, of, pts, duration] = LINE.exec(line) ?? [];
    return of === stream ? [{ at: Number(pts) * tick, duration: Number(duration) * tick }] : [];
  });
}

function earliest(lines: readonly Line[]): number | undefined {
  return lines.length === 0 ? undefined : Math.min(...lines.map(({ at }) => at));
}

/** The time of decoded pictures. Missing ones make the others look longer, and ffmpeg may guess a wrong rate. */
function picturesSeconds(pictures: readonly Line[]): number {
  const steps = pictures.slice(1).map(({ at }, index) => at - (pictures[index]?.at ?? at));
  const lengths = [...steps, ...pictures.map(({ duration }) => duration)].filter((length) => length > 0);
  return lengths.length === 0 ? 0 : pictures.length * Math.min(...lengths);
}

function soundSeconds(portions: readonly Line[]): number {
  return portions.reduce((sum, { duration }) => sum + duration, 0);
}
