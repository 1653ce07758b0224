import { knownPosition } from "../../model/integrity.ts";
import type { LibraryEntry } from "../../model/library.ts";
import { oncePer } from "../../model/once-per.ts";
import type { Progress } from "../../model/progress.ts";
import { isTerminal, type RecordingId } from "../../model/recording.ts";
import { SECOND } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import type { DaemonApi } from "../api/daemon-api.ts";
import { timelineOf } from "../subsystems/library/marks.ts";
import { openProgress, type ProgressPart } from "../subsystems/progress/open.ts";
import type { Access } from "./access.ts";
import type { DaemonBase } from "./base.ts";
import { storedRecording } from "./storage.ts";

/** The resume positions, beside the document and the library: they end with their recordings. */
export async function openProgressPart(
  { disposeLater, clock, log }: DaemonBase,
  {
    storage,
    library,
    positionOf,
  }: Pick<Access, "storage" | "library"> & Pick<DaemonApi["playing"], "positionOf">,
): Promise<ProgressPart> {
  function extent(id: string) {
    const entry = library.entry(id);
    if (entry?.deleted !== undefined) return undefined;
    if (entry !== undefined) return { isGrowing: false };
    const recording = storedRecording(storage, id);
    return recording && { isGrowing: !isTerminal(recording.state) };
  }

  async function eventEndSeconds(id: string): Promise<number | undefined> {
    const entry = library.entry(id);
    if (entry === undefined) return undefined;
    const { event, file, firstAt } = entry;
    // A file that was converted has no index.
    const found = await positionOf(id, event.stop).catch(() => undefined);
    if (found !== undefined || firstAt === undefined) return found;
    return knownPosition(event.stop, { firstAt, ...(await timelineOf(file)) }) / SECOND;
  }

  async function onFinished(id: string): Promise<void> {
    if (library.entry(id)?.watched === false) await library.keeper.mark(id, { watched: true });
  }

  const brought = () => broughtBy(library.entries());
  return disposeLater(
    await openProgress({ state: storage.state, extent, eventEndSeconds, brought, onFinished, clock, log }),
  );
}

const broughtBy = oncePer(
  (entries: readonly LibraryEntry[]): ReadonlyMap<RecordingId, Progress> =>
    new Map(
      entries.flatMap(({ recordingId, imported, event }) => {
        const seconds = imported?.resumeSeconds;
        if (seconds === undefined) return [];
        const durationSeconds = lengthMs(event) / SECOND;
        return [[recordingId, { seconds, durationSeconds, isFinished: false, at: event.stop }]];
      }),
    ),
);
