import { RecorderdError } from "../../../model/errors.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import type { TimerId } from "../../../model/timer.ts";
import type { OverrideChange } from "../../../model/timer-override.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { Engine } from "./engine.ts";

interface OverrideParts {
  readonly document: () => Pick<DaemonDocument, "recordings">;
  readonly engine: Pick<Engine, "ask" | "ready">;
}

/**
 * Changes a timer's override and waits until that is on disk.
 *
 * @returns the recording with this change, before any later one
 * @throws RecorderdError RECORDING_UNKNOWN, DAEMON_NOT_READY, STORE_WRITE_FAILED while the data folder is not
 * writable
 */
export async function setTimerOverride(
  timerId: TimerId,
  change: OverrideChange,
  { document, engine }: OverrideParts,
): Promise<Recording> {
  await engine.ready();
  const open = Object.values(document().recordings).findLast(
    (each) => each.timerId === timerId && !isTerminal(each.state),
  );
  if (open === undefined)
    throw new RecorderdError("RECORDING_UNKNOWN", `No recording is planned or running for timer ${timerId}.`);
  return engine.ask({ kind: "override-changed", recordingId: open.id, change });
}
