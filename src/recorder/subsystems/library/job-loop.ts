import { dirname } from "node:path";
import { makeFolder } from "../../../kit/files/make-folder.ts";
import { findMarked, signalProcess } from "../../../kit/process/marked-process.ts";
import { withDeadline } from "../../../kit/time/clock.ts";
import type { Schedule } from "../../../kit/time/cron.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Job, JobView, MakeKind } from "../../../model/job.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { isOwn } from "./core/importing.ts";
import type { PlanDocument } from "./core/intake.ts";
import {
  isQuiet,
  jobBegan,
  jobDone,
  jobFailed,
  jobForgotten,
  jobGaveWay,
  nextJob,
  type QuietPolicy,
  recoveredJobs,
  withJobs,
} from "./core/jobs.ts";
import { changeFacts, withDueVerification, withVerdict } from "./core/verifying.ts";
import type { IndexPlace } from "./index-place.ts";
import { canHaveIndex, MissingIndexes, makeIndex } from "./indexing.ts";
import { createJobResults, isGone, type JobResultParts } from "./job-results.ts";
import { doWork, type WorkOrder, type WorkParts } from "./job-work.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { surviveWriteFailures } from "./shared-library.ts";
import { digestOf, verifyFile } from "./verify.ts";

export interface JobLoopParts extends JobResultParts {
  readonly plan: () => PlanDocument;
  readonly isThere: () => boolean;
  /** Whether the disk of finished recordings is present. */
  readonly isFinishedThere: () => Promise<boolean>;
  readonly indexOf: IndexPlace;
  readonly quiet: QuietPolicy;
  readonly keepOriginal: boolean;
  readonly work: Omit<WorkParts, "mark" | "clock">;
  /** The schedule on which all files are read and compared with what was written; absent: never automatically. */
  readonly verification?: Schedule;
  /** Rounds of verification begin only then. */
  readonly isClockTrusted: () => boolean;
  readonly ledger: { append(facts: readonly LedgerFact[]): Promise<void> };
  /** Names this daemon's data: another daemon's jobs are not ours to end. */
  readonly owner: string;
}

export interface JobLoop {
  readonly views: () => readonly JobView[];
  /** Signals that a job may be due or must stop. */
  readonly wake: () => void;
  /**
   * Reads a recording's file and compares it with what was written, even during recordings.
   *
   * @returns the job, or the earlier one that has not begun
   */
  verify(id: RecordingId): Promise<Job | undefined>;
  /**
   * Runs one job at a time until the signal is aborted; the job that runs then begins again in the next run of the
   * daemon.
   */
  run(signal: AbortSignal): Promise<void>;
}

const MARK = "RECORDERD_JOB";
const GIVES_WAY = "a recording needs the machine first";

