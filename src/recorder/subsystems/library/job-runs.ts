import { dirname } from "node:path";
import { makeFolder } from "../../../kit/files/make-folder.ts";
import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Job, MakeKind } from "../../../model/job.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import { isOwn } from "./core/importing.ts";
import { jobForgotten } from "./core/jobs.ts";
import { changeFacts, withVerdict } from "./core/verifying.ts";
import type { IndexPlace } from "./index-place.ts";
import { canHaveIndex, makeIndex } from "./indexing.ts";
import type { JobResults } from "./job-results.ts";
import { doWork, type WorkOrder, type WorkParts } from "./job-work.ts";
import type { Library } from "./shared-library.ts";
import { digestOf, verifyFile } from "./verify.ts";

/** The environment variable that marks the processes of jobs. */
export const JOB_MARK = "RECORDERD_JOB";

export interface JobRunParts {
  readonly library: Library;
  readonly indexOf: IndexPlace;
  readonly keepOriginal: boolean;
  readonly work: Omit<WorkParts, "mark" | "clock">;
  readonly ledger: { append(facts: readonly LedgerFact[]): Promise<void> };
  /** Names this daemon's data: another daemon's jobs are not ours to end. */
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Log;
}

interface JobOrder extends Omit<WorkOrder, "job"> {
  readonly job: Job;
}

/** Does the work of one job, and takes its result into the library. */
export class JobRuns {
  readonly #parts: JobRunParts;
  readonly #results: Pick<JobResults, "conclude">;

  constructor(parts: JobRunParts, results: Pick<JobResults, "conclude">) {
    this.#parts = parts;
    this.#results = results;
  }

  async run({ job, ...order }: JobOrder, signal: AbortSignal): Promise<void> {
    if (isMaking(job)) return await this.#make({ ...order, job }, signal);
    return await (job.kind === "index"
      ? this.#index({ ...order, job }, signal)
      : this.#verify({ ...order, job }, signal));
  }

  async #make(order: WorkOrder, signal: AbortSignal): Promise<void> {
    const { work, owner, keepOriginal, clock } = this.#parts;
    const made = await doWork(order, { ...work, mark: { [JOB_MARK]: owner }, clock }, signal);
    const replaces = order.job.kind === "convert" && !keepOriginal;
    const { file } = made;
    // The new file to watch must be recognisable later.
    const content = replaces && file !== undefined ? await digestOf(file, { clock }, signal) : undefined;
    await this.#results.conclude(order.job, {
      ...made,
      ...(content === undefined ? {} : { content }),
      replaces,
    });
  }

  async #verify({ job, entry, onProgress }: JobOrder, signal: AbortSignal): Promise<void> {
    const { library, ledger, clock, log } = this.#parts;
    const { recordingId, file } = entry;
    const found = await verifyFile(entry, { clock, onProgress }, signal);
    const now = clock.now();
    let facts: readonly LedgerFact[] = [];
    await library.change((held) => {
      const before = held.entries[recordingId];
      const after = withVerdict(jobForgotten(held, job.id), entry, { found, now });
      facts = before === undefined ? [] : changeFacts(before, after.entries[recordingId] ?? before, now);
      return after;
    });
    const level = found.verdict === "intact" ? "info" : "warn";
    log[level]("a recording's file was verified", { recordingId, file, verdict: found.verdict });
    if (facts.length > 0) await ledger.append(facts);
  }

  async #index({ job, entry, onProgress }: JobOrder, signal: AbortSignal): Promise<void> {
    const { library, clock, log } = this.#parts;
    // A conversion may have replaced the file.
    if (canHaveIndex(entry)) {
      const place = await this.#placeOfIndex(entry);
      await makeIndex({ job, entry }, { ...place, clock, onProgress }, signal);
    }
    const { recordingId, file } = entry;
    await library.change((held) => jobForgotten(held, job.id));
    log.info("a recording's access points were indexed", { recordingId, file });
  }

  /** The index, and a work folder on its disk. */
  async #placeOfIndex(entry: LibraryEntry): Promise<{ index: string; workFolder: string }> {
    const { indexOf, work } = this.#parts;
    const index = indexOf(entry);
    if (isOwn(entry)) return { index, workFolder: work.workFolderOf(entry.file) };
    const workFolder = dirname(index);
    await makeFolder(workFolder, 0o750);
    return { index, workFolder };
  }
}

function isMaking(job: Job): job is Job & { readonly kind: MakeKind } {
  return job.kind !== "verify" && job.kind !== "index";
}
