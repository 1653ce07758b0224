import { z } from "zod";
import { HOOK_POINTS } from "../../model/library.ts";

const Bytes = z.int().min(0);
const Days = z.number().gt(0).max(36_500);

export const Space = z
  .strictObject({
    lowBytes: Bytes.default(2_000_000_000).describe(
      "Low-water mark: with less free space, recordings that do not fit yield to more important ones.",
    ),
    stopBytes: Bytes.default(200_000_000).describe("Stop mark: with less free space, nothing is recorded."),
  })
  .refine(({ lowBytes, stopBytes }) => stopBytes <= lowBytes, {
    path: ["stopBytes"],
    error: "expected at most lowBytes",
  })
  .prefault({})
  .describe("Limits for a disk that fills up.");

export const Retention = z
  .strictObject({
    days: Days.optional().describe("Number of days after which a recording is removed."),
    watchedDays: Days.optional().describe("Number of days after which a watched recording is removed."),
    keepPerSeries: z
      .int()
      .min(1)
      .optional()
      .describe("Number of newest recordings to keep of each series, or of each title outside a series."),
    freeBytes: Bytes.optional().describe(
      "With less free space, the oldest recordings are removed, watched ones first.",
    ),
  })
  .prefault({})
  .describe(
    "Which recordings are removed automatically. Without any of these keys, none are. Protected recordings are never removed.",
  );

const Hook = z
  .strictObject({
    on: z.array(z.enum(HOOK_POINTS)).min(1).describe("The events that run it."),
    command: z
      .array(z.string().min(1))
      .min(1)
      .max(64)
      .describe("Program and arguments; no shell interprets them."),
    shell: z
      .boolean()
      .default(false)
      .describe("The command is one line for /bin/sh. Titles can contain any character, so quote them."),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(60)
      .describe("Time limit, after which the command is killed."),
  })
  .refine(({ command, shell }) => !shell || command.length === 1, {
    path: ["command"],
    error: "expected one line for the shell",
  });

export const Hooks = z
  .array(Hook)
  .max(32)
  .default([])
  .describe(
    "Commands run for events of recordings: facts in the environment (RECORDERD_…) and as JSON on stdin.",
  );

const Streams = z
  .array(z.enum(["video", "audio", "subtitles"]))
  .min(1)
  .default(["video", "audio", "subtitles"])
  .describe("Streams to keep. MP4 cannot hold subtitles, and Matroska cannot hold teletext.");
const Container = z.enum(["ts", "mkv", "mp4"]).default("mkv");

export const Profile = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("verbatim") }),
    z.strictObject({ kind: z.literal("remux"), container: Container, streams: Streams }),
    z.strictObject({
      kind: z.literal("transcode"),
      container: z.enum(["mkv", "mp4"]).default("mkv"),
      streams: Streams,
      codec: z.enum(["h264", "hevc", "av1"]),
      encoder: z
        .string()
        .regex(/^[a-z0-9_-]+$/, "expected an encoder's name such as hevc_nvenc, or auto")
        .default("auto")
        .describe("ffmpeg's name of the encoder; `auto` uses the software encoder."),
      quality: z.int().min(0).max(63).default(23).describe("CRF or its equivalent; lower is better."),
    }),
  ])
  .default({ kind: "verbatim" })
  .describe("Format to convert a finished recording to. It is always captured as broadcast.");

export const Jobs = z
  .strictObject({
    keepOriginal: z
      .boolean()
      .default(true)
      .describe("Whether to keep the original. Otherwise it is removed once the result is verified."),
    thumbnail: z
      .boolean()
      .default(false)
      .describe("Whether to save a thumbnail (`-thumb.jpg`) next to each recording."),
    chapters: z
      .boolean()
      .default(false)
      .describe("Whether to write chapters: begin and end of the event, every ten minutes, and gaps."),
    commercials: z
      .boolean()
      .default(false)
      .describe("Whether to find commercial breaks with comskip, if it is installed. Kodi skips them."),
    comskipPath: z.string().min(1).default("comskip").describe("A program name, or an absolute path."),
    whileRecording: z.boolean().default(false).describe("Whether jobs also run during recordings."),
    verify: z
      .enum(["off", "weekly", "monthly"])
      .default("off")
      .describe("How often each recording is read and compared with its checksum."),
    quietMinutes: z
      .int()
      .min(0)
      .max(1440)
      .default(5)
      .describe("Time before a recording in which no job runs."),
  })
  .prefault({})
  .describe("Jobs on finished recordings; one runs at a time, with low priority.");
