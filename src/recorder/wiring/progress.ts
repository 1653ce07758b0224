import type { LibraryEntry } from "../../model/library.ts";
import { oncePer } from "../../model/once-per.ts";
import type { Progress } from "../../model/progress.ts";
import { isTerminal, type RecordingId } from "../../model/recording.ts";
import { SECOND } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import { openProgress, type ProgressPart } from "../subsystems/progress/open.ts";
import type { Extent } from "../subsystems/progress/positions.ts";
import type { Access } from "./access.ts";
import type { DaemonBase } from "./base.ts";
import { storedRecording } from "./storage.ts";

/** The resume positions, beside the document and the library: they end with their recordings. */
export async function openProgressPart(
  { disposeLater, clock, log }: DaemonBase,
  { storage, library }: Pick<Access, "storage" | "library">,
): Promise<ProgressPart> {
  function extent(id: string): Extent | undefined {
    const entry = library.entry(id);
    if (entry?.deleted !== undefined) return undefined;
    if (entry !== undefined) {
      const { event, firstAt } = entry;
      return {
        isGrowing: false,
        eventEndSeconds: firstAt === undefined ? undefined : (event.stop - firstAt) / SECOND,
      };
    }
    const recording = storedRecording(storage, id);
    return recording && { isGrowing: !isTerminal(recording.state) };
  }

  async function onFinished(id: string): Promise<void> {
    if (library.entry(id)?.watched === false) await library.keeper.mark(id, { watched: true });
  }

  const brought = () => broughtBy(library.entries());
  return disposeLater(await openProgress({ state: storage.state, extent, brought, onFinished, clock, log }));
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
