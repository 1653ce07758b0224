import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FfmpegCommand } from "fluent-ffmpeg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runFfmpeg } from "../../../src/kit/process/ffmpeg.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-ffmpeg-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function signal(): AbortSignal {
  return AbortSignal.timeout(30_000);
}

/** A sound that never ends by itself. */
function endless(command: FfmpegCommand): FfmpegCommand {
  return command.input("sine").inputFormat("lavfi").inputOptions("-re").output("-").format("null");
}

describe("an ffmpeg command", () => {
  it("may read what ffmpeg generates, and has written its output when it returns", async () => {
    const file = join(folder, "beep.aac");
    await runFfmpeg((command) => command.input("sine=duration=1").inputFormat("lavfi").output(file), {
      signal: signal(),
    });
    expect((await readFile(file)).readUInt16BE(0) & 0xfff0).toBe(0xfff0);
  });

  it("fails with what ffmpeg said when it does not succeed", async () => {
    const run = runFfmpeg((command) => command.input(join(folder, "none.ts")).output("-").format("null"), {
      signal: signal(),
    });
    await expect(run).rejects.toMatchObject({
      code: "FFMPEG_FAILED",
      message: expect.stringContaining("No such file"),
    });
  });

  it("leaves it to ffmpeg to say which encoder it does not have", async () => {
    const run = runFfmpeg((command) => endless(command).audioCodec("nonesuch"), { signal: signal() });
    await expect(run).rejects.toMatchObject({
      code: "FFMPEG_FAILED",
      message: expect.stringContaining("nonesuch"),
    });
  });

  it("ends with the reason of the signal, and its process with it, when called off while it runs", async () => {
    const controller = new AbortController();
    const reason = new Error("called off");
    let pid: number | undefined;
    const run = runFfmpeg(
      (command) => {
        endless(command).on("start", () => {
          pid = (command as unknown as { readonly ffmpegProc: { readonly pid: number } }).ffmpegProc.pid;
          controller.abort(reason);
        });
      },
      { signal: controller.signal },
    );
    await expect(run).rejects.toBe(reason);
    expect(pid).toBeGreaterThan(0);
    expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
  });

  it("is called off also before its process exists, and before it is asked for", async () => {
    const controller = new AbortController();
    const reason = new Error("called off");
    const run = runFfmpeg(endless, { signal: controller.signal });
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    await expect(runFfmpeg(endless, { signal: controller.signal })).rejects.toBe(reason);
  });
});
