import {
  HOOK_POINTS,
  type HookPoint,
  type LibraryDocument,
  type LibraryEntry,
} from "../../../../model/library.ts";
import type { Recording, RecordingId } from "../../../../model/recording.ts";
import { tripletKey } from "../../../../model/service.ts";
import type { EpochMs } from "../../../../model/time.ts";
import { withoutUndefined } from "../../../../model/without-undefined.ts";
import type { PlanDocument } from "./intake.ts";
import { LIBRARY_CORE_LIMITS } from "./limits.ts";

/** A configured command and the points at which it runs. */
export interface Hook {
  readonly on: readonly HookPoint[];
  /** Program and arguments; one line for `/bin/sh -c` where `shell` is set. */
  readonly command: readonly string[];
  readonly shell: boolean;
  readonly timeoutMs: number;
}

/**
 * The input of a hook, as JSON on its standard input, and each field as `RECORDERD_…` in its environment. It contains
 * no secrets.
 */
export interface HookFacts {
  readonly point: HookPoint;
  readonly recordingId: RecordingId;
  readonly timerId: string;
  readonly title: string;
  readonly channel: string;
  readonly service?: string;
  readonly state: string;
  /** ISO 8601, UTC. */
  readonly eventStart: string;
  readonly eventStop: string;
  readonly file?: string;
  readonly bytes?: number;
  /** The latest report to the guide service. */
  readonly message?: string;
  /** The reason for the deletion. */
  readonly reason?: string;
}

/** Search path for the programs of hooks. */
export const HOOK_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Program and arguments for the system. */
export function commandOf({ command, shell }: Pick<Hook, "command" | "shell">): readonly string[] {
  return shell ? ["/bin/sh", "-c", ...command] : command;
}

export interface DueHook {
  readonly recordingId: RecordingId;
  readonly facts: HookFacts;
}

/** The order of points; completed and failed are one point in a recording's life. */
const RANK: Readonly<Record<HookPoint, number>> = {
  scheduled: 0,
  started: 1,
  completed: 2,
  failed: 2,
  deleted: 3,
};

/** The next unfinished point of each recording; its points come in order. */
export function dueHooks(
  { recordings }: PlanDocument,
  library: LibraryDocument,
  now: EpochMs,
): readonly DueHook[] {
  const ids = new Set([...Object.keys(recordings), ...Object.keys(library.entries)]);
  return [...ids].flatMap((recordingId) => {
    const recording = recordings[recordingId];
    const entry = library.entries[recordingId];
    const withPointsDone = library.heard[recordingId];
    const rank = withPointsDone === undefined ? -1 : RANK[withPointsDone];
    const point = reachedPoints(recording, entry, now).find((each) => RANK[each] > rank);
    if (point === undefined) return [];
    return [{ recordingId, facts: factsOf(point, recording, entry) }];
  });
}

/** The points that a recording has reached, in order. */
function reachedPoints(
  recording: Recording | undefined,
  entry: LibraryEntry | undefined,
  now: EpochMs,
): readonly HookPoint[] {
  const points = new Set<HookPoint>();
  if (recording !== undefined) {
    const { state, attempts } = recording;
    const isSettled = !awaitsSidecars(recording, now);
    if (state === "planned" || attempts.length > 0) points.add("scheduled");
    if (attempts.some(({ flowingAt }) => flowingAt !== undefined)) points.add("started");
    if (state === "completed" && isSettled) points.add("completed");
    if ((state === "partial" || state === "failed" || state === "missed") && isSettled) points.add("failed");
  }
  if (entry?.deleted?.done === true) points.add("deleted");
  return HOOK_POINTS.filter((point) => points.has(point));
}

/** Waits for the sidecars: a command that moves a recording away would leave them behind. */
function awaitsSidecars({ sidecarDue, endedAt = 0 }: Recording, now: EpochMs): boolean {
  return sidecarDue === true && Math.abs(now - endedAt) < LIBRARY_CORE_LIMITS.hookSidecarMs;
}

function factsOf(
  point: HookPoint,
  recording: Recording | undefined,
  entry: LibraryEntry | undefined,
): HookFacts {
  const about = recording ?? entry;
  if (about === undefined) throw new Error("a hook is due for a recording that nobody holds");
  const { timerId, name, channelName, service, event, state } = about;
  const file = entry?.file ?? recording?.evidence?.file;
  const bytes = entry?.bytes ?? recording?.evidence?.bytes;
  return {
    point,
    recordingId: "recordingId" in about ? about.recordingId : about.id,
    timerId,
    title: name,
    channel: channelName,
    ...(service === undefined ? {} : { service: tripletKey(service) }),
    state,
    eventStart: new Date(event.start).toISOString(),
    eventStop: new Date(event.stop).toISOString(),
    ...withoutUndefined({ file, bytes }),
    ...(recording?.reported === undefined ? {} : { message: recording.reported.message }),
    ...(entry?.deleted === undefined ? {} : { reason: entry.deleted.reason }),
  };
}

/** `eventStart` becomes `RECORDERD_EVENT_START`. */
export function hookEnvironment(facts: HookFacts): Readonly<Record<string, string>> {
  const variables = Object.entries(facts).map(([key, value]) => [
    `RECORDERD_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
    // An environment cannot hold NUL. Recordings from before the limit may have longer texts.
    String(value).replaceAll("\0", "").slice(0, LIBRARY_CORE_LIMITS.hookValueLength).toWellFormed(),
  ]);
  return Object.fromEntries(variables);
}

/** Marks these points as finished, each the latest of its recording. */
export function heard(library: LibraryDocument, points: readonly HookFacts[]): LibraryDocument {
  if (points.length === 0) return library;
  const more = points.map(({ recordingId, point }) => [recordingId, point] as const);
  return { ...library, heard: { ...library.heard, ...Object.fromEntries(more) } };
}
