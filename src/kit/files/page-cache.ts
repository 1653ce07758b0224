import { MINUTE } from "../../model/time.ts";
import { outputOf } from "../process/program-output.ts";

const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";
/** It has nothing to read; a disk that hangs may keep it. */
const DEADLINE_MS = MINUTE;

/**
 * Has the system forget what it holds of a file in memory, so that what is read next is what the disk has. Linux takes for written
 * what it could not write once it has said so to one asker: until then its memory holds, and any later fsync confirms, what a restart would lose.
 *
 * Node.js has no posix_fadvise; `dd` of coreutils does.
 *
 * @returns whether it was done
 */
export async function forgetCached(file: string): Promise<boolean> {
  const args = [`if=${file}`, "iflag=nocache", "count=0", "status=none"];
  const said = await outputOf(
    { command: "dd", args, path: SYSTEM_PATH, deadlineMs: DEADLINE_MS },
    new AbortController().signal,
  );
  return said !== undefined;
}
