import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "../../kit/log.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import { HostEngine } from "../capture/host/client.ts";
import { CAPTURE_LIMITS } from "../capture/limits.ts";
import { storageFailure } from "../capture/storage.ts";
import { mayUse } from "../config/identity.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";
import { TRIAL_PREFIX } from "./folders.ts";

/** Starts a separate host, waits for its greeting, and ends it. */
export async function lookAtHost({ config, machine, who, clock }: CheckContext): Promise<readonly Result[]> {
  const { folder } = config.data;
  if (config.capture.engine === "ffmpeg") return [];
  if (!(await mayUse(folder, "enter-write", who).catch(() => false))) {
    return [unknown(`checked only when ${folder} is writable`)];
  }
  let place: string | undefined;
  try {
    // The folder of the real socket: not every file system supports sockets.
    place = await mkdtemp(join(folder, TRIAL_PREFIX));
    const engine = new HostEngine({
      owner: place,
      folder: place,
      program: machine.hostProgram,
      version: VERSION,
      clock,
      log: silentLog,
      limits: CAPTURE_LIMITS,
      onEnded: () => {},
    });
    await engine.makeReady();
    await engine.dismiss();
    return [good("the capture host starts and answers")];
  } catch (error) {
    const { message, code } =
      error instanceof RecorderdError ? error : storageFailure(place ?? folder, error);
    return [
      bad({
        found: message,
        expected: "a capture host that starts and answers",
        todo: `Reinstall recorderd, check that ${folder} is on a file system with sockets, or set capture.engine to ffmpeg, which needs more processor time.`,
        code,
      }),
    ];
  } finally {
    if (place !== undefined) await rm(place, { recursive: true, force: true });
  }
}
