import { findMarked, signalProcess } from "../../../kit/process/marked-process.ts";
import { anyAbort, withDeadline } from "../../../kit/time/clock.ts";
import type { Schedule } from "../../../kit/time/cron.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Job, JobView } from "../../../model/job.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import type { RecordingId } from "../../../model/recording.ts";
import type { PlanDocument } from "./core/intake.ts";
import {
  isQuiet,
  jobBegan,
  jobDone,
  jobFailed,
  jobGaveWay,
  nextJob,
  type QuietPolicy,
  recoveredJobs,
  withJobs,
} from "./core/jobs.ts";
import { withDueVerification } from "./core/verifying.ts";
import { MissingIndexes } from "./indexing.ts";
import { createJobResults, isGone, type JobResultParts, type JobResults } from "./job-results.ts";
import { JOB_MARK, type JobRunParts, JobRuns } from "./job-runs.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { surviveWriteFailures } from "./shared-library.ts";

export interface JobLoopParts extends JobResultParts, JobRunParts {
  readonly plan: () => PlanDocument;
  readonly isThere: () => boolean;
  /** Whether the disk of finished recordings is present. */
  readonly isFinishedThere: () => Promise<boolean>;
  readonly quiet: QuietPolicy;
  /** The schedule on which all files are read and compared with what was written; absent: never automatically. */
  readonly verification?: Schedule;
  /** Rounds of verification begin only then. */
  readonly isClockTrusted: () => boolean;
}

interface RunningJob {
  readonly job: Job;
  readonly stop: AbortController;
  /** From 0 to 1; absent until it is known. */
  progress?: number;
}

const GIVES_WAY = "a recording needs the machine first";

/** Work on finished recordings, one job at a time; it never disturbs a running or imminent recording. */
export class JobLoop {
  readonly #parts: JobLoopParts;
  readonly #results: JobResults;
  readonly #runs: JobRuns;
  readonly #missingIndexes: MissingIndexes;
  readonly #wakeSignal = new WakeSignal();
  #running: RunningJob | undefined;

  constructor(parts: JobLoopParts) {
    this.#parts = parts;
    this.#results = createJobResults(parts);
    this.#runs = new JobRuns(parts, this.#results);
    this.#missingIndexes = new MissingIndexes(parts.indexOf);
  }

  views(): readonly JobView[] {
    const { jobs, entries } = this.#parts.library.current;
    return jobs.map((job) => {
      const progress = this.#running?.job.id === job.id ? this.#running.progress : undefined;
      const name = entries[job.recordingId]?.name ?? "";
      return { ...job, name, ...(progress === undefined ? {} : { progress }) };
    });
  }

  /** Signals that a job may be due or must stop. */
  wake(): void {
    if (this.#running !== undefined && !this.#mayRun(this.#running.job)) {
      this.#running.stop.abort(new Error(GIVES_WAY));
    }
    this.#wakeSignal.signal();
  }

  /**
   * Reads a recording's file and compares it with what was written, even during recordings.
   *
   * @returns the job, or the earlier one that has not begun; `undefined` if too many jobs are waiting
   */
  async verify(recordingId: RecordingId): Promise<Job | undefined> {
    const { library, clock } = this.#parts;
    const isIt = (job: Job) =>
      job.kind === "verify" &&
      job.recordingId === recordingId &&
      job.asked === true &&
      job.state === "waiting";
    await library.change((held) =>
      held.jobs.some(isIt)
        ? held
        : withJobs(held, { recordingId, kinds: ["verify"], now: clock.now(), isAsked: true }),
    );
    this.#wakeSignal.signal();
    return library.current.jobs.find(isIt);
  }

  /**
   * Runs one job at a time until the signal is aborted; the job that runs then begins again in the next run of the
   * daemon.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    await this.#endStrays();
    const writable = surviveWriteFailures(log);
    while (!signal.aborted) {
      const isBusy = await writable(() => this.#step(signal));
      if (isBusy !== true) {
        await this.#wakeSignal.waitFor(LIBRARY_LIMITS.spaceLookMs, { clock, signal });
      }
    }
  }

  /** Ends processes of an earlier run: they write files that nobody waits for. */
  async #endStrays(): Promise<void> {
    for (const stray of await findMarked(JOB_MARK)) {
      if (stray.mark === this.#parts.owner) await signalProcess(stray, "SIGKILL");
    }
  }

