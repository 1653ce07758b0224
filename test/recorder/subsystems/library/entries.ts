import type { FileEvidence } from "../../../../src/model/evidence.ts";
import type { LibraryEntry } from "../../../../src/model/library.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/model/time.ts";
import { inState } from "../../../model/recordings.ts";

/** 2026-11-20T20:00:00Z */
export const NOW = Date.UTC(2026, 10, 20, 20, 0, 0);

/** A recording that ended so many days ago. */
export function entry(
  recordingId: string,
  { daysAgo = 1, ...options }: Partial<LibraryEntry> & { readonly daysAgo?: number } = {},
): LibraryEntry {
  const endedAt = NOW - daysAgo * DAY;
  return {
    recordingId,
    timerId: `t${recordingId}`,
    name: `Show ${recordingId}`,
    channelName: "ABC",
    event: { start: endedAt - HOUR, stop: endedAt },
    state: "completed",
    endedAt,
    file: `/recordings/${recordingId}.ts`,
    bytes: 1000,
    made: [],
    protected: false,
    watched: false,
    ...options,
  };
}

export function recording(id: string, options: Partial<Recording> = {}): Recording {
  const event = { start: NOW + HOUR, stop: NOW + 2 * HOUR };
  const planned: Recording = {
    id,
    timerId: `t${id}`,
    name: `Show ${id}`,
    channelId: "1",
    channelName: "ABC",
    service: { onid: 1, tsid: 1, sid: 1 },
    event,
    padding: { beforeMs: 0, afterMs: 0 },
    window: event,
    priority: 50,
    state: "planned",
    tunerId: "a",
    withdrawn: false,
    attempts: [],
  };
  return inState(planned, options.state ?? "planned", options);
}

/** A recording that has ended with a file. */
export function ended(id: string, options: Partial<Recording> = {}): Recording {
  const event = { start: NOW - 2 * HOUR, stop: NOW - HOUR };
  const evidence: FileEvidence = {
    file: `/recordings/${id}.ts`,
    bytes: 3_600_000_000,
    segments: 1,
    eventMs: HOUR,
    eventCoveredMs: HOUR,
    windowMs: HOUR,
    windowCoveredMs: HOUR,
    continuityErrors: 0,
    transportErrors: 0,
    scrambledPackets: 0,
    clockBreaks: 0,
    damagedPackets: 0,
    junkBytes: 0,
    gaps: [],
  };
  const whole = inState(recording(id), "completed", {
    event,
    window: event,
    evidence,
    endedAt: NOW - HOUR + MINUTE,
    attempts: [
      { number: 1, tunerId: "a", startedAt: event.start, flowingAt: event.start, endedAt: event.stop },
    ],
  });
  return inState(whole, options.state ?? "completed", options);
}
