import { MINUTE } from "../../model/time.ts";
import { outputOf } from "../process/program-output.ts";

const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";
/** Reading is not involved, but a hanging disk may delay it. */
const DEADLINE_MS = MINUTE;

/**
 * Drops a file from the page cache, so that the next read comes from the disk. After Linux reports a failed write once, it
 * treats the pages as clean: memory, and every later fsync, then confirms data that a restart would lose.
 *
 * Node.js has no posix_fadvise; `dd` of coreutils does.
 *
 * @returns whether the cache was dropped
 */
export async function dropFromPageCache(file: string): Promise<boolean> {
  const args = [`if=${file}`, "iflag=nocache", "count=0", "status=none"];
  const said = await outputOf(
    { command: "dd", args, path: SYSTEM_PATH, deadlineMs: DEADLINE_MS },
    new AbortController().signal,
  );
  return said !== undefined;
}
