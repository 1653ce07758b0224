import { z } from "zod";

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
      .describe("Most disk space for this, for all services that are watched together."),
    liveFolder: z
      .string()
      .regex(/^\//, "expected an absolute path")
      .optional()
      .describe("Folder for the buffers, which takes all data that is watched. Default: that of recordings."),
  })
  .prefault({})
  .describe("Live television in browsers and by HLS: docs/watching.md.");
