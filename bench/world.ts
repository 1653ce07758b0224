import { type Recording, withoutForeignFields } from "../src/model/recording.ts";
import { MINUTE } from "../src/model/time.ts";
import type { Timer } from "../src/model/timer.ts";
import { decide } from "../src/recorder/engine/core/decide.ts";
import { type DaemonDocument, emptyDocument } from "../src/recorder/engine/core/document.ts";
import type { Decision, World } from "../src/recorder/engine/core/draft.ts";
import type { Occurrence } from "../src/recorder/engine/core/occurrence.ts";
import { createPlanner } from "../src/recorder/plan/planner.ts";

/** 2026-11-20T20:00:00Z */
const EIGHT = Date.UTC(2026, 10, 20, 20);
const CHANNELS = 40;
const TUNERS = 8;
const SERVICES_PER_MULTIPLEX = 5;

/** Eight tuners, forty channels on eight multiplexes; an hour before the first event. */
export const WORLD: World = {
  now: EIGHT - 60 * MINUTE,
  clock: { trusted: true, suspendsDecisions: false, boot: "bench", baseMs: 0 },
  policy: {
    padding: { beforeMs: MINUTE, afterMs: 3 * MINUTE },
    completeFrom: 0.98,
    follow: { extendMs: 60 * MINUTE, endEarly: false },
    vocabulary: "observed",
    priorities: [],
    repeats: "offer",
    timeZone: "UTC",
  },
  tuners: Array.from({ length: TUNERS }, (_, index) => ({
    id: `tuner-${index + 1}`,
    kind: "mock",
    services: "any",
    servicesAtOnce: () => Number.POSITIVE_INFINITY,
    warmUpMs: 2000,
  })),
  plan: createPlanner().plan,
};

/** A document that knows the channels and nothing else. */
export function documentWithChannels(): DaemonDocument {
  const channels = Array.from({ length: CHANNELS }, (_, index) => ({
    id: String(index + 1),
    name: `Channel ${index + 1}`,
    nameShort: `C${index + 1}`,
    knownNames: [],
    triplets: [{ onid: 0x1010, tsid: 1 + Math.floor(index / SERVICES_PER_MULTIPLEX), sid: index + 1 }],
    lcns: [index + 1],
  }));
  return after(emptyDocument(WORLD.now), { kind: "channels-fetched", channels });
}

export function after(before: DaemonDocument, occurrence: Occurrence): DaemonDocument {
  const { document, rest } = decide(before, occurrence, WORLD);
  return rest === undefined ? document : after(document, rest);
}

/** Timers of a house that records a lot: ten begin every half hour, on different channels. */
export function sync(timers: number): Occurrence {
  const list = Array.from({ length: timers }, (_, index): Timer => {
    const start = EIGHT + 30 * MINUTE * Math.floor(index / 10);
    return {
      id: String(index + 1),
      name: `Programme ${index} & its sequel`,
      deviceId: "1",
      channelId: String(1 + ((index * 7) % CHANNELS)),
      showId: String(100_000 + index),
      event: { start, stop: start + 30 * MINUTE },
      action: "record",
      state: "waiting",
      seriesRecordingId: "0",
      keywordId: "0",
    };
  });
  return { kind: "timers-fetched", list: { timers: list, malformed: [] } };
}

/** A document with so many recordings that are over, each with its timer, as the history of a month leaves it. */
export function documentWithHistory(recordings: number): DaemonDocument {
  let document = documentWithChannels();
  // Over with each portion of the list: nobody plans thousands that overlap.
  for (let rest: Occurrence | undefined = sync(recordings); rest !== undefined; ) {
    const decision: Decision = decide(document, rest, WORLD);
    const done = Object.values(decision.document.recordings).map(
      (each) => [each.id, completed(each)] as const,
    );
    document = { ...decision.document, outbox: [], latestFacts: [], recordings: Object.fromEntries(done) };
    rest = decision.rest;
  }
  return document;
}

function completed(recording: Recording): Recording {
  const { window, event } = recording;
  const windowMs = window.stop - window.start;
  const eventMs = event.stop - event.start;
  const done = {
    ...recording,
    state: "completed" as const,
    attempts: [
      {
        number: 1,
        tunerId: "tuner-1",
        startedAt: window.start,
        flowingAt: window.start,
        endedAt: window.stop,
        cause: "asked",
      },
    ],
    evidence: {
      file: `/srv/recordings/${recording.channelName}/${recording.name} 2026-11-20 20.00.ts`,
      bytes: 1_500_000_000,
      segments: 1,
      kept: [1],
      eventMs,
      eventCoveredMs: eventMs,
      windowMs,
      windowCoveredMs: windowMs,
      firstAt: window.start,
      lastAt: window.stop,
      continuityErrors: 0,
      transportErrors: 0,
      scrambledPackets: 0,
      clockBreaks: 0,
      damagedPackets: 0,
      junkBytes: 0,
      gaps: [],
    },
    endedAt: window.stop,
  };
  return withoutForeignFields(done) as unknown as Recording;
}
