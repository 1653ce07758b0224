import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import type { LibraryDocument, LibraryEntry } from "../../../model/library.ts";
import type { EpochMs } from "../../../model/time.ts";
import { changeFacts } from "./core/verifying.ts";
import type { MeasureDisk } from "./disk.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { type FileStanding, standingOf } from "./removal.ts";
import type { Library } from "./shared-library.ts";

export interface FileWatchParts {
  readonly library: Library;
  readonly look: MeasureDisk;
  /** Whether the disk of finished recordings is present: otherwise a missing file is not gone. */
  readonly isFinishedThere: () => Promise<boolean>;
  readonly ledger: { append(facts: readonly LedgerFact[]): Promise<void> };
  readonly clock: Clock;
  readonly log: Log;
}

/** Detects files of the library that are gone or changed, by size and time. */
export interface FileWatch {
  /** Stores every change in the library and the ledger before it resolves. */
  look(signal: AbortSignal): Promise<void>;
  /** Does the same, unless that was done a moment ago. */
  refresh(signal: AbortSignal): Promise<void>;
}

interface Seen {
  readonly entry: LibraryEntry;
  readonly standing: FileStanding;
}

export function createFileWatch(parts: FileWatchParts): FileWatch {
  const { library, clock, log } = parts;
  /** One look at a time; later callers wait for it. */
  let underWay: Promise<void> | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;

  async function lookOnce(signal: AbortSignal): Promise<void> {
    const news: Seen[] = [];
    for (const entry of Object.values(library.current.entries)) {
      if (entry.deleted !== undefined) continue;
      const standing = await standingOf(entry);
      if (seenAs(entry, standing, 0) !== entry) news.push({ entry, standing });
    }
    if (news.length > 0) await take(news, signal);
    lookedMs = clock.monotonicMs();
  }

  /** A disk that went away meanwhile has removed and damaged nothing. */
  async function take(news: readonly Seen[], signal: AbortSignal): Promise<void> {
    if ((await parts.look(signal)) === undefined || !(await parts.isFinishedThere())) return;
    const now = clock.now();
    await library.change((held) => news.reduce((changed, seen) => withSeen(changed, seen, now), held));
    const facts = news.flatMap(({ entry }) =>
      changeFacts(entry, library.current.entries[entry.recordingId] ?? entry, now),
    );
    for (const { fact, recordingId = "", facts: more } of facts) log.warn(fact, { recordingId, ...more });
    if (facts.length > 0) await parts.ledger.append(facts);
  }

  async function look(signal: AbortSignal): Promise<void> {
    underWay ??= lookOnce(signal).finally(() => {
      underWay = undefined;
    });
    await underWay;
  }

  return {
    look,
    refresh: async (signal) => {
      if (clock.monotonicMs() - lookedMs >= LIBRARY_LIMITS.fileLookMs) await look(signal);
    },
  };
}

/** Applies the state that was seen, unless the entry has another file by now. */
function withSeen(library: LibraryDocument, { entry, standing }: Seen, now: EpochMs): LibraryDocument {
  const held = library.entries[entry.recordingId];
  if (held === undefined || held.file !== entry.file || held.bytes !== entry.bytes) return library;
  return { ...library, entries: { ...library.entries, [entry.recordingId]: seenAs(held, standing, now) } };
}

/** @returns the same entry if nothing is new */
function seenAs(entry: LibraryEntry, standing: FileStanding, now: EpochMs): LibraryEntry {
  const { goneSince, flaw, ...rest } = entry;
  switch (standing.is) {
    case "missing":
      return goneSince === undefined ? { ...rest, goneSince: now } : entry;
    case "own":
      // Only another reading clears the result of a reading.
      if (goneSince === undefined && flaw?.by !== "look") return entry;
      return flaw?.by === "reading" ? { ...rest, flaw } : rest;
    case "unreadable":
      // A missing file may still be missing; so may a flaw remain.
      if (goneSince !== undefined || flaw !== undefined) return entry;
      return { ...rest, flaw: { kind: "unreadable", by: "look", since: now } };
    default:
      if (goneSince === undefined && flaw?.kind === standing.is && flaw.bytes === standing.bytes)
        return entry;
      return { ...rest, flaw: { kind: standing.is, by: "look", since: now, bytes: standing.bytes } };
  }
}
