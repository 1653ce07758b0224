import { z } from "zod";
import { HOOK_POINTS } from "../../model/library.ts";

const Bytes = z.int().min(0);
const Days = z.number().gt(0).max(36_500);

export const Space = z
  .strictObject({
    lowBytes: Bytes.default(2_000_000_000).describe(
      "Low-water mark: with less free, recordings that do not fit into the rest give way to more important ones.",
    ),
    stopBytes: Bytes.default(200_000_000).describe("Stop mark: with less free, nothing is recorded."),
  })
  .refine(({ lowBytes, stopBytes }) => stopBytes <= lowBytes, {
    path: ["stopBytes"],
    error: "expected at most lowBytes",
  })
  .prefault({})
  .describe("What happens when the disk of recordings fills.");

export const Retention = z
  .strictObject({
    days: Days.optional().describe("Recordings are removed so many days after their end."),
    watchedDays: Days.optional().describe("Watched ones so many days after their end."),
    keepPerSeries: z
      .int()
      .min(1)
      .optional()
      .describe("Of each series, or title where it is none, the newest so many stay."),
    freeBytes: Bytes.optional().describe("With less free, the oldest are removed, watched ones first."),
  })
  .prefault({})
  .describe("What is removed by itself. Without any of these, nothing ever is; protected recordings never.");

const Hook = z
  .strictObject({
    on: z.array(z.enum(HOOK_POINTS)).min(1).describe("When it is run."),
    command: z
      .array(z.string().min(1))
      .min(1)
      .max(64)
      .describe("Program and arguments; no shell interprets them."),
    shell: z
      .boolean()
      .default(false)
      .describe("The command is one line for /bin/sh: then mind what titles may hold."),
    timeoutSeconds: z.int().min(1).max(86_400).default(60).describe("It is killed after so long."),
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
  .describe("Which streams go over; of subtitles, MP4 holds none and Matroska no teletext.");
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
        .describe("ffmpeg's name of it; `auto` takes the software encoder."),
      quality: z.int().min(0).max(63).default(23).describe("CRF, or what is like it; lower is better."),
    }),
  ])
  .default({ kind: "verbatim" })
  .describe("What a recording becomes when it has ended. It is always captured as broadcast.");

export const Jobs = z
  .strictObject({
    keepOriginal: z
      .boolean()
      .default(true)
      .describe("What was converted stays. Otherwise it goes when the result is verified."),
    thumbnail: z.boolean().default(false).describe("A picture next to each recording."),
    chapters: z.boolean().default(false).describe("Chapters: begin and end of the event, every ten minutes."),
    commercials: z.boolean().default(false).describe("Breaks, found by comskip where it is installed."),
    comskipPath: z.string().min(1).default("comskip").describe("A program name, or an absolute path."),
    whileRecording: z.boolean().default(false).describe("Jobs run also while something is recorded."),
    verify: z
      .enum(["off", "weekly", "monthly"])
      .default("off")
      .describe("How often each recording is read and compared with what was written."),
    quietMinutes: z.int().min(0).max(1440).default(5).describe("None runs so shortly before a recording."),
  })
  .prefault({})
  .describe("Work on recordings that have ended, one at a time and niced.");
