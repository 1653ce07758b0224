import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runFfmpeg } from "../../src/kit/process/ffmpeg.ts";
import { outOfPatience } from "../patience.ts";

// In a file of its own: where ffmpeg lies is looked up once per process.
beforeAll(() => {
  vi.stubEnv("PATH", import.meta.dirname);
  vi.stubEnv("FFMPEG_PATH", "");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe("a machine without ffmpeg", () => {
  it("gets the name of the package to install, on every request", async () => {
    for (const attempt of [1, 2]) {
      const run = runFfmpeg(
        (command) => command.input(`none-${attempt}.ts`).videoCodec("copy").output("-").format("null"),
        { signal: outOfPatience() },
      );
      await expect(run).rejects.toMatchObject({
        code: "FFMPEG_MISSING",
        message: expect.stringContaining("apt install ffmpeg"),
      });
    }
  });
});
