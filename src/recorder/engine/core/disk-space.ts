import type { Recording, RecordingId } from "../../../model/recording.ts";
import { type DurationMs, SECOND } from "../../../model/time.ts";
import { displacedByDiskSpace } from "../../plan/disk-claims.ts";
import { orderNextClosingStep } from "./closing.ts";
import type { Draft } from "./draft.ts";

type Trouble = NonNullable<Recording["trouble"]>;

const OFFLINE: Trouble = {
  code: "STORAGE_OFFLINE",
  text: "The folder of recordings is missing: check that its disk is mounted.",
};
const NO_RECORDINGS: ReadonlySet<RecordingId> = new Set();

/**
 * Ends recordings that must yield their disk space to more important ones, and holds back those that may not begin.
 *
 * @param isDue whether a recording would begin now
 * @returns recordings that may not begin
 */
export function limitToDiskSpace(
  draft: Draft,
  isDue: (recording: Recording) => boolean,
): ReadonlySet<RecordingId> {
  const { space } = draft.world;
  if (space === undefined || (space.kind === "online" && space.freeBytes >= space.lowBytes))
    return NO_RECORDINGS;
  const due = draft.dueSoon().filter((recording) => isWaiting(recording) && isDue(recording));
  if (space.kind === "offline") {
    for (const recording of due) holdBack(draft, recording, OFFLINE);
    return new Set(due.map(({ id }) => id));
  }
  const running = draft.dueSoon().filter(({ state }) => state === "tuning" || state === "recording");
  const claims = [...running, ...due].map((recording) => ({
    recordingId: recording.id,
    priority: recording.priority,
    runs: running.includes(recording),
    start: recording.window.start,
    bytes: bytesToCome(recording, space.bytesPerSecond, draft.airNow),
  }));
  const full = space.freeBytes < space.stopBytes;
  const out = displacedByDiskSpace(claims, full ? 0 : space.freeBytes - space.stopBytes);
  const mark = full ? space.stopBytes : space.lowBytes;
  const text = `Less than ${formatBytes(mark)} is free on the disk.`;
  const trouble: Trouble = { code: "DISK_LOW", text, details: { freeBytes: mark } };
  for (const recording of due) if (out.has(recording.id)) holdBack(draft, recording, trouble);
  for (const recording of running) if (out.has(recording.id)) endRecording(draft, recording, trouble);
  return out;
}

function isWaiting({ state }: Recording): boolean {
  return state === "planned" || state === "waiting";
}

/** Closes the recording: its file stays, and its report gives the reason. */
function endRecording(draft: Draft, recording: Recording, trouble: Trouble): void {
  const closing = draft.move(recording, "expired", { trouble });
  if (closing?.state === "closing") orderNextClosingStep(draft, closing);
}

function holdBack(draft: Draft, recording: Recording, trouble: Trouble): void {
  if (recording.trouble?.text === trouble.text) return;
  draft.put({ ...recording, trouble });
  draft.note("held-back", recording, { cause: trouble.code, text: trouble.text });
}

function bytesToCome(
  { service, window }: Recording,
  bytesPerSecond: (service: NonNullable<Recording["service"]>) => number,
  now: number,
): number {
  const ms: DurationMs = Math.max(0, window.stop - Math.max(window.start, now));
  return service === undefined ? 0 : (bytesPerSecond(service) * ms) / SECOND;
}

function formatBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
