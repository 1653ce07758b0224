import { rename, rm, stat } from "node:fs/promises";
import { extname } from "node:path";
import { dropFromPageCache } from "../../../kit/files/page-cache.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Job } from "../../../model/job.ts";
import type { LibraryDocument, LibraryEntry } from "../../../model/library.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { INDEX_ENDING } from "../../../mpeg-ts/access-index/format.ts";
import { recordingIndex } from "../../capture/files.ts";
import { hasIndex, isIndex } from "../../capture/index-file.ts";
import { type AttemptInFile, indexWhole } from "../../evidence/index-whole.ts";
import { isOwn } from "./core/importing.ts";
import { draftFile } from "./drafts.ts";
import type { IndexPlace } from "./index-place.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { timelineOf } from "./marks.ts";

const TRANSPORT_STREAM = ".ts";

/** Recordings whose index of access points is missing or not theirs. Each is examined once in a run of the daemon. */
export class MissingIndexes {
  /** The file that was examined. */
  readonly #examined = new Map<RecordingId, string>();
  readonly #indexOf: IndexPlace;

  constructor(indexOf: IndexPlace) {
    this.#indexOf = indexOf;
  }

  /** The next recordings to index, so that few jobs wait at a time. */
  async next({ entries, jobs }: LibraryDocument): Promise<readonly RecordingId[]> {
    const waiting = jobs.filter(({ state }) => state === "waiting");
    // A conversion may replace the file.
    const isBusy = new Set(waiting.map(({ recordingId }) => recordingId));
    const room = LIBRARY_LIMITS.indexJobs - waiting.filter(({ kind }) => kind === "index").length;
    const found: RecordingId[] = [];
    let looks = 0;
    for (const entry of Object.values(entries)) {
      const { recordingId, file } = entry;
      if (found.length >= room || looks >= LIBRARY_LIMITS.indexLooks) break;
      if (this.#examined.get(recordingId) === file || isBusy.has(recordingId)) continue;
      if (!canHaveIndex(entry)) continue;
      this.#examined.set(recordingId, file);
      looks += 1;
      if (!(await hasIndex({ index: this.#indexOf(entry), file }))) found.push(recordingId);
    }
    return found;
  }
}

/** Whether a recording has a transport stream that can be read. */
export function canHaveIndex({ file, deleted, goneSince, flaw }: LibraryEntry): boolean {
  const isThere = deleted === undefined && goneSince === undefined && flaw === undefined;
  return isThere && extname(file) === TRANSPORT_STREAM;
}

interface IndexingParts {
  /** The path of the index. */
  readonly index: string;
  /** A folder on the same disk. */
  readonly workFolder: string;
  readonly clock: Clock;
  readonly onProgress: (share: number) => void;
}

/**
 * Makes the index of a recording. An index of ours is replaced; any other file of its name stays.
 *
 * @throws RecorderdError FILE_CHANGED, FILE_UNREADABLE or WRITE_FAILED
 */
export async function makeIndex(
  { job, entry }: { readonly job: Job; readonly entry: LibraryEntry },
  { index, workFolder, clock, onProgress }: IndexingParts,
  signal: AbortSignal,
): Promise<void> {
  const { file, bytes } = entry;
  // Other recorders give services numbers of their own.
  const service = isOwn(entry) ? entry.service : undefined;
  await assertFree(index);
  const draft = draftFile(workFolder, job.id, INDEX_ENDING);
  const pace = { clock, bytesPerSecond: LIBRARY_LIMITS.verifyReadBytesPerSecond };
  const onRead = (read: number) => onProgress(Math.min(1, read / bytes));
  try {
    const attempts = isOwn(entry) ? await attemptsIn(entry) : [];
    await indexWhole(file, { service, index: draft, attempts, pace, onRead }, signal);
    await rename(draft, index);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (error instanceof RecorderdError || signal.aborted) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new RecorderdError(
      "FILE_UNREADABLE",
      `${file} cannot be indexed: ${text}`,
      { file },
      { cause: error },
    );
  } finally {
    await dropFromPageCache(file);
  }
}

/** The attempts in a file, by its `.json`. A file of another length is not the one that it describes. */
async function attemptsIn({ file, bytes }: LibraryEntry): Promise<readonly AttemptInFile[]> {
  const { segments } = await timelineOf(file);
  const attempts = segments.map((segment) => ({ bytes: segment.bytes ?? 0, startedAt: segment.start }));
  return attempts.reduce((sum, attempt) => sum + attempt.bytes, 0) === bytes ? attempts : [];
}

/** Another program may use the ending, too. */
async function assertFree(index: string): Promise<void> {
  const isThere = await stat(index).then(
    () => true,
    () => false,
  );
  if (!isThere || (await isIndex(index))) return;
  throw new RecorderdError("WRITE_FAILED", `${index} is another program's file: move it away.`, {
    file: index,
  });
}

/** Removes the index of a file that is gone, unless another program's file has its name. */
export async function removeIndex(file: string): Promise<void> {
  const index = recordingIndex(file);
  if (await isIndex(index)) await rm(index, { force: true });
}
