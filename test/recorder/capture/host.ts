import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CaptureParts } from "../../../src/recorder/capture/capture.ts";
import type { CaptureLimits } from "../../../src/recorder/capture/engine.ts";

/** Built by `npm run build`: the host is a process of its own. */
export const HOST_PROGRAM = join(import.meta.dirname, "../../../dist/recorder/capture/host/main.js");

/** The host writes once a second: a limit of one second, which suits ffmpeg, would take that for a stall. */
export function patientWithHost(limits: CaptureLimits): CaptureLimits {
  return { ...limits, stallMs: limits.stallMs + 2000 };
}

/** The options with which a capture uses the host, in a folder for each owner, as each daemon has one. */
export function hostFolders() {
  const all = mkdtempSync(join(tmpdir(), "recorderd-host-"));
  return {
    of(owner: string): NonNullable<CaptureParts["host"]> {
      const folder = join(all, encodeURIComponent(owner));
      mkdirSync(folder, { recursive: true });
      return { folder, program: HOST_PROGRAM, version: "test", use: "host" };
    },
    [Symbol.dispose]: () => rmSync(all, { recursive: true, force: true }),
  };
}
