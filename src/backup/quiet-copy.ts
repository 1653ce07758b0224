import { copyFile, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../kit/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import type { DurationMs } from "../model/time.ts";

/** Longer than the grain of the times of files, so that what is written after a look shows in the next one. */
const QUIET_MS: DurationMs = 50;

export interface QuietCopy {
  readonly from: string;
  /** Is made anew. */
  readonly to: string;
  /** Paths within `from`; asked for again with each try. */
  readonly files: () => Promise<readonly string[]>;
  readonly patienceMs: DurationMs;
}

/**
 * Copies files as they are together at one instant, while another process may write them: in a moment in which nobody did. It is what
 * a kill at that instant would leave, which every store of ours begins from.
 *
 * @returns what was copied
 * @throws RecorderdError FILE_UNREADABLE when there is no such moment
 */
export async function copyQuietly(
  { from, to, files, patienceMs }: QuietCopy,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const deadline = clock.now() + patienceMs;
  for (;;) {
    const before = await stamps(from, files);
    await clock.sleep(QUIET_MS, signal);
    const paths = await files();
    if (before === (await stamps(from, files))) {
      const isWhole = await copied(paths, { from, to });
      if (isWhole && before === (await stamps(from, files))) return paths;
    }
    if (clock.now() > deadline) {
      const text = `${from} is written without a pause: stop what writes it, or try again later.`;
      throw new RecorderdError("FILE_UNREADABLE", text, { folder: from });
    }
  }
}

/** @returns whether all were still there */
async function copied(
  paths: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { mode: 0o700 });
  for (const path of paths) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    try {
      await copyFile(join(from, path), join(to, path));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
      throw error;
    }
  }
  return true;
}

async function stamps(from: string, files: () => Promise<readonly string[]>): Promise<string> {
  const paths = await files();
  const each = paths.map(async (path) => {
    const found = await stat(join(from, path), { bigint: true }).catch(() => undefined);
    return `${path} ${found?.ino} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs}`;
  });
  return (await Promise.all(each)).join("\n");
}
