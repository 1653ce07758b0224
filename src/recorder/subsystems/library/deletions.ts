import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { changeEntry, type PlanDocument } from "./core/intake.ts";
import { dueForRemoval, type Removal, type RetentionPolicy } from "./core/retention.ts";
import { removeFiles, sizeOf, standingOf } from "./removal.ts";
import { replacements, withReplacement } from "./replace.ts";
import type { Library } from "./shared-library.ts";

export interface DeletionParts {
  readonly library: Library;
  readonly plan: () => PlanDocument;
  /** The folder of finished recordings: its empty subfolders go with the last recording in them. */
  readonly finishedFolder: string;
  /** Whether the disk of `finishedFolder` is present: otherwise a missing file is not gone. */
  readonly isFinishedThere: () => Promise<boolean>;
  readonly retention: RetentionPolicy;
  readonly ledger: { append(facts: readonly LedgerFact[]): Promise<void> };
  /** Whether the recording was played a short while ago. */
  readonly isPlayed: (id: RecordingId) => boolean;
  /** Recordings are removed for their age only then. */
  readonly isClockTrusted: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Deletions are committed first, and carried out then; files that other programs changed stay. */
export interface Deletions {
  order(removal: Removal, actor: "retention" | "person"): Promise<void>;
  /** Orders what the retention policy removes. */
  retain(freeBytes: number): Promise<void>;
  /** Orders the replacement of incomplete recordings by their whole repeats. */
  replaceHealed(): Promise<void>;
  /** Carries out committed deletions, including those of an earlier run. */
  carryOut(): Promise<void>;
}

export function createDeletions(parts: DeletionParts): Deletions {
  const { library, plan, clock, log } = parts;
  /** Changed files that were logged already. */
  const strange = new Set<RecordingId>();

  async function order({ entry, reason }: Removal, actor: "retention" | "person"): Promise<void> {
    const deleted = { at: clock.now(), actor, reason, done: false };
    const { recordingId } = entry;
    await library.change((held) => {
      // It may have been protected during the check of its file.
      if (held.entries[recordingId]?.protected !== false) return held;
      return changeEntry(held, recordingId, { deleted });
    });
  }

  async function carryOut(): Promise<void> {
    for (const entry of Object.values(library.current.entries)) {
      const { deleted, recordingId, timerId, file, bytes } = entry;
      if (deleted === undefined || deleted.done) continue;
      const { is: standing } = await standingOf(entry);
      if (standing === "missing" && !(await parts.isFinishedThere())) continue;
      // Somebody may have replaced the file since the order.
      const isOurs = standing !== "truncated" && standing !== "changed";
      try {
        if (isOurs) await removeFiles(entry, parts.finishedFolder);
      } catch (error) {
        log.warn("a recording could not be removed; retrying", { recordingId, text: String(error) });
        continue;
      }
      await library.change((held) => changeEntry(held, recordingId, { deleted: { ...deleted, done: true } }));
      const { actor, reason } = deleted;
      const fact = isOurs ? "deleted" : "file-gone";
      const more = { file, ...(isOurs ? { bytes, actor, reason } : {}) };
      log.info(fact, { recordingId, ...more });
      await parts.ledger.append([{ at: clock.now(), fact, timerId, recordingId, facts: more }]);
    }
  }

  async function retain(freeBytes: number): Promise<void> {
    const entries: LibraryEntry[] = [];
    for (const entry of Object.values(library.current.entries)) {
      // A missing file frees nothing, and is not one of the newest of its series.
      if ((await sizeOf(entry.file)) === undefined) continue;
      if (strange.has(entry.recordingId) && !(await isOurs(entry))) continue;
      entries.push(entry);
    }
    // A clock that is a year ahead makes everything old.
    const now = parts.isClockTrusted() ? { now: clock.now() } : {};
    const question = { freeBytes, ...now, isPlayed: parts.isPlayed };
    for (const removal of dueForRemoval(entries, parts.retention, question)) {
      if (await isOurs(removal.entry)) await order(removal, "retention");
    }
  }

  /** A changed file stays, whatever the rules say. */
  async function isOurs(entry: LibraryEntry): Promise<boolean> {
    const { is: standing } = await standingOf(entry);
    const { recordingId, file } = entry;
    if (standing === "own" && entry.flaw === undefined) {
      strange.delete(recordingId);
      return true;
    }
    if (strange.has(recordingId)) return false;
    strange.add(recordingId);
    log.warn("another program changed the file of a recording; the file is kept", {
      recordingId,
      file,
      standing,
    });
    return false;
  }

  /** Only if both files are unchanged. */
  async function replaceHealed(): Promise<void> {
    for (const replacement of replacements(plan(), library.current)) {
      const { old, fresh } = replacement;
      if (parts.isPlayed(old.recordingId) || strange.has(old.recordingId)) continue;
      if ((await standingOf(fresh)).is !== "own" || (await standingOf(old)).is === "missing") continue;
      if (!(await isOurs(old))) continue;
      await library.change((held) => withReplacement(held, replacement, clock.now()));
      log.info("a repeat replaced an incomplete recording", {
        recordingId: fresh.recordingId,
        heals: old.recordingId,
      });
    }
  }

  return { order, retain, replaceHealed, carryOut };
}
