import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../../kit/time/limits.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Progress, ProgressReport } from "../../../model/progress.ts";
import type { RecordingId } from "../../../model/recording.ts";
import type { ProgressApi } from "../../api/daemon-api.ts";
import type { StateStore } from "../../store/state-store.ts";
import { progressFile } from "./file.ts";
import { PROGRESS_LIMITS } from "./limits.ts";
import { type Extent, isAtEnd, type Viewing, withoutGone, withPosition } from "./positions.ts";

export interface ProgressParts {
  readonly state: Pick<StateStore, "text">;
  /** Absent for a recording that is gone or never existed. */
  readonly extent: (id: RecordingId) => Pick<Extent, "isGrowing"> | undefined;
  /** Position of the end of the event on the player's timeline, if it is known. */
  readonly eventEndSeconds: (id: RecordingId) => Promise<number | undefined>;
  /** Positions from another recorder: of every viewer without an own one. */
  readonly brought: () => ReadonlyMap<RecordingId, Progress>;
  /** A viewer has seen the recording to its end. */
  readonly onFinished: (id: RecordingId) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps the resume positions of each viewer. Disposing writes them. */
export interface ProgressPart extends AsyncDisposable {
  readonly name: "progress";
  readonly api: ProgressApi;
  run(signal: AbortSignal): Promise<void>;
}

/** A report costs no write: positions are kept in memory, and written at most once in `PROGRESS_LIMITS.writeMs`. */
export async function openProgress(parts: ProgressParts): Promise<ProgressPart> {
  const { extent, eventEndSeconds, brought, onFinished, clock, log } = parts;
  const file = progressFile(parts.state, log);
  const wakeSignal = new WakeSignal();
  const isThere = (id: RecordingId) => extent(id) !== undefined;
  let positions = await file.read();
  let written = positions;

  function extentOf(id: RecordingId): Pick<Extent, "isGrowing"> {
    const found = extent(id);
    if (found !== undefined) return found;
    throw new RecorderdError("RECORDING_UNKNOWN", `There is no recording ${id}.`, { recordingId: id });
  }

  function keep(viewing: Viewing, progress: Progress): void {
    positions = withPosition(positions, viewing, progress);
    wakeSignal.signal();
  }

  async function hasSeen(id: RecordingId, report: ProgressReport): Promise<boolean> {
    const { isGrowing } = extentOf(id);
    if (isAtEnd(report, { isGrowing })) return true;
    // The end of the event costs reading.
    if (isGrowing || report.seconds <= report.durationSeconds / 2) return false;
    return isAtEnd(report, { isGrowing, eventEndSeconds: await eventEndSeconds(id) });
  }

  async function write(): Promise<void> {
    positions = withoutGone(positions, isThere);
    const next = positions;
    if (next === written) return;
    try {
      await file.write(next);
      written = next;
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      log.warn("the resume positions cannot be written; retrying", { text: error.message });
    }
  }

  const api: ProgressApi = {
    of: (viewer) => {
      const all = new Map([...brought()].slice(-PROGRESS_LIMITS.positions));
      for (const [recordingId, progress] of positions.get(viewer) ?? []) {
        all.delete(recordingId);
        all.set(recordingId, progress);
      }
      return [...all].flatMap(([recordingId, progress]) =>
        isThere(recordingId) ? [{ recordingId, ...progress }] : [],
      );
    },
    find: ({ viewer, recordingId }) => {
      extentOf(recordingId);
      return positions.get(viewer)?.get(recordingId) ?? brought().get(recordingId);
    },
    note: async (viewing, report) => {
      const { seconds, durationSeconds } = report;
      const isFinished = report.isFinished ?? (await hasSeen(viewing.recordingId, report));
      const progress = { seconds, durationSeconds, isFinished, at: clock.now() };
      const before = api.find(viewing);
      keep(viewing, progress);
      if (isFinished && before?.isFinished !== true) await onFinished(viewing.recordingId);
      return progress;
    },
    mark: (viewing, isFinished) => {
      const { durationSeconds = 0 } = api.find(viewing) ?? {};
      keep(viewing, { seconds: 0, durationSeconds, isFinished, at: clock.now() });
    },
  };

  return {
    name: "progress",
    api,
    run: async (signal) => {
      while (!signal.aborted) {
        await write();
        // Recordings are removed also while nobody watches.
        await wakeSignal.waitFor(TIME_LIMITS.waitSliceMs, { clock, signal });
        await clock.sleep(PROGRESS_LIMITS.writeMs, signal).catch(() => {});
      }
    },
    [Symbol.asyncDispose]: write,
  };
}
