import type { LedgerFact } from "../../../../model/ledger.ts";
import {
  type FileFlaw,
  type FileVerdict,
  FLAW_KINDS,
  type LibraryDocument,
  type LibraryEntry,
} from "../../../../model/library.ts";
import type { RecordingId } from "../../../../model/recording.ts";
import { DAY, type EpochMs } from "../../../../model/time.ts";
import { withoutUndefined } from "../../../../model/without-undefined.ts";
import { withJobs } from "./jobs.ts";

/** The result of reading a file. */
export interface Verified {
  readonly verdict: FileVerdict;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly modifiedAt?: EpochMs;
}

/** The longest pause of a schedule. A later instant comes from a clock that was set back since. */
const PAUSE_MAX = 32 * DAY;

/** Stores the result of reading `file`, unless the recording has another file by now. */
export function withVerdict(
  library: LibraryDocument,
  { recordingId, file }: Pick<LibraryEntry, "recordingId" | "file">,
  { found, now }: { readonly found: Verified; readonly now: EpochMs },
): LibraryDocument {
  const entry = library.entries[recordingId];
  if (entry === undefined || entry.file !== file) return library;
  const next = { ...withFinding(entry, found, now), checked: { at: now, verdict: found.verdict } };
  return { ...library, entries: { ...library.entries, [recordingId]: next } };
}

function withFinding(entry: LibraryEntry, found: Verified, now: EpochMs): LibraryEntry {
  const { goneSince = now, flaw: before, ...rest } = entry;
  const { verdict, bytes, sha256, modifiedAt } = found;
  if (verdict === "missing") return { ...rest, goneSince };
  const kind = FLAW_KINDS.find((each) => each === verdict);
  if (kind !== undefined) {
    const since = before?.kind === kind ? before.since : now;
    const flaw: FileFlaw = { kind, by: "reading", since, ...(bytes === undefined ? {} : { bytes }) };
    return { ...rest, flaw };
  }
  return {
    ...rest,
    ...withoutUndefined({ sha256, modifiedAt }),
  };
}

/** Facts for the ledger about a changed file, each change once. */
export function changeFacts(before: LibraryEntry, after: LibraryEntry, at: EpochMs): readonly LedgerFact[] {
  const { recordingId, timerId, file, flaw, goneSince } = after;
  const about = { at, timerId, recordingId };
  const isGone = goneSince !== undefined;
  if (isGone !== (before.goneSince !== undefined)) {
    return [{ ...about, fact: isGone ? "file-gone" : "file-back", facts: { file } }];
  }
  if (flaw?.kind === before.flaw?.kind) return [];
  if (flaw === undefined) return [{ ...about, fact: "file-sound", facts: { file } }];
  const size = flaw.bytes === undefined ? {} : { bytes: flaw.bytes };
  return [{ ...about, fact: "file-damaged", facts: { file, kind: flaw.kind, ...size } }];
}

/**
 * Orders the next file of a round, one at a time. A round that the end of the daemon interrupts goes on, and missed
 * rounds become one.
 *
 * @param next the first instant of the schedule after another one
 */
export function withDueVerification(
  library: LibraryDocument,
  { next, now }: { readonly next: (after: EpochMs) => EpochMs; readonly now: EpochMs },
): LibraryDocument {
  const { nextAt = Number.POSITIVE_INFINITY, since } = library.verifying ?? {};
  if (nextAt - now > PAUSE_MAX) return { ...library, verifying: { nextAt: next(now) } };
  if (nextAt <= now) {
    return withDueVerification({ ...library, verifying: { nextAt: next(now), since: now } }, { next, now });
  }
  if (since === undefined || library.jobs.some(isOpenVerification)) return library;
  const due = nextToVerify(library, since);
  if (due === undefined) return { ...library, verifying: { nextAt } };
  return withJobs(library, { recordingId: due, kinds: ["verify"], now });
}

/** A manual verification is no part of a round, and does not delay one. */
function isOpenVerification({ kind, state, asked }: LibraryDocument["jobs"][number]): boolean {
  return kind === "verify" && asked !== true && (state === "waiting" || state === "running");
}

/** The recording whose file was read longest ago. */
function nextToVerify({ entries, jobs }: LibraryDocument, since: EpochMs): RecordingId | undefined {
  // A failed verification waits for the next round.
  const tried = jobs.filter(({ kind, endedAt = since }) => kind === "verify" && endedAt >= since);
  const failed = new Set(tried.map(({ recordingId }) => recordingId));
  const checkedAt = ({ checked }: LibraryEntry) => checked?.at ?? Number.NEGATIVE_INFINITY;
  const due = Object.values(entries).filter(
    (entry) =>
      entry.deleted === undefined &&
      entry.goneSince === undefined &&
      checkedAt(entry) < since &&
      !failed.has(entry.recordingId),
  );
  return due.reduce<LibraryEntry | undefined>(
    (oldest, entry) => (oldest === undefined || checkedAt(entry) < checkedAt(oldest) ? entry : oldest),
    undefined,
  )?.recordingId;
}
