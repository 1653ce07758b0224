import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { JobKind } from "../../../model/job.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import type { RecordingId } from "../../../model/recording.ts";
import type { Space, SpaceFacts } from "../../../model/space.ts";
import { isOwn, withoutImported } from "./core/importing.ts";
import { addToLibrary, changeEntry, newcomers, withoutForgotten } from "./core/intake.ts";
import { rateOf } from "./core/rates.ts";
import { levelOf, spaceFacts } from "./core/space.ts";
import { createDeletions, type DeletionParts } from "./deletions.ts";
import type { DiskRoom, MeasureDisk } from "./disk.ts";
import type { FileWatch } from "./file-watch.ts";
import type { IndexPlace } from "./index-place.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { removeOne, standingOf } from "./removal.ts";
import { surviveWriteFailures } from "./shared-library.ts";

export interface Marks {
  readonly lowBytes: number;
  readonly stopBytes: number;
}

export interface KeeperParts extends DeletionParts {
  readonly folder: string;
  readonly look: MeasureDisk;
  readonly files: Pick<FileWatch, "look">;
  /**
   * Marks one of the two folders, to recognise its disk from then on.
   *
   * @throws RecorderdError STORAGE_OFFLINE or WRITE_FAILED
   */
  readonly settleIn: (folder: string) => Promise<void>;
  /** The name under which the library knows a folder. */
  readonly knownAs: (folder: string) => string;
  /** Whether files that are missing may be on another node of the fleet. */
  readonly mayBeElsewhere: () => boolean;
  readonly indexOf: IndexPlace;
  readonly marks: Marks;
  /** The jobs for each ended recording. */
  readonly jobs: readonly JobKind[];
  /** Called after each look that found a change. */
  readonly onNews: () => void;
}

/** Keeps the library in line with the plan and the disk. Only the keeper removes recordings. */
export interface Keeper {
  /** The latest measurement of the disk; `undefined` before the first one. */
  readonly space: () => Space | undefined;
  /** The present space, or the space with that many free bytes. */
  readonly facts: (freeBytes?: number) => SpaceFacts | undefined;
  /** Signals that the plan's document has changed. */
  readonly wake: () => void;
  /** @throws RecorderdError RECORDING_UNKNOWN */
  known(id: RecordingId): LibraryEntry;
  /** @throws RecorderdError RECORDING_UNKNOWN */
  mark(id: RecordingId, flags: Partial<Pick<LibraryEntry, "protected" | "watched">>): Promise<LibraryEntry>;
  /**
   * Removes a recording and its sidecars; of a recording of another recorder only the entry, and what we made of it.
   *
   * @throws RecorderdError RECORDING_UNKNOWN, RECORDING_PROTECTED, FILE_NOT_OURS or STORAGE_OFFLINE
   */
  remove(id: RecordingId): Promise<LibraryEntry>;
  /**
   * Looks until the signal is aborted, even while the data folder is not writable.
   *
   * @param restart replans when the state of the disk changes the plan
   */
  run(signal: AbortSignal, restart: () => Promise<void>): Promise<void>;
}

