import { createCapture } from "../../src/capture/capture.ts";
import { openInspection } from "../../src/inspect/file-inspection.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import { keepsCaptureContract } from "./capture-contract.ts";

keepsCaptureContract({
  name: "ffmpeg",
  build: ({ owner, limits }) =>
    createCapture({
      owner,
      limits,
      ffmpegPath: "ffmpeg",
      clock: systemClock(),
      log: silentLog,
      openInspection,
    }),
});
