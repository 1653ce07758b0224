import type { Job, JobKind } from "../../../../model/job.ts";
import type { LibraryDocument } from "../../../../model/library.ts";
import { inMotion, type Recording, type RecordingId } from "../../../../model/recording.ts";
import type { DurationMs, EpochMs } from "../../../../model/time.ts";
import { LIBRARY_CORE_LIMITS } from "./limits.ts";

/** The pause before the last retry. */
const RETRY_MS_MAX: DurationMs = LIBRARY_CORE_LIMITS.jobRetryMs * 2 ** (LIBRARY_CORE_LIMITS.jobTries - 2);

/** Orders work on a recording, in this order. Jobs beyond the limit are dropped. */
export function withJobs(
  library: LibraryDocument,
  {
    recordingId,
    kinds,
    now,
    isAsked = false,
  }: {
    readonly recordingId: RecordingId;
    readonly kinds: readonly JobKind[];
    readonly now: EpochMs;
    /** A person waits for it. */
    readonly isAsked?: boolean;
  },
): LibraryDocument {
  const waiting = library.jobs.filter(({ state }) => state === "waiting").length;
  const taken = kinds.slice(0, Math.max(0, LIBRARY_CORE_LIMITS.jobsWaiting - waiting));
  const jobs = taken.map((kind, index): Job => {
    const id = library.nextJob + index;
    const job = { id, kind, recordingId, state: "waiting", tries: 0, orderedAt: now } as const;
    return isAsked ? { ...job, asked: true } : job;
  });
  if (jobs.length === 0) return library;
  return { ...library, jobs: [...library.jobs, ...jobs], nextJob: library.nextJob + jobs.length };
}

/** The job to do next: the oldest that is due. While recordings need quiet, only one that a person waits for. */
export function nextJob({ jobs }: LibraryDocument, now: EpochMs, quiet = true): Job | undefined {
  // A clock that was set back would delay it for long.
  const isDue = ({ nextTryAt = 0 }: Job) => nextTryAt <= now || nextTryAt - now > RETRY_MS_MAX;
  return jobs.find((job) => job.state === "waiting" && isDue(job) && (quiet || job.asked === true));
}

export interface QuietPolicy {
  /** Allows jobs during recordings. */
  readonly whileRecording: boolean;
  /** No job begins, and a running one stops, when a recording begins within this time. */
  readonly quietMs: DurationMs;
}

/** Whether a job would disturb no recording. */
export function isQuiet(
  recordings: readonly Recording[],
  { whileRecording, quietMs }: QuietPolicy,
  now: EpochMs,
): boolean {
  if (whileRecording) return true;
  return recordings.every(({ state, window }) => {
    const isNear = state === "planned" && window.start - quietMs <= now && window.stop > now;
    return !isNear && !inMotion(state);
  });
}

export function jobBegan(library: LibraryDocument, id: number): LibraryDocument {
  return changed(library, id, (job) => ({ ...job, state: "running" }));
}

/** Puts a job back that a recording or the end of the daemon has stopped; that is no failed attempt. */
export function jobGaveWay(library: LibraryDocument, id: number): LibraryDocument {
  return changed(library, id, (job) => ({ ...job, state: "waiting" }));
}

/** After a start: jobs that were running begin again. */
export function recoveredJobs(library: LibraryDocument): LibraryDocument {
  return library.jobs
    .filter(({ state }) => state === "running")
    .reduce((held, { id }) => jobGaveWay(held, id), library);
}

export function jobDone(
  library: LibraryDocument,
  id: number,
  { text, now }: { readonly text: string; readonly now: EpochMs },
): LibraryDocument {
  return pruned(changed(library, id, (job) => ({ ...job, state: "done", text, endedAt: now })));
}

/** Drops a job whose result is in its recording's entry. */
export function jobForgotten(library: LibraryDocument, id: number): LibraryDocument {
  return { ...library, jobs: library.jobs.filter((job) => job.id !== id) };
}

/** Schedules a retry after a while, a few times. */
export function jobFailed(
  library: LibraryDocument,
  id: number,
  { text, now }: { readonly text: string; readonly now: EpochMs },
): LibraryDocument {
  const failed = changed(library, id, (job) => {
    const tries = job.tries + 1;
    if (tries >= LIBRARY_CORE_LIMITS.jobTries) return { ...job, tries, state: "failed", text, endedAt: now };
    return {
      ...job,
      tries,
      state: "waiting",
      text,
      nextTryAt: now + LIBRARY_CORE_LIMITS.jobRetryMs * 2 ** (tries - 1),
    };
  });
  return pruned(failed);
}

function changed(library: LibraryDocument, id: number, change: (job: Job) => Job): LibraryDocument {
  return { ...library, jobs: library.jobs.map((job) => (job.id === id ? change(job) : job)) };
}

/** Drops the oldest ended jobs. */
function pruned(library: LibraryDocument): LibraryDocument {
  const withJobEnded = library.jobs.filter(({ state }) => state === "done" || state === "failed");
  const old = new Set(withJobEnded.slice(0, -LIBRARY_CORE_LIMITS.jobsRemembered).map(({ id }) => id));
  return old.size === 0 ? library : { ...library, jobs: library.jobs.filter(({ id }) => !old.has(id)) };
}