export function createKeeper(parts: KeeperParts): Keeper {
  const { library, plan, folder, marks, clock, log } = parts;
  const deletions = createDeletions(parts);
  const wakeSignal = new WakeSignal();
  let room: DiskRoom | undefined;
  let looked = false;
  let retentionAt = Number.NEGATIVE_INFINITY;

  function space(): Space | undefined {
    if (!looked) return undefined;
    if (room === undefined) return { kind: "offline" };
    const bytesPerSecond = rateOf(library.current.rates);
    return { kind: "online", freeBytes: room.freeBytes, ...marks, bytesPerSecond };
  }

  function facts(freeBytes?: number): SpaceFacts | undefined {
    if (!looked) return undefined;
    const recordings = Object.values(plan().recordings);
    const bytesPerSecond = rateOf(library.current.rates);
    const { totalBytes = 0 } = room ?? {};
    const seen = freeBytes === undefined ? room : { freeBytes, totalBytes: Math.max(totalBytes, freeBytes) };
    const disk = seen === undefined ? {} : { disk: seen };
    return spaceFacts({ ...disk, marks, recordings, bytesPerSecond, now: clock.now() });
  }

  async function lookAtDisk(signal: AbortSignal): Promise<void> {
    room = await parts.look(signal);
    for (const place of new Set([folder, parts.finishedFolder])) {
      if (room !== undefined && !library.current.knownFolders.includes(parts.knownAs(place)))
        await getToKnow(place);
    }
    looked = true;
  }

  async function getToKnow(place: string): Promise<void> {
    try {
      await parts.settleIn(place);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // Writers see the failure themselves; the next look tries again.
      return;
    }
    await library.change((held) => ({ ...held, knownFolders: [...held.knownFolders, parts.knownAs(place)] }));
  }

  async function takeNewcomersIn(): Promise<void> {
    for (const recording of newcomers(plan(), library.current)) {
      const { file } = recording.evidence ?? {};
      if (file === undefined) continue;
      if (Object.keys(library.current.entries).length >= LIBRARY_LIMITS.entries) {
        log.error("the library is full: a recording was not added", { recordingId: recording.id, file });
        return;
      }
      const timer = plan().timers[recording.timerId];
      await library.change((held) =>
        addToLibrary(held, recording, { timer, jobs: parts.jobs, now: clock.now() }),
      );
    }
    await library.change((held) => withoutForgotten(held, plan()));
  }

  async function round(signal: AbortSignal): Promise<void> {
    await lookAtDisk(signal);
    if (room === undefined) return;
    await takeNewcomersIn();
    const isTight = room.freeBytes < (parts.retention.freeBytes ?? 0);
    if (isTight || clock.monotonicMs() - retentionAt >= LIBRARY_LIMITS.retentionLookMs) {
      retentionAt = clock.monotonicMs();
      await parts.files.look(signal);
      await deletions.retain(room.freeBytes);
    }
    await deletions.replaceHealed();
    await deletions.carryOut();
    if (isTight) room = await parts.look(signal);
  }

  function known(id: RecordingId): LibraryEntry {
    const { entries } = library.current;
    // People may ask for any word, even a property that every object has.
    const entry = Object.hasOwn(entries, id) ? entries[id] : undefined;
    if (entry === undefined || entry.deleted !== undefined) {
      const message = `The library has no recording ${id}: recorderd recordings list shows all recordings.`;
      throw new RecorderdError("RECORDING_UNKNOWN", message, { recordingId: id });
    }
    return entry;
  }

  return {
    space,
    facts,
    known,
    wake: () => wakeSignal.signal(),
    mark: async (id, flags) => {
      known(id);
      await library.change((held) => changeEntry(held, id, flags));
      return known(id);
    },
    remove: async (id) => {
      const entry = known(id);
      if (isOwn(entry) && room === undefined) throw offline(folder);
      if (entry.protected) throw protectedOne(id);
      if (!isOwn(entry)) {
        await library.change((held) => withoutImported(held, id));
        await removeOne(parts.indexOf(entry)).catch(() => {});
        log.info("an imported recording was removed from the library; its file stays", { recordingId: id });
        parts.onNews();
        return entry;
      }
      const { is: standing } = await standingOf(entry);
      if (standing === "truncated" || standing === "changed") throw notOurs(entry);
      // One on another node is removed when the home of the fleet has it.
      const isAway = standing === "missing" && !parts.mayBeElsewhere() && !(await parts.isFinishedThere());
      if (isAway) throw offline(parts.finishedFolder);
      await deletions.order({ entry, reason: "requested by a person" }, "person");
      wakeSignal.signal();
      return entry;
    },
    run: async (signal, restart) => {
      const writable = surviveWriteFailures(log);
      let before: string | undefined;
      while (!signal.aborted) {
        await writable(() => round(signal));
        const level = room === undefined ? "offline" : levelOf(room.freeBytes, marks);
        parts.onNews();
        // Below a mark with every look: the remaining room changes with every recorded second.
        if (level !== before || level === "low") await restart();
        before = level;
        await wakeSignal.waitFor(LIBRARY_LIMITS.spaceLookMs, { clock, signal });
      }
    },
  };
}

function offline(folder: string): RecorderdError {
  return new RecorderdError("STORAGE_OFFLINE", `${folder} is missing: check that its disk is mounted.`, {
    folder,
  });
}

function protectedOne(id: RecordingId): RecorderdError {
  const message = `Recording ${id} is protected: run recorderd recordings unprotect ${id} first.`;
  return new RecorderdError("RECORDING_PROTECTED", message, { recordingId: id });
}

function notOurs({ recordingId, file, bytes }: LibraryEntry): RecorderdError {
  const message =
    `${file} has changed since it was recorded (it had ${bytes} bytes). If only its time changed, ` +
    `recorderd recordings verify ${recordingId} finds it intact, and you can then delete it; otherwise check the file, and remove it yourself.`;
  return new RecorderdError("FILE_NOT_OURS", message, { recordingId, file });
}
