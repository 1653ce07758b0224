import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FfmpegCommand } from "fluent-ffmpeg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runFfmpeg } from "../../../src/kit/process/ffmpeg.ts";
import { reasonOf, withoutParts } from "../../../src/kit/process/ffmpeg-words.ts";
import { outOfPatience } from "../../patience.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-ffmpeg-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function signal(): AbortSignal {
  return outOfPatience();
}

/** A sound that never ends by itself. */
function endless(command: FfmpegCommand): FfmpegCommand {
  return command.input("sine").inputFormat("lavfi").inputOptions("-re").output("-").format("null");
}

describe("an ffmpeg command", () => {
  it("may read ffmpeg's generated input, and has written its output when it returns", async () => {
    const file = join(folder, "beep.aac");
    await runFfmpeg((command) => command.input("sine=duration=1").inputFormat("lavfi").output(file), {
      signal: signal(),
    });
    expect((await readFile(file)).readUInt16BE(0) & 0xfff0).toBe(0xfff0);
  });

  it("fails with ffmpeg's message", async () => {
    const run = runFfmpeg((command) => command.input(join(folder, "none.ts")).output("-").format("null"), {
      signal: signal(),
    });
    await expect(run).rejects.toMatchObject({
      code: "FFMPEG_FAILED",
      message: expect.stringContaining("No such file"),
    });
  });

  it("reports a missing encoder in ffmpeg's words", async () => {
    const run = runFfmpeg((command) => endless(command).audioCodec("nonesuch"), { signal: signal() });
    await expect(run).rejects.toMatchObject({
      code: "FFMPEG_FAILED",
      message: expect.stringContaining("nonesuch"),
    });
  });

  it.each([
    ["[aost#0:0 @ 0x5595804f4500] Unknown encoder 'aac'", "Unknown encoder 'aac'"],
    ["[dec:h264 @ 0x5582e86ac100] Error while decoding", "Error while decoding"],
    ["[in#0/lavfi @ 0x55de3dc832c0] [error] No such filter", "[error] No such filter"],
    ["[error] No such filter", "[error] No such filter"],
  ])("names no part of ffmpeg, of version 5 or 7: %s", (line, told) => {
    expect(withoutParts(line)).toBe(told);
  });

  it("quotes the parts of ffmpeg that complained last: version 7 names the cause nowhere else", () => {
    const stderr = [
      "Input #0, lavfi, from 'sine':",
      "[mp3 @ 0x5595804f4500] Skipped",
      "[aost#0:0 @ 0x5595804f4500] Unknown encoder 'none'",
      "[aost#0:0 @ 0x5595804f4500] Error selecting an encoder",
      "Error opening output files: Encoder not found",
    ].join("\n");
    expect(reasonOf("exited with code 8: Encoder not found\n", stderr)).toBe(
      "Unknown encoder 'none'; Error selecting an encoder; exited with code 8: Encoder not found",
    );
  });

  it("ends with the reason of the signal, and with its process, if aborted while it runs", async () => {
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

  it("can be aborted before its process exists, and before the call", async () => {
    const controller = new AbortController();
    const reason = new Error("called off");
    const run = runFfmpeg(endless, { signal: controller.signal });
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    await expect(runFfmpeg(endless, { signal: controller.signal })).rejects.toBe(reason);
  });
});