  /** @returns whether there was something to do */
  async #step(signal: AbortSignal): Promise<boolean> {
    const { library, clock, isThere, isFinishedThere } = this.#parts;
    // Left by an earlier run, or by a data folder that could not be written.
    await library.change(recoveredJobs);
    if (!isThere() || !(await isFinishedThere())) return false;
    if (this.#isQuietNow()) await this.#prepare();
    const job = isThere() ? nextJob(library.current, clock.now(), this.#isQuietNow()) : undefined;
    if (job === undefined) return false;
    await this.#perform(job, signal);
    return true;
  }

  #isQuietNow(): boolean {
    const { plan, quiet, clock } = this.#parts;
    return isQuiet(Object.values(plan().recordings), quiet, clock.now());
  }

  #mayRun({ asked }: Pick<Job, "asked">): boolean {
    return this.#parts.isThere() && (asked === true || this.#isQuietNow());
  }

  /** Tidies, and orders the jobs that are due. */
  async #prepare(): Promise<void> {
    const { library, verification, isClockTrusted, clock } = this.#parts;
    await this.#results.tidy();
    for (const recordingId of await this.#missingIndexes.next(library.current)) {
      await library.change((held) => withJobs(held, { recordingId, kinds: ["index"], now: clock.now() }));
    }
    if (verification === undefined || !isClockTrusted()) return;
    await library.change((held) => withDueVerification(held, { next: verification.next, now: clock.now() }));
  }

  async #perform(job: Job, signal: AbortSignal): Promise<void> {
    const { library, clock } = this.#parts;
    const entry = library.current.entries[job.recordingId];
    const isMissing = entry?.goneSince !== undefined && job.kind !== "verify";
    if (entry === undefined || isGone(library, job.recordingId) || isMissing) {
      this.#results.needTidying();
      return library.change((held) =>
        jobDone(held, job.id, { text: "its recording was deleted", now: clock.now() }),
      );
    }
    await library.change((held) => jobBegan(held, job.id));
    const running: RunningJob = { job, stop: new AbortController() };
    this.#running = running;
    using either = anyAbort([signal, running.stop.signal]);
    const both = either.signal;
    try {
      await this.#runWithin(running, entry, both);
    } catch (error) {
      if (both.aborted) return await library.change((held) => jobGaveWay(held, job.id));
      await this.#noteFailure(job, error);
    } finally {
      this.#running = undefined;
    }
  }

  /** Runs a job within the deadline of jobs. */
  async #runWithin(running: RunningJob, entry: LibraryEntry, signal: AbortSignal): Promise<void> {
    const onProgress = (share: number) => {
      running.progress = share;
    };
    const order = { job: running.job, entry, onProgress };
    const timeoutError = () => new RecorderdError("FFMPEG_FAILED", "it took longer than a day");
    const deadline = { ms: LIBRARY_LIMITS.jobMs, signal, timeoutError };
    let work: Promise<void> = Promise.resolve();
    try {
      await withDeadline(this.#parts.clock, deadline, (within) => {
        work = this.#runs.run(order, within);
        return work;
      });
    } catch (error) {
      // The next try writes the same draft: this one must have ended and removed it.
      await work.catch(() => {});
      throw error;
    }
  }

  async #noteFailure(job: Job, error: unknown): Promise<void> {
    const { library, clock, log } = this.#parts;
    // The job's draft preserves a result that the library could not store.
    if (!(error instanceof RecorderdError) || error.code === "STORE_WRITE_FAILED") throw error;
    const { id, kind, recordingId } = job;
    log.warn("a job failed", { job: id, kind, recordingId, text: error.message });
    await library.change((held) => jobFailed(held, id, { text: error.message, now: clock.now() }));
  }
}
