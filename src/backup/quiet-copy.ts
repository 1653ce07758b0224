import { lstat, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copyBytes } from "../kit/files/copy-bytes.ts";
import { makeFolder } from "../kit/files/make-folder.ts";
import { openAsOwner } from "../kit/files/open-as-owner.ts";
import { open } from "../kit/files/steady-fs.ts";
import type { Clock } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import type { DurationMs } from "../model/time.ts";

/** Longer than the resolution of file times, so that a later write shows in the next check. */
const QUIET_MS: DurationMs = 50;

export interface QuietCopy {
  readonly from: string;
  /** Created from scratch. */
  readonly to: string;
  /** Paths within `from`; listed again for each pass. */
  readonly files: () => Promise<readonly string[]>;
  readonly patienceMs: DurationMs;
}

/**
 * Copies files in a consistent state while another process may write them: a pass counts only if no file changed during it. The
 * copy equals what a kill at that instant would leave, and every store of ours starts from that. Unchanged files are not copied
 * again, so the quiet moment only has to cover the changed ones.
 *
 * @returns the copied files
 * @throws RecorderdError FILE_UNREADABLE if no quiet moment comes; the first copy of each file does not count towards the time
 */
export async function copyQuietly(
  { from, to, files, patienceMs }: QuietCopy,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { mode: 0o700 });
  /** The stamp of each file when it was copied, by path. */
  const made = new Map<string, string>();
  let deadline = clock.now() + patienceMs;
  for (;;) {
    const before = await stamps(from, files);
    await clock.sleep(QUIET_MS, signal);
    const now = await stamps(from, files);
    if (areSame(before, now)) {
      const { isWhole, firstMs } = await updateCopy(made, now, { from, to, clock });
      deadline += firstMs;
      if (isWhole && areSame(now, await stamps(from, files))) return [...now.keys()];
    }
    if (clock.now() > deadline) {
      const text = `${from} keeps changing: stop the program that writes it, or try again later.`;
      throw new RecorderdError("FILE_UNREADABLE", text, { folder: from });
    }
  }
}

/** Stamps that change when a file is written, by path. */
type Stamps = ReadonlyMap<string, string>;

/** @returns whether all files were still there, and the time to copy those without a copy */
async function updateCopy(
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
    await makeFolder(dirname(join(to, path)));
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
 * Copies a file out of a folder that another user may own.
 *
 * @param follows whether the file may be a link
 * @throws as openAsOwner, and the system's error of the copy
 */
export async function copyOut(
  from: string,
  to: string,
  { follows = false }: { readonly follows?: boolean } = {},
): Promise<void> {
  await using source = await openAsOwner(from, { follows });
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
