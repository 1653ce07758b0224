import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Job } from "../../../model/job.ts";
import type { LibraryDocument, LibraryEntry } from "../../../model/library.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { changeEntry } from "./core/intake.ts";
import { jobDone } from "./core/jobs.ts";
import { removeDrafts } from "./drafts.ts";
import { removeIndex } from "./indexing.ts";
import type { Work } from "./job-work.ts";
import { removeOne, sidecarPath, sizeOf } from "./removal.ts";
import type { Library } from "./shared-library.ts";

export interface JobResultParts {
  readonly library: Library;
  /** All folders that may hold drafts. */
  readonly workFolders: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Takes results of jobs into the library, and removes files that are not needed any more. */
export interface JobResults {
  /** Adds the result to the library; a result whose recording was deleted meanwhile is removed. */
  conclude(job: Job, result: Work & Pick<Result, "content" | "replaces">): Promise<void>;
  /** Removes drafts of finished jobs and replaced originals, if any may be there. */
  tidy(): Promise<void>;
  /** Signals that a job ended without a result: its draft may be there. */
  needTidying(): void;
}

/** Whether the library has no such recording any more. */
export function isGone({ current }: Pick<Library, "current">, id: RecordingId): boolean {
  const entry = current.entries[id];
  return entry === undefined || entry.deleted !== undefined;
}

export function createJobResults({ library, workFolders, clock, log }: JobResultParts): JobResults {
  /** No file of a finished job is left. */
  let isTidy = false;

  async function conclude(
    job: Job,
    { file, text, content, replaces }: Work & Pick<Result, "content" | "replaces">,
  ): Promise<void> {
    const { kind, recordingId } = job;
    const entry = library.current.entries[recordingId];
    const bytes = file === undefined ? undefined : await sizeOf(file);
    await library.change((held) => {
      const done = jobDone(held, job.id, { text, now: clock.now() });
      return file === undefined || bytes === undefined
        ? done
        : withResult(done, { recordingId, file, bytes, replaces, ...(content && { content }) });
    });
    log.info("a job is done", { job: job.id, kind, recordingId, text });
    if (file !== undefined && isGone(library, recordingId)) {
      // Chapters may have two files.
      const others = kind === "chapters" && entry !== undefined ? [sidecarPath(entry.file, ".edl")] : [];
      for (const each of [file, ...others]) await removeOne(each).catch(leave(each));
    }
    isTidy = false;
    if (entry !== undefined) await endOutgoing(recordingId);
  }

  /** Removes the replaced original, once the result is verified and durable and the library has it. */
  async function endOutgoing(recordingId: RecordingId): Promise<void> {
    const entry = library.current.entries[recordingId];
    const { file, bytes } = entry?.outgoing ?? {};
    if (entry === undefined || file === undefined || (await sizeOf(entry.file)) !== entry.bytes) return;
    const size = await sizeOf(file);
    // A file of another size is not the recorded one.
    if (size === bytes) await removeIndex(file).catch(leave(file));
    if (size === bytes && !(await removed(file))) return;
    await library.change((held) => {
      const { outgoing: _gone, ...rest } = held.entries[recordingId] ?? entry;
      return { ...held, entries: { ...held.entries, [recordingId]: rest } };
    });
    log.info("an original was replaced by its conversion", { recordingId, file });
  }

  async function removed(file: string): Promise<boolean> {
    try {
      await removeOne(file);
      return true;
    } catch (error) {
      leave(file)(error);
      return false;
    }
  }

  function leave(file: string): (error: unknown) => void {
    return (error) => log.warn("a file could not be removed", { file, text: String(error) });
  }

  async function tidy(): Promise<void> {
    if (isTidy) return;
    const { jobs, entries } = library.current;
    const open = new Set(jobs.filter(({ state }) => state === "waiting").map(({ id }) => id));
    for (const folder of new Set(workFolders)) {
      await removeDrafts(folder, (id) => !open.has(id)).catch(leave(folder));
    }
    for (const { recordingId, outgoing } of Object.values(entries)) {
      if (outgoing !== undefined && !isGone(library, recordingId)) await endOutgoing(recordingId);
    }
    isTidy = true;
  }

  return {
    conclude,
    tidy,
    needTidying: () => {
      isTidy = false;
    },
  };
}

interface Result {
  readonly recordingId: string;
  readonly file: string;
  readonly bytes: number;
  /** The result becomes the file to watch. */
  readonly replaces: boolean;
  /** The content of that file. */
  readonly content?: Pick<LibraryEntry, "sha256" | "modifiedAt">;
}

function withResult(
  library: LibraryDocument,
  { recordingId, file, bytes, replaces, content: { sha256, modifiedAt } = {} }: Result,
): LibraryDocument {
  const entry = library.entries[recordingId];
  // Deleted during the job: the result goes too.
  if (entry === undefined || entry.deleted !== undefined) return library;
  if (!replaces) return changeEntry(library, recordingId, { made: [...entry.made, file] });
  const { sha256: _old, modifiedAt: _before, flaw: _flaw, checked: _checked, ...rest } = entry;
  const next: LibraryEntry = {
    ...rest,
    file,
    bytes,
    ...withoutUndefined({ sha256, modifiedAt }),
    outgoing: { file: entry.file, bytes: entry.bytes },
  };
  return { ...library, entries: { ...library.entries, [recordingId]: next } };
}
