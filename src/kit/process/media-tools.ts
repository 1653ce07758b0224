import { z } from "zod";
import { RecorderdError } from "../../model/errors.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { parseJson } from "../text/parse-json.ts";
import type { Clock } from "../time/clock.ts";
import { type BoundedEnd, runBounded } from "./bounded-process.ts";
import { PROCESS_LIMITS } from "./limits.ts";

/** The result of ffprobe. */
export interface MediaFacts {
  readonly durationMs: DurationMs;
  readonly streams: readonly MediaStream[];
}

export interface MediaStream {
  readonly index: number;
  /** `video`, `audio`, `subtitle`, `data` … */
  readonly type: string;
  /** ffmpeg's codec name. */
  readonly codec: string;
}

interface ToolParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const Answer = z.object({
  format: z.object({ duration: z.coerce.number().optional() }).optional(),
  streams: z
    .array(
      z.object({ index: z.int(), codec_type: z.string().default(""), codec_name: z.string().default("") }),
    )
    .default([]),
});

/**
 * The formats that a recording or a picture may have. ffmpeg goes by the first bytes of a file, and a list of other files (HLS,
 * ffconcat) before a transport stream would make it read those.
 */
export const FILM_FORMATS = [
  "-format_whitelist",
  "mpegts,mpeg,matroska,mov,avi,nuv,image2,jpeg_pipe",
] as const;

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** @throws RecorderdError FILE_UNREADABLE when ffprobe does not recognise the file */
export async function probeMedia(file: string, parts: ToolParts): Promise<MediaFacts> {
  const asked = [
    ...FILM_FORMATS,
    "-v",
    "error",
    "-of",
    "json",
    "-show_entries",
    "format=duration:stream=index,codec_type,codec_name",
  ];
  const end = await askTool("ffprobe", [...asked, `file:${file}`], parts);
  const parsed = end.code === 0 ? Answer.safeParse(parseJson(end.answer)) : undefined;
  if (parsed?.data === undefined) {
    throw new RecorderdError("FILE_UNREADABLE", `ffprobe cannot read ${file}: ${end.output.slice(-300)}`, {
      file,
    });
  }
  const { format, streams } = parsed.data;
  return {
    durationMs: (format?.duration ?? 0) * SECOND,
    streams: streams.map(({ index, codec_type: type, codec_name: codec }) => ({ index, type, codec })),
  };
}

/** Runs a quick tool, found in the usual places. */
export function askTool(command: string, args: readonly string[], parts: ToolParts): Promise<BoundedEnd> {
  const { toolAnswerMs: timeoutMs, toolAnswerBytes: outputBytesMax } = PROCESS_LIMITS;
  return runBounded({ command, args, env: { PATH, LC_ALL: "C" }, timeoutMs, outputBytesMax }, parts);
}
