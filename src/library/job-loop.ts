import { type Clock, withDeadline } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { findMarked, signalProcess } from "../kit/marked-process.ts";
import { Nudge } from "../kit/nudge.ts";
import { RecorderdError } from "../model/errors.ts";
import type { Job, JobView } from "../model/job.ts";
import type { LibraryDocument } from "../model/library.ts";
import { LIMITS } from "../model/limits.ts";
import type { RecordingId } from "../model/recording.ts";
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
    const job = mayRun() ? nextJob(library.current, clock.now()) : undefined;
    if (job === undefined) return false;
    await perform(job, signal);
    return true;
  }

  async function perform(job: Job, signal: AbortSignal): Promise<void> {
    const entry = library.current.entries[job.recordingId];
    if (entry === undefined || isGone(job.recordingId)) {
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
      if (!(error instanceof RecorderdError)) throw error;
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

  async function conclude(job: Job, { file, text, draft }: Work): Promise<void> {
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
    // Kept until the library knew the result, so that one who comes back after a crash knows it for his own.
    if (draft !== undefined) await removeOne(draft);
    log.info("a job is done", { job: job.id, kind, recordingId, text });
    if (file !== undefined && isGone(recordingId)) return await removeOne(file);
    if (!replaces || file === undefined || entry === undefined) return;
    // The result is verified and on the disk itself, and the library says so: now the original may go.
    await removeOne(entry.file);
    await library.change((held) => {
      const made = held.entries[recordingId]?.made.filter((other) => other !== entry.file) ?? [];
      return changeEntry(held, recordingId, { made });
    });
    log.info("an original was replaced by what it was converted to", { recordingId, file: entry.file });
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
  return changeEntry(library, recordingId, { file, bytes, made: [...entry.made, entry.file] });
}
