import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { endCaptures } from "../../../src/recorder/wiring/captures.ts";

it("a recorder without a data folder has no captures to end", async () => {
  const config = {
    data: { folder: join(tmpdir(), "no recorder has this folder") },
    capture: { ffmpegPath: "ffmpeg", engine: "host" as const },
  };
  expect(await endCaptures(config, { clock: systemClock(), log: silentLog })).toBe(0);
});
