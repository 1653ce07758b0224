import { afterAll } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { keepsCaptureContract } from "./capture-contract.ts";
import { hostFolders, patientWithHost } from "./host.ts";

const places = hostFolders();
afterAll(() => places[Symbol.asyncDispose]());

keepsCaptureContract({
  name: "the capture host",
  build: ({ owner, limits }) =>
    createCapture({
      owner,
      limits: patientWithHost(limits),
      ffmpegPath: "/nowhere/ffmpeg",
      clock: systemClock(),
      log: silentLog,
      openInspection,
      host: places.of(owner),
    }),
});
