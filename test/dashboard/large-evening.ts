import type { Lack, Remedy } from "../../src/model/plan.ts";
import type { Reach } from "../../src/model/reach.ts";
import type { Recording } from "../../src/model/recording.ts";
import type { Rule } from "../../src/model/rule.ts";
import type { Snapshot, TunerStatus } from "../../src/model/snapshot.ts";
import { DAY, type EpochMs, HOUR, MINUTE, SECOND } from "../../src/model/time.ts";

/** Recordings that run, that failed, and that need a decision, and what else an evening has. */
export interface LargeEvening {
  readonly recordings: readonly Recording[];
  readonly conflicts: readonly Lack[];
  readonly placements: Snapshot["plan"]["placements"];
}

/**
 * @param like a planned recording of the household
 * @param count of each kind
 */
export function largeEvening(
  like: Recording,
  {
    now,
    count,
    titleOf,
  }: { readonly now: EpochMs; readonly count: number; readonly titleOf: (at: number) => string },
): LargeEvening {
  const of = (kind: string, make: (at: number) => object) =>
    Array.from({ length: count }, (_, at): Recording => {
      const id = `${kind}${at + 1}`;
      return { ...like, id, timerId: id, name: titleOf(at), showId: `${id}-show`, ...make(at) } as Recording;
    });
  const running = of("running", (at) => ({
    ...timed(now - (at + 5) * MINUTE, HOUR),
    state: "recording",
    tunerId: `tuner-${1 + (at % 8)}`,
    attempts: [{ number: 1, tunerId: `tuner-${1 + (at % 8)}`, startedAt: now - (at + 5) * MINUTE }],
  }));
  const failed = of("failed", (at) => ({
    ...timed(now - (at + 4) * HOUR, HOUR),
    state: at % 2 === 0 ? "failed" : "missed",
    endedAt: now - (at + 3) * HOUR,
    trouble: { code: "TUNER_NO_LOCK", text: "no lock" },
  }));
  // Three share an hour: all of them are whole without the same other one.
  const lost = of("lost", (at) => ({
    ...timed(now + (2 + Math.floor(at / 3) * 2) * HOUR, HOUR),
    state: "conflicted",
    tunerId: undefined,
    trouble: { code: "TUNER_BUSY", text: "in conflict" },
  }));
  const rivals = of("rival", (at) => ({ ...timed(now + (2 + at * 2) * HOUR + 15 * MINUTE, 2 * HOUR) }));
  return {
    recordings: [...running, ...failed, ...lost, ...rivals],
    conflicts: lost.map(({ id, event }, at) => lackOf(id, { at, rivals, start: event.start })),
    placements: [...running, ...rivals].map(({ id, tunerId = "", window, event }) => ({
      kind: "placed",
      recordingId: id,
      tunerId,
      span: window,
      begin: event.start,
      seamMs: 0,
    })),
  };
}

function timed(start: EpochMs, lengthMs: number): Pick<Recording, "event" | "window"> {
  const event = { start, stop: start + lengthMs };
  return { event, window: { start: event.start - MINUTE, stop: event.stop + 3 * MINUTE } };
}

function lackOf(
  recordingId: string,
  {
    at,
    rivals,
    start,
  }: { readonly at: number; readonly rivals: readonly Recording[]; readonly start: EpochMs },
): Lack {
  const near = [...rivals.slice(at, at + 3), ...rivals].slice(0, 3).map(({ id }) => id);
  const repeat = {
    showId: `${recordingId}-again`,
    channelId: "2",
    channelName: "Österreichischer Regionalrundfunk Hauptprogramm 2",
    service: { onid: 1, tsid: 1, sid: 2 },
    event: { start: start + 2 * DAY, stop: start + 2 * DAY + HOUR },
  };
  const remedies: readonly Remedy[] = [
    { kind: "repeat", recordingId, repeat },
    { kind: "raise-priority", recordingId, to: 60, loses: near, partly: near.slice(1) },
    { kind: "withdraw", recordingId, other: near[0] ?? "" },
  ];
  return {
    recordingId,
    holders: near.map((id, tuner) => ({ recordingId: id, tunerId: `tuner-${tuner + 1}` })),
    // Some have one choice, or none.
    remedies: at % 5 === 4 ? [{ kind: "none", recordingId }] : remedies.slice(at % 4 === 3 ? 2 : 0),
  };
}

