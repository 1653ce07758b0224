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
import { withJobs } from "./jobs.ts";

/** What a reading of a file has found. */
export interface Verified {
  readonly verdict: FileVerdict;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly modifiedAt?: EpochMs;
}

/** No schedule has longer pauses; what is further ahead was reckoned by a clock that was set back since. */
const PAUSE_MAX = 32 * DAY;

/** Takes in what a reading of `file` found; nothing where the recording has another file by now. */
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
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
  };
}

/** What the ledger is told where a file is another way than before: each change once. */
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
 * Orders the next file of a round, one at a time: a round that is cut off by the end of the daemon goes on where it was, and rounds that
 * were missed become one.
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

/** Nobody asked for it by hand: then it is not a part of a round, and does not hold one up. */
function isOpenVerification({ kind, state, asked }: LibraryDocument["jobs"][number]): boolean {
  return kind === "verify" && asked !== true && (state === "waiting" || state === "running");
}

/** The one that was not looked at for longest. */
function nextToVerify({ entries, jobs }: LibraryDocument, since: EpochMs): RecordingId | undefined {
  // One that could not be finished waits for the next round.
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
