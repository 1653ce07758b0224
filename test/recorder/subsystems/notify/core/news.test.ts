import { describe, expect, it } from "vitest";
import { NEWS_KINDS, type NewsDocument } from "../../../../../src/model/news.ts";
import { hasFile, type Recording } from "../../../../../src/model/recording.ts";
import type { Snapshot } from "../../../../../src/model/snapshot.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../../src/model/time.ts";
import {
  emptyNews,
  NEWS_VERSION,
  parseNews,
} from "../../../../../src/recorder/subsystems/notify/core/document.ts";
import { NOTIFY_CORE_LIMITS } from "../../../../../src/recorder/subsystems/notify/core/limits.ts";
import { withNews } from "../../../../../src/recorder/subsystems/notify/core/news.ts";
import {
  dueFor,
  nextDue,
  undeliverable,
  withoutNews,
  withPostponed,
} from "../../../../../src/recorder/subsystems/notify/core/queue.ts";
import { fc } from "../../../../properties.ts";
import { ended, NOW, recording } from "../../library/entries.ts";

const SINCE = NOW - DAY;
const EVERYTHING = [{ id: "all", on: NEWS_KINDS }];

function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return {
    at: NOW,
    version: "0",
    startedAt: SINCE,
    clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
    guide: { signInNeeded: false, reportsWaiting: 0 },
    tuners: [],
    recordings: [],
    plan: { placements: [], conflicts: [], groups: [] },
    ...more,
  };
}

function look(document: NewsDocument, more: Partial<Snapshot>): NewsDocument {
  return withNews(document, snapshot(more), EVERYTHING);
}

const told = ({ waiting }: NewsDocument) => waiting.map(({ news: { kind, facts } }) => [kind, facts.is]);

function damaged(id: string): Recording {
  const whole = ended(id);
  if (!hasFile(whole)) throw new Error("it has a file");
  return ended(id, { evidence: { ...whole.evidence, verdict: "damaged" } });
}