/** One tuner does not work, one receives badly, and one is used by a viewer. */
export function troubledTuners(tuners: readonly TunerStatus[], now: EpochMs): readonly TunerStatus[] {
  const [first, second, third, ...others] = tuners;
  if (first === undefined || second === undefined || third === undefined) return tuners;
  const health = [
    { multiplex: "1-1", tries: 40, failures: 12, lockMs: 2300, errorsPerMillion: 2130, at: now, weakness: 2 },
    { multiplex: "1-2", tries: 9, failures: 0, lockMs: 900, at: now, weakness: 0 },
  ];
  const code = "STREAM_NO_DATA";
  return [
    {
      ...first,
      id: "Wohnzimmer-Satellitenempfänger-Nordwest-1",
      quarantine: { since: now - HOUR, code, triedAgainAt: now + 10 * MINUTE },
      trouble: { code, at: now - HOUR },
      health,
    } as TunerStatus,
    {
      ...second,
      state: "receiving",
      multiplex: "1-1",
      recordings: ["running1"],
      heldUntil: now + HOUR,
      reception: {
        at: now,
        isLocked: true,
        strengthPercent: 61,
        snrDb: 9.4,
        qualityPercent: 40,
        uncorrectedBlocks: 2130,
      },
      health,
    } as TunerStatus,
    { ...third, state: "lent" },
    ...others,
  ];
}

/** A history with many tries. */
export function historyOf(now: EpochMs) {
  const fact = (secondsAgo: number, name: string, facts: Readonly<Record<string, string | number>>) => ({
    at: now - secondsAgo * SECOND,
    fact: name,
    facts,
    text: `${name} ${"of the recorder's own words ".repeat(3)}`,
  });
  const attempts = Array.from({ length: 12 }, (_, at) => [
    fact(3000 - at * 60, "flowing", { tuner: "Wohnzimmer-Satellitenempfänger-Nordwest-1" }),
    fact(2970 - at * 60, "attempt-ended", { cause: at % 2 === 0 ? "STREAM_NO_DATA" : "TUNER_NO_LOCK" }),
  ]).flat();
  const lines = [
    fact(9000, "ordered", { name: "Film", channel: "Sender 1", start: now, stop: now + HOUR }),
    fact(8000, "placed", { tuner: "tuner-1" }),
    ...attempts,
    fact(100, "shortened", { cause: "STREAM_NO_DATA" }),
  ];
  return { timeZone: "UTC", lines, facts: [] };
}

export function largeRules(count: number, titleOf: (at: number) => string): readonly Rule[] {
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    deviceId: 1,
    createdAt: 0,
    name: titleOf(at),
    words: titleOf(at),
    without: "Wiederholung Zusammenfassung",
    channelIds: [1, 2, 4, 7],
    weekdays: [1, 3, 5, 6],
    genres: ["movie", "news", "Fernsehfilm und Spielfilmreihe"],
    between: { from: 1215, until: 60 },
    minMinutes: 20,
    maxMinutes: 200,
    newOnly: true,
    quality: "Prefer HD",
    keep: 5,
    priority: 60,
    beforeMinutes: 5,
    afterMinutes: 15,
    folder: `Serien/${titleOf(at)}`,
    ...(at % 3 === 2 ? { isPaused: true } : {}),
  }));
}

/** Two of three channels are received; some of the others may be a known service. */
export function largeReach(
  channels: readonly { readonly id: string; readonly name: string }[],
): readonly Reach[] {
  const service = (at: number) => ({ onid: 1, tsid: 1 + (at % 8), sid: at + 1 });
  return channels.map(({ id: channelId, name }, at) =>
    at % 3 < 2
      ? { channelId, name, number: at + 1, service: service(at), by: "guide", tuners: ["tuner-2"] }
      : {
          channelId,
          name,
          number: at + 1,
          tuners: [],
          services: at % 2 === 0 ? [service(at)] : [],
          candidates: at % 2 === 0 ? [{ name: `${name} HD`, triplet: service(900 + at), lcn: at }] : [],
        },
  ) as readonly Reach[];
}
