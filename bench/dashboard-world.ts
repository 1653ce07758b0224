import { VERSION } from "../src/kit/version.ts";
import type { LibraryEntry } from "../src/model/library.ts";
import type { Recording, RecordingState } from "../src/model/recording.ts";
import type { Snapshot, TunerStatus } from "../src/model/snapshot.ts";
import { DAY, HOUR, MINUTE } from "../src/model/time.ts";
import { padded } from "../src/model/window.ts";

const TUNERS = 8;
const TITLES = [
  "The evening news",
  "A film by the sea",
  "Gardens of the north",
  "Late talk",
  "Football, live",
];

/** A household that ordered a great deal: so many timers in the two weeks to come, so many recordings on the disk. */
export function largeWorld(
  now: number,
  { timers, entries }: { readonly timers: number; readonly entries: number },
): { readonly snapshot: Snapshot; readonly entries: readonly LibraryEntry[] } {
  const recordings = Array.from({ length: timers }, (_, index) => recordingOf(index, { now, timers }));
  const placements = recordings.map(({ id, tunerId = "", window, event }) => ({
    kind: "placed" as const,
    recordingId: id,
    tunerId,
    span: window,
    begin: event.start,
    seamMs: 0,
  }));
  return {
    snapshot: {
      at: now,
      version: VERSION,
      startedAt: now - DAY,
      clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
      guide: { lastGoodAt: now, signInNeeded: false, reportsWaiting: 0 },
      tuners: Array.from({ length: TUNERS }, (_, index) => tunerOf(index)),
      recordings,
      plan: { placements, conflicts: [], groups: [] },
    },
    entries: Array.from({ length: entries }, (_, index) => entryOf(index, now)),
  };
}

function tunerOf(index: number): TunerStatus {
  return {
    id: `tuner-${index + 1}`,
    kind: "satip",
    state: "free",
    services: [],
    recordings: [],
    leases: [],
    health: [],
  };
}

function titleOf(index: number): string {
  return `${TITLES[index % TITLES.length]} ${index + 1}`;
}

function recordingOf(
  index: number,
  { now, timers }: { readonly now: number; readonly timers: number },
): Recording {
  const start = now + Math.floor((index / timers) * 14 * DAY);
  const event = { start, stop: start + HOUR };
  const padding = { beforeMs: MINUTE, afterMs: 3 * MINUTE };
  const state: RecordingState = "planned";
  return {
    id: `r${index + 1}`,
    timerId: String(index + 1),
    name: titleOf(index),
    showId: String(index),
    channelId: String(1 + (index % 40)),
    channelName: `Channel ${1 + (index % 40)}`,
    service: { onid: 1, tsid: 1 + (index % TUNERS), sid: 1 + (index % 40) },
    event,
    padding,
    window: padded(event, padding),
    priority: 50,
    state,
    tunerId: `tuner-${1 + (index % TUNERS)}`,
    withdrawn: false,
    reported: { state: "waiting", message: `Scheduled on tuner tuner-${1 + (index % TUNERS)}, 20:14–21:18.` },
    attempts: [],
  };
}

function entryOf(index: number, now: number): LibraryEntry {
  const start = now - (index + 1) * 4 * HOUR;
  return {
    recordingId: `old${index + 1}`,
    timerId: `old${index + 1}`,
    name: titleOf(index),
    subtitle: `Part ${index + 1}`,
    channelName: `Channel ${1 + (index % 40)}`,
    event: { start, stop: start + HOUR },
    state: "completed",
    endedAt: start + HOUR,
    file: `/srv/recordings/${titleOf(index)}.ts`,
    bytes: 3_000_000_000,
    made: [],
    protected: false,
    watched: false,
  };
}