describe("notifications", () => {
  it("are sent once for the end of each recording, by its result", () => {
    const recordings = [
      ended("a"),
      damaged("b"),
      ended("c", { state: "partial" }),
      ended("d", { state: "failed" }),
      ended("e", { state: "missed" }),
      ended("f", { state: "cancelled" }),
      recording("g"),
    ];
    const first = look(emptyNews(SINCE), { recordings });
    expect(told(first)).toEqual([
      ["completed", "recorded"],
      ["damaged", "recorded"],
      ["damaged", "recorded"],
      ["failed", "not-recorded"],
      ["failed", "missed"],
    ]);
    expect(look(first, { recordings })).toBe(first);
  });

  it("have the facts of the recording, and no words", () => {
    const { waiting } = look(emptyNews(SINCE), { recordings: [ended("a", { renamed: "Show A" })] });
    const { event, endedAt } = ended("a");
    const figures = { bytes: 3_600_000_000, share: 1, errors: 0, gaps: [] };
    const facts = { is: "recorded", name: "Show A", channelName: "ABC", event, isWhole: true, ...figures };
    const about = { timerId: "ta", recordingId: "a", id: "ended-a" };
    expect(waiting.map(({ news }) => news)).toEqual([{ kind: "completed", at: endedAt, facts, ...about }]);
  });

  it("name the recordings that a conflict is with, the earliest first", () => {
    const later = { start: NOW + 90 * MINUTE, stop: NOW + 3 * HOUR };
    const recordings = [
      recording("a", { state: "conflicted", trouble: { code: "TUNER_BUSY", text: "Two want it." } }),
      recording("b", { event: later, window: later }),
      recording("c"),
    ];
    const holders = ["b", "c", "b"].map((recordingId) => ({ recordingId, tunerId: "t" }));
    const conflicts = [{ recordingId: "a", holders, remedies: [] }];
    const { waiting } = look(emptyNews(SINCE), {
      recordings,
      plan: { placements: [], conflicts, groups: [] },
    });
    expect(waiting[0]?.news.facts).toMatchObject({
      is: "conflict",
      code: "TUNER_BUSY",
      holders: [{ name: "Show c" }, { name: "Show b", event: later }],
    });
  });

  it("exclude ends from before the configuration, and those a day old", () => {
    expect(told(look(emptyNews(NOW), { recordings: [ended("a")] }))).toEqual([]);
    expect(
      told(look(emptyNews(SINCE), { recordings: [ended("a")], at: NOW + NOTIFY_CORE_LIMITS.ageMs })),
    ).toEqual([]);
  });

  it("are sent when a condition begins, and again only after an hour", () => {
    const conflicted = recording("a", {
      state: "conflicted",
      trouble: { code: "TUNER_BUSY", text: "Two want it." },
    });
    const begun = look(emptyNews(SINCE), { recordings: [conflicted] });
    expect(told(begun)).toEqual([["conflict", "conflict"]]);
    const over = look(begun, { at: NOW + MINUTE });
    expect(told(look(over, { recordings: [conflicted], at: NOW + 2 * MINUTE }))).toHaveLength(1);
    const forgotten = look(over, { at: NOW + NOTIFY_CORE_LIMITS.againMs });
    expect(told(look(forgotten, { recordings: [conflicted], at: NOW + 2 * HOUR }))).toHaveLength(2);
  });

  it("are sent once for a damaged file", () => {
    const sizes = { wasBytes: 8_100_000, bytes: 3_000_000 };
    const about = { recordingId: "a", timerId: "ta", name: "Show a", file: "/recordings/a.ts", ...sizes };
    const damagedFiles = [{ ...about, kind: "truncated", by: "look", since: NOW }] as const;
    const begun = look(emptyNews(SINCE), { damagedFiles });
    expect(told(begun)).toEqual([["damaged", "file-flaw"]]);
    expect(begun.waiting[0]?.news.facts).toMatchObject({ flaw: "truncated", ...sizes });
    expect(look(begun, { damagedFiles, at: NOW + 2 * HOUR })).toBe(begun);
  });

  it("cover problems with disk, service, secrets, tuners and clock", () => {
    const space = {
      freeBytes: 1,
      totalBytes: 2,
      lowBytes: 1,
      stopBytes: 1,
      reservedBytes: 0,
      bytesPerSecond: 1,
    };
    const failing = (since: number) => ({ since, code: "GUIDE_UNREACHABLE", text: "no connection" }) as const;
    const guide = { signInNeeded: false, reportsWaiting: 0 };
    const kinds = (more: Partial<Snapshot>) => told(look(emptyNews(SINCE), more)).map(([kind]) => kind);
    expect(kinds({ space: { ...space, level: "enough" } })).toEqual([]);
    for (const level of ["low", "full", "offline"] as const)
      expect(kinds({ space: { ...space, level } })).toEqual(["disk"]);
    const damaged = { since: NOW, code: "CONFIG_INVALID", text: "torn", usesEarlier: false } as const;
    expect(kinds({ secrets: damaged })).toEqual(["sync"]);
    expect(kinds({ store: { since: NOW, code: "DISK_FULL", text: "full" } })).toEqual(["disk"]);
    expect(kinds({ guide: { ...guide, signInNeeded: true } })).toEqual(["sync"]);
    expect(kinds({ guide: { ...guide, failure: failing(NOW - MINUTE) } })).toEqual([]);
    expect(kinds({ guide: { ...guide, failure: failing(NOW - NOTIFY_CORE_LIMITS.syncMs) } })).toEqual([
      "sync",
    ]);
    expect(kinds({ guide: { ...guide, quarantine: { since: NOW, listed: 1, held: 9 } } })).toEqual(["sync"]);
    const clock = { trusted: false, holds: true, kernel: "silent", aheadSeconds: {}, text: "off" } as const;
    expect(kinds({ clock })).toEqual(["clock"]);
    expect(kinds({ power: { failed: { wantedAt: NOW, cameAt: NOW } } })).toEqual(["clock"]);
    const quarantine = { since: NOW, code: "TUNER_NO_LOCK", triedAgainAt: NOW } as const;
    const tuner = {
      id: "a",
      kind: "dvb",
      state: "free",
      services: [],
      recordings: [],
      leases: [],
      health: [],
    } as const;
    expect(
      kinds({
        tuners: [
          { ...tuner, quarantine },
          { ...tuner, id: "b" },
        ],
      }),
    ).toEqual(["tuner"]);
  });

  it("go to targets that list their kind", () => {
    const subscriptions = [
      { id: "phone", on: ["failed"] },
      { id: "mail", on: ["completed", "failed"] },
    ] as const;
    const recordings = [ended("a"), ended("b", { state: "failed" })];
    const { waiting } = withNews(emptyNews(SINCE), snapshot({ recordings }), subscriptions);
    expect(waiting.map(({ news, target }) => `${news.id} ${target}`)).toEqual([
      "ended-a mail",
      "ended-b phone",
      "ended-b mail",
    ]);
  });

  it("leave no state of recordings that the daemon forgot", () => {
    const heard = look(emptyNews(SINCE), { recordings: [ended("a")] });
    expect(Object.keys(heard.ended)).toEqual(["a"]);
    expect(look(heard, {}).ended).toEqual({});
  });

  it("never repeat an id, in any sequence of events", () => {
    const states = ["conflicted", "planned", "completed", "failed", "partial"] as const;
    const step = fc.record({
      state: fc.constantFrom(...states),
      later: fc.integer({ min: 1, max: 3 * HOUR }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let document = emptyNews(SINCE);
        let at = NOW;
        for (const { state, later } of steps) {
          at += later;
          const isOver = state !== "conflicted" && state !== "planned";
          const one = isOver ? ended("a", { state, endedAt: at }) : recording("a", { state });
          document = look(look(document, { recordings: [one], at }), { recordings: [one], at });
        }
        const ids = document.waiting.map(({ news }) => news.id);
        return new Set(ids).size === ids.length;
      }),
    );
  });
});

