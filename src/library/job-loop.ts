import { type Clock, withDeadline } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { findMarked, signalProcess } from "../kit/marked-process.ts";
import { Nudge } from "../kit/nudge.ts";
import { RecorderdError } from "../model/errors.ts";
import type { Job, JobView } from "../model/job.ts";
import type { LibraryDocument } from "../model/library.ts";
import { LIMITS } from "../model/limits.ts";
import type { RecordingId } from "../model/recording.ts";
import { removeDrafts } from "./drafts.ts";
import { changeEntry, type PlanDocument } from "./follow.ts";
import { type Library, patient } from "./holder.ts";
import { doWork, type Work, type WorkParts } from "./job-work.ts";
import {
  isQuiet,
  jobBegan,
  jobDone,
  jobFailed,
  jobGaveWay,
  nextJob,
  type QuietPolicy,
  recoveredJobs,
} from "./jobs.ts";
import { removeOne, sizeOf } from "./removal.ts";

export interface JobLoopParts {
  readonly library: Library;
  readonly plan: () => PlanDocument;
  /** The disk is there. */
  readonly isThere: () => boolean;
  /** And the one of finished recordings. */
  readonly isFinishedThere: () => Promise<boolean>;
  /** Wherever drafts may lie. */
  readonly workFolders: readonly string[];
  readonly quiet: QuietPolicy;
  readonly keepOriginal: boolean;
  readonly work: Omit<WorkParts, "mark" | "clock">;
  /** Names this daemon's data: jobs of another daemon are not ours to end. */
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface JobLoop {
  readonly views: () => readonly JobView[];
  /** Something may be to do, or to be stopped. */
  readonly stir: () => void;
  /** One job at a time until the signal is aborted; what runs then is begun anew in the next life. */
  run(signal: AbortSignal): Promise<void>;
}

const MARK = "RECORDERD_JOB";
const GIVES_WAY = "a recording comes first";

/** Work on finished recordings, one at a time, and never in the way of one that runs or is about to. */
export function createJobLoop(parts: JobLoopParts): JobLoop {
  const { library, plan, quiet, clock, log } = parts;
  const stirred = new Nudge();
  /** Nothing lies about that belongs to no job. */
  let isTidy = false;
  let current: { readonly id: number; readonly stop: AbortController; progress?: number } | undefined;

  const mayRun = () => parts.isThere() && isQuiet(Object.values(plan().recordings), quiet, clock.now());

  function isGone(id: RecordingId): boolean {
    const entry = library.current.entries[id];
    return entry === undefined || entry.deleted !== undefined;
  }

  /** Processes of an earlier life write to files that nobody waits for. */
  async function endStrays(): Promise<void> {
    for (const stray of await findMarked(MARK)) {
      if (stray.mark === parts.owner) await signalProcess(stray, "SIGKILL");
    }
  }

  /** @returns whether there was something to do */
  async function step(signal: AbortSignal): Promise<boolean> {
    // What an earlier life left so, or a data folder that could not be written.
    await library.change(recoveredJobs);
    if (!mayRun() || !(await parts.isFinishedThere())) return false;
    if (!isTidy) await tidy();
    isTidy = true;
    const job = mayRun() ? nextJob(library.current, clock.now()) : undefined;
    if (job === undefined) return false;
    await perform(job, signal);
    return true;
  }

  async function perform(job: Job, signal: AbortSignal): Promise<void> {
    const entry = library.current.entries[job.recordingId];
    if (entry === undefined || isGone(job.recordingId) || entry.goneSince !== undefined) {
      isTidy = false;
      return library.change((held) =>
        jobDone(held, job.id, { text: "its recording is gone", now: clock.now() }),
      );
    }
    await library.change((held) => jobBegan(held, job.id));
    const stop = new AbortController();
    const mine: NonNullable<typeof current> = { id: job.id, stop };
    current = mine;
    const both = AbortSignal.any([signal, stop.signal]);
    const onProgress = (share: number) => {
      mine.progress = share;
    };
    const order = { job, entry, onProgress };
    try {
      const timeoutError = () => new RecorderdError("FFMPEG_FAILED", "it took longer than a day");
      const work = await withDeadline(clock, { ms: LIMITS.jobMs, signal: both, timeoutError }, (within) =>
        doWork(order, { ...parts.work, mark: { [MARK]: parts.owner }, clock }, within),
      );
      await conclude(job, work);
    } catch (error) {
      if (both.aborted) return await library.change((held) => jobGaveWay(held, job.id));
      // What the library could not be told is known again by the job's draft.
      if (!(error instanceof RecorderdError) || error.code === "STORE_WRITE_FAILED") throw error;
      log.warn("a job failed", {
        job: job.id,
        kind: job.kind,
        recordingId: job.recordingId,
        text: error.message,
      });
      await library.change((held) => jobFailed(held, job.id, { text: error.message, now: clock.now() }));
    } finally {
      current = undefined;
    }
  }

  async function conclude(job: Job, { file, text }: Work): Promise<void> {
    const { kind, recordingId } = job;
    const entry = library.current.entries[recordingId];
    const bytes = file === undefined ? undefined : await sizeOf(file);
    const replaces = kind === "convert" && !parts.keepOriginal;
    await library.change((held) => {
      const done = jobDone(held, job.id, { text, now: clock.now() });
      return file === undefined || bytes === undefined
        ? done
        : withResult(done, { recordingId, file, bytes, replaces });
    });
    log.info("a job is done", { job: job.id, kind, recordingId, text });
    if (file !== undefined && isGone(recordingId)) await removeOne(file).catch(leave(file));
    isTidy = false;
    if (entry !== undefined) await endOutgoing(recordingId);
  }

  /** The result is verified and on the disk itself, and the library says so: now the original may go. */
  async function endOutgoing(recordingId: RecordingId): Promise<void> {
    const entry = library.current.entries[recordingId];
    const { file, bytes } = entry?.outgoing ?? {};
    if (entry === undefined || file === undefined || (await sizeOf(entry.file)) !== entry.bytes) return;
    const size = await sizeOf(file);
    // Of another size it is not what was recorded, and somebody's.
    if (size === bytes && !(await removed(file))) return;
    await library.change((held) => {
      const { outgoing: _gone, ...rest } = held.entries[recordingId] ?? entry;
      return { ...held, entries: { ...held.entries, [recordingId]: rest } };
    });
    log.info("an original was replaced by what it was converted to", { recordingId, file });
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

  /** What earlier lives left: drafts of jobs that are over, originals that were replaced. */
  async function tidy(): Promise<void> {
    const { jobs, entries } = library.current;
    const open = new Set(jobs.filter(({ state }) => state === "waiting").map(({ id }) => id));
    for (const folder of new Set(parts.workFolders)) {
      await removeDrafts(folder, (id) => !open.has(id)).catch(leave(folder));
    }
    for (const { recordingId, outgoing } of Object.values(entries)) {
      if (outgoing !== undefined && !isGone(recordingId)) await endOutgoing(recordingId);
    }
  }

  return {
    stir: () => {
      if (current !== undefined && !mayRun()) current.stop.abort(new Error(GIVES_WAY));
      stirred.give();
    },
    views: () =>
      library.current.jobs.map((job) => ({
        ...job,
        name: library.current.entries[job.recordingId]?.name ?? "",
        ...(current?.id === job.id && current.progress !== undefined ? { progress: current.progress } : {}),
      })),
    run: async (signal) => {
      await endStrays();
      const writable = patient(log);
      while (!signal.aborted) {
        const isBusy = await writable(() => step(signal));
        if (isBusy !== true) await stirred.waitFor(LIMITS.spaceLookMs, { clock, signal });
      }
    },
  };
}

interface Result {
  readonly recordingId: string;
  readonly file: string;
  readonly bytes: number;
  /** It is what is to be watched from now on. */
  readonly replaces: boolean;
}

function withResult(
  library: LibraryDocument,
  { recordingId, file, bytes, replaces }: Result,
): LibraryDocument {
  const entry = library.entries[recordingId];
  // Deleted while it was worked on: the result goes too.
  if (entry === undefined || entry.deleted !== undefined) return library;
  if (!replaces) return changeEntry(library, recordingId, { made: [...entry.made, file] });
  return changeEntry(library, recordingId, {
    file,
    bytes,
    outgoing: { file: entry.file, bytes: entry.bytes },
  });
}
