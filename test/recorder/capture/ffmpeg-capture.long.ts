import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
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