describe("the queue of notifications", () => {
  const two = look(emptyNews(SINCE), { recordings: [ended("a"), ended("b")] });
  const [first] = two.waiting;
  if (first === undefined) throw new Error("nothing waits");

  it("serves a target in order, even if the first one has to wait", () => {
    expect(dueFor(two, "all", NOW)?.news.id).toBe("ended-a");
    const later = withPostponed(two, first, NOW);
    expect(dueFor(later, "all", NOW)).toBeUndefined();
    expect(nextDue(later)).toBe(NOW + NOTIFY_CORE_LIMITS.retryMsMin);
    expect(dueFor(withoutNews(later, first), "all", NOW)?.news.id).toBe("ended-b");
  });

  it("retries with growing pauses, an hour at most", () => {
    let document = two;
    const pauses = Array.from({ length: 12 }, () => {
      document = withPostponed(document, document.waiting[0] ?? first, NOW);
      return ((document.waiting[0]?.notBefore ?? 0) - NOW) / SECOND;
    });
    expect(pauses.slice(0, 4)).toEqual([15, 30, 60, 120]);
    expect(pauses.at(-1)).toBe(HOUR / SECOND);
  });

  it("does not wait for a clock that was set back", () => {
    expect(dueFor(withPostponed(two, first, NOW + DAY), "all", NOW)?.news.id).toBe("ended-a");
  });

  it("drops entries that are too old, too many, or without a target", () => {
    expect(undeliverable(two, ["all"], NOW)).toEqual([]);
    expect(undeliverable(two, [], NOW)).toHaveLength(2);
    expect(undeliverable(two, ["all"], NOW + NOTIFY_CORE_LIMITS.waitMs)).toHaveLength(2);
    const many = Array.from({ length: NOTIFY_CORE_LIMITS.waiting + 3 }, (_, at) => ({
      ...first,
      news: { ...first.news, id: String(at) },
    }));
    expect(undeliverable({ ...two, waiting: many }, ["all"], NOW).map(({ news }) => news.id)).toEqual([
      "0",
      "1",
      "2",
    ]);
  });
});

describe("stored notifications", () => {
  it("are the same after writing and reading, and other data is rejected", () => {
    const document = look(emptyNews(SINCE), { recordings: [ended("a")] });
    expect(parseNews(JSON.parse(JSON.stringify(document)), NEWS_VERSION)).toEqual(document);
    for (const other of [null, 1, {}, { ...document, waiting: {} }])
      expect(() => parseNews(other, NEWS_VERSION)).toThrow();
  });

  it("keep their words if an earlier recorder stored words instead of facts", () => {
    const about = { id: "ended-a", kind: "failed", at: NOW, recordingId: "a" } as const;
    const waiting = { target: "all", tries: 3, notBefore: NOW };
    const [title, text] = ["Not recorded: Show a", "No tuner."];
    const stored = { ...emptyNews(SINCE), waiting: [{ ...waiting, news: { ...about, title, text } }] };
    const news = { ...about, facts: { is: "words", title, text } };
    expect(parseNews(stored, 1).waiting).toEqual([{ ...waiting, news }]);
  });
});
