import { lstat, mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copyBytes } from "../kit/files/copy-bytes.ts";
import { openAsOwner } from "../kit/files/open-as-owner.ts";
import type { Clock } from "../kit/time/clock.ts";
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
 * a kill at that instant would leave, which every store of ours begins from. What is as it was copied before is not copied again: the
 * moment has to be as long as what changes takes to be copied, not as long as all takes.
 *
 * @returns what was copied
 * @throws RecorderdError FILE_UNREADABLE when there is no such moment; the time that the first copy of each file takes does not count
 */
export async function copyQuietly(
  { from, to, files, patienceMs }: QuietCopy,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { mode: 0o700 });
  /** What each file was when it was copied, by path. */
  const made = new Map<string, string>();
  let deadline = clock.now() + patienceMs;
  for (;;) {
    const before = await stamps(from, files);
    await clock.sleep(QUIET_MS, signal);
    const now = await stamps(from, files);
    if (areSame(before, now)) {
      const { isWhole, firstMs } = await bringUpToDate(made, now, { from, to, clock });
      deadline += firstMs;
      if (isWhole && areSame(now, await stamps(from, files))) return [...now.keys()];
    }
    if (clock.now() > deadline) {
      const text = `${from} is written without a pause: stop what writes it, or try again later.`;
      throw new RecorderdError("FILE_UNREADABLE", text, { folder: from });
    }
  }
}

/** What tells a file from what it was before it was written, by path. */
type Stamps = ReadonlyMap<string, string>;

/** @returns whether all were still there, and how long it took to copy those of which there was no copy */
async function bringUpToDate(
  made: Map<string, string>,
  wanted: Stamps,
  { from, to, clock }: Pick<QuietCopy, "from" | "to"> & { readonly clock: Clock },
): Promise<{ readonly isWhole: boolean; readonly firstMs: DurationMs }> {
  for (const path of [...made.keys()].filter((each) => !wanted.has(each))) {
    await rm(join(to, path));
    made.delete(path);
  }
  let firstMs = 0;
  for (const [path, stamp] of wanted) {
    if (made.get(path) === stamp) continue;
    const begun = clock.now();
    await mkdir(dirname(join(to, path)), { recursive: true });
    try {
      await copyOut(join(from, path), join(to, path));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") {
        return { isWhole: false, firstMs };
      }
      throw error;
    }
    if (!made.has(path)) firstMs += clock.now() - begun;
    made.set(path, stamp);
  }
  return { isWhole: true, firstMs };
}

/**
 * Copies a file out of a folder that may be somebody else's.
 *
 * @throws as openOwn, and the system's error of the copy
 */
export async function copyOut(from: string, to: string): Promise<void> {
  await using source = await openAsOwner(from, { follows: false });
  await using copy = await open(to, "w", 0o600);
  await copyBytes(source, copy);
}

async function stamps(from: string, files: () => Promise<readonly string[]>): Promise<Stamps> {
  const each = (await files()).map(async (path) => {
    const found = await lstat(join(from, path), { bigint: true }).catch(() => undefined);
    return [path, `${found?.ino} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs}`] as const;
  });
  return new Map(await Promise.all(each));
}

function areSame(a: Stamps, b: Stamps): boolean {
  return a.size === b.size && [...a].every(([path, stamp]) => b.get(path) === stamp);
}
