import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMarked, signalProcess } from "../../../src/kit/process/marked-process.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { CaptureParts } from "../../../src/recorder/capture/capture.ts";
import type { CaptureLimits } from "../../../src/recorder/capture/engine.ts";
import { HOST_MARK } from "../../../src/recorder/capture/host/protocol.ts";

/** Built by `npm run build`: the host is a process of its own. */
export const HOST_PROGRAM = join(import.meta.dirname, "../../../dist/recorder/capture/host/main.js");

/** The host writes once a second: a limit of one second, which suits ffmpeg, would take that for a stall. */
export function patientWithHost(limits: CaptureLimits): CaptureLimits {
  return { ...limits, stallMs: limits.stallMs + 2000 };
}

const GONE_LOOK_MS = 20;
const clock = systemClock();

/**
 * The options with which a capture uses the host, in a folder for each owner, as each daemon has one. Disposing ends the hosts, which
 * wait for more to do until long after the test.
 */
export function hostFolders() {
  const owners = new Set<string>();
  const hosts = async () => (await findMarked(HOST_MARK)).filter(({ mark }) => owners.has(mark));
  const all = mkdtempSync(join(tmpdir(), "recorderd-host-"));
  return {
    of(owner: string): NonNullable<CaptureParts["host"]> {
      owners.add(owner);
      const folder = join(all, encodeURIComponent(owner));
      mkdirSync(folder, { recursive: true });
      return { folder, program: HOST_PROGRAM, version: "test", use: "host" };
    },
    async [Symbol.asyncDispose]() {
      for (const host of await hosts()) await signalProcess(host, "SIGKILL");
      while ((await hosts()).length > 0) await clock.sleep(GONE_LOOK_MS, new AbortController().signal);
      rmSync(all, { recursive: true, force: true });
    },
  };
}