/** Work on finished recordings, one job at a time; it never disturbs a running or imminent recording. */
export function createJobLoop(parts: JobLoopParts): JobLoop {
  const { library, plan, quiet, clock, log } = parts;
  const wakeSignal = new WakeSignal();
  const results = createJobResults(parts);
  const missingIndexes = new MissingIndexes(parts.indexOf);
  let current: { readonly job: Job; readonly stop: AbortController; progress?: number } | undefined;

  const isQuietNow = () => isQuiet(Object.values(plan().recordings), quiet, clock.now());
  const mayRun = ({ asked }: Pick<Job, "asked">) => parts.isThere() && (asked === true || isQuietNow());

  /** Ends processes of an earlier run: they write files that nobody waits for. */
  async function endStrays(): Promise<void> {
    for (const stray of await findMarked(MARK)) {
      if (stray.mark === parts.owner) await signalProcess(stray, "SIGKILL");
    }
  }

  /** @returns whether there was something to do */
  async function step(signal: AbortSignal): Promise<boolean> {
    // Left by an earlier run, or by a data folder that could not be written.
    await library.change(recoveredJobs);
    if (!parts.isThere() || !(await parts.isFinishedThere())) return false;
    if (isQuietNow()) await prepare();
    const job = parts.isThere() ? nextJob(library.current, clock.now(), isQuietNow()) : undefined;
    if (job === undefined) return false;
    await perform(job, signal);
    return true;
  }

  async function prepare(): Promise<void> {
    await results.tidy();
    await orderIndexes();
    const { verification } = parts;
    if (verification === undefined || !parts.isClockTrusted()) return;
    await library.change((held) => withDueVerification(held, { next: verification.next, now: clock.now() }));
  }

  async function orderIndexes(): Promise<void> {
    const ids = await missingIndexes.next(library.current);
    for (const recordingId of ids) {
      await library.change((held) => withJobs(held, { recordingId, kinds: ["index"], now: clock.now() }));
    }
  }

  async function perform(job: Job, signal: AbortSignal): Promise<void> {
    const entry = library.current.entries[job.recordingId];
    const isMissing = entry?.goneSince !== undefined && job.kind !== "verify";
    if (entry === undefined || isGone(library, job.recordingId) || isMissing) {
      results.needTidying();
      return library.change((held) =>
        jobDone(held, job.id, { text: "its recording was deleted", now: clock.now() }),
      );
    }
    await library.change((held) => jobBegan(held, job.id));
    const stop = new AbortController();
    const mine: NonNullable<typeof current> = { job, stop };
    current = mine;
    const both = AbortSignal.any([signal, stop.signal]);
    const onProgress = (share: number) => {
      mine.progress = share;
    };
    const order = { job, entry, onProgress };
    let working: Promise<void> = Promise.resolve();
    try {
      const timeoutError = () => new RecorderdError("FFMPEG_FAILED", "it took longer than a day");
      await withDeadline(clock, { ms: LIBRARY_LIMITS.jobMs, signal: both, timeoutError }, (within) => {
        working = work(order, within);
        return working;
      });
    } catch (error) {
      // The next try writes the same draft: this one must have ended and removed it.
      await working.catch(() => {});
      if (both.aborted) return await library.change((held) => jobGaveWay(held, job.id));
      // The job's draft preserves a result that the library could not store.
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

  async function work({ job, ...order }: Order, signal: AbortSignal): Promise<void> {
    if (isMaking(job)) return await make({ ...order, job }, signal);
    return await (job.kind === "index" ? index : verify)({ ...order, job }, signal);
  }

  async function make(order: WorkOrder, signal: AbortSignal): Promise<void> {
    const made = await doWork(order, { ...parts.work, mark: { [MARK]: parts.owner }, clock }, signal);
    const replaces = order.job.kind === "convert" && !parts.keepOriginal;
    const { file } = made;
    // The new file to watch must be recognisable later.
    const content = replaces && file !== undefined ? await digestOf(file, { clock }, signal) : undefined;
    await results.conclude(order.job, { ...made, ...(content === undefined ? {} : { content }), replaces });
  }

  async function verify({ job, entry, onProgress }: Order, signal: AbortSignal): Promise<void> {
    const found = await verifyFile(entry, { clock, onProgress }, signal);
    const now = clock.now();
    let facts: readonly LedgerFact[] = [];
    await library.change((held) => {
      const before = held.entries[entry.recordingId];
      const after = withVerdict(jobForgotten(held, job.id), entry, { found, now });
      facts =
        before === undefined ? [] : changeFacts(before, after.entries[entry.recordingId] ?? before, now);
      return after;
    });
    const { recordingId, file } = entry;
    const level = found.verdict === "intact" ? "info" : "warn";
    log[level]("a recording's file was verified", { recordingId, file, verdict: found.verdict });
    if (facts.length > 0) await parts.ledger.append(facts);
  }

  async function index({ job, entry, onProgress }: Order, signal: AbortSignal): Promise<void> {
    // A conversion may have replaced the file.
    if (canHaveIndex(entry)) {
      const place = await placeOfIndex(entry);
      await makeIndex({ job, entry }, { ...place, clock, onProgress }, signal);
    }
    const { recordingId, file } = entry;
    await library.change((held) => jobForgotten(held, job.id));
    log.info("a recording's access points were indexed", { recordingId, file });
  }

  /** The index, and a work folder on its disk. */
  async function placeOfIndex(entry: LibraryEntry): Promise<{ index: string; workFolder: string }> {
    const index = parts.indexOf(entry);
    if (isOwn(entry)) return { index, workFolder: parts.work.workFolderOf(entry.file) };
    const workFolder = dirname(index);
    await makeFolder(workFolder, 0o750);
    return { index, workFolder };
  }

  return {
    verify: async (id) => {
      const isIt = ({ kind, recordingId, asked, state }: Job) =>
        kind === "verify" && recordingId === id && asked === true && state === "waiting";
      await library.change((held) =>
        held.jobs.some(isIt)
          ? held
          : withJobs(held, { recordingId: id, kinds: ["verify"], now: clock.now(), isAsked: true }),
      );
      wakeSignal.signal();
      return library.current.jobs.find(isIt);
    },
    wake: () => {
      if (current !== undefined && !mayRun(current.job)) current.stop.abort(new Error(GIVES_WAY));
      wakeSignal.signal();
    },
    views: () =>
      library.current.jobs.map((job) => ({
        ...job,
        name: library.current.entries[job.recordingId]?.name ?? "",
        ...(current?.job.id === job.id && current.progress !== undefined
          ? { progress: current.progress }
          : {}),
      })),
    run: async (signal) => {
      await endStrays();
      const writable = surviveWriteFailures(log);
      while (!signal.aborted) {
        const isBusy = await writable(() => step(signal));
        if (isBusy !== true) await wakeSignal.waitFor(LIBRARY_LIMITS.spaceLookMs, { clock, signal });
      }
    },
  };
}

interface Order extends Omit<WorkOrder, "job"> {
  readonly job: Job;
}

function isMaking(job: Job): job is Job & { readonly kind: MakeKind } {
  return job.kind !== "verify" && job.kind !== "index";
}
