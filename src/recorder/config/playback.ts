import { z } from "zod";
import { AbsolutePath } from "./values.ts";

export const Playback = z
  .strictObject({
    liveBufferMinutes: z
      .int()
      .min(1)
      .max(300)
      .default(60)
      .describe("How far back viewers can go in live television."),
    liveBufferBytes: z
      .int()
      .min(100_000_000)
      .default(8_000_000_000)
      .describe("Maximum disk space for the buffers of all services that are being watched."),
    liveFolder: AbsolutePath.optional().describe(
      "Folder for the buffers, which takes all data that is watched. Default: that of recordings.",
    ),
    conversions: z
      .int()
      .min(0)
      .max(32)
      .optional()
      .describe(
        "Number of viewers for whom ffmpeg may convert at the same time, because their devices cannot decode the broadcast. Default: half of the processor's cores, at least 1. 0: for nobody.",
      ),
    hardware: z
      .boolean()
      .default(true)
      .describe("Whether conversion uses the machine's video encoder (VAAPI or V4L2) where it works."),
  })
  .prefault({})
  .describe(
    "Playback and live television in browsers and on other devices: docs/watching.md and docs/live.md.",
  );
