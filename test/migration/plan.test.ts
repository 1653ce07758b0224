import { describe, expect, it } from "vitest";
import type { FoundRecorder, FoundRecording, FoundRule, FoundTimer } from "../../src/migration/found.ts";
import { type KnownHere, type KnownShow, planImport } from "../../src/migration/plan.ts";
import type { Channel } from "../../src/model/service.ts";
import { MINUTE } from "../../src/model/time.ts";

const NOW = Date.UTC(2026, 10, 1, 12);
const FIRST = { onid: 1, tsid: 2, sid: 3 };

describe("the plan of an import", () => {
  it("finds channels by triplet, by name, and by name without HD, and none where two fit", () => {
    const plan = planned({
      channels: [
        { name: "Renamed", triplet: FIRST },
        { name: "zwei" },
        { name: "Drei HD" },
        { name: "Vier" },
        { name: "Fünf", number: 1 },
      ],
    });
    expect(plan.channels.map(({ channel }) => channel?.id)).toEqual(["1", "2", "3", undefined, undefined]);
  });

  it("takes a recording once, by its id and by its file", () => {
    const found = [recording("a", "/tv/a.ts"), recording("b", "/tv/b.ts"), recording("c", "/tv/c.ts")];
    const imported = { from: "tvheadend", id: "a" } as const;
    const entries = [
      { file: "/elsewhere/a.ts", imported },
      { file: "/tv/b.ts" },
      { file: "/x.ts", imported: { ...imported, from: "vdr", id: "c" } as const },
    ];
    expect(planned({ recordings: found }, { entries }).recordings.map(({ fate }) => fate.is)).toEqual([
      "there",
      "there",
      "new",
    ]);
  });

  it("takes a file that two entries name once", () => {
    const found = [recording("a", "/tv/a.ts"), recording("b", "/tv/a.ts")];
    expect(planned({ recordings: found }).recordings.map(({ fate }) => fate.is)).toEqual(["new", "there"]);
  });

  it("takes each file of a recording on its own, and only those that are not there", () => {
    const [first, second] = ["/tv/1.ts", "/tv/2.ts"].map((file) => ({ file, bytes: 1, modifiedAt: 0 }));
    const found = {
      ...recording("a", "/tv/1.ts"),
      subtitle: "Ende",
      files: [first, second].filter((one) => one !== undefined),
    };
    const [all] = planned({ recordings: [found] }).recordings;
    expect(all?.orders.map(({ id, subtitle, file }) => [id, subtitle, file])).toEqual([
      ["a 1/2", "Ende 1/2", "/tv/1.ts"],
      ["a 2/2", "Ende 2/2", "/tv/2.ts"],
    ]);
    const entries = [{ file: "/tv/1.ts", imported: { from: "tvheadend", id: "a 1/2" } as const }];
    const [rest] = planned({ recordings: [found] }, { entries }).recordings;
    expect(rest).toMatchObject({ fate: { is: "new" }, orders: [{ id: "a 2/2" }] });
  });

  it("orders the show at the time of a timer, the one with its title first", () => {
    const shows = [show(1, "News", 0, 30), show(2, "Film", 30, 120), show(3, "Late", 120, 180)];
    const plan = planned({ timers: [timer("Film", 25, 125)] }, { shows: () => shows });
    expect(plan.timers[0]).toMatchObject({ fate: { is: "new" }, showId: 2, notes: [] });
    expect(planned({ timers: [timer("Movie", 25, 125)] }, { shows: () => shows }).timers[0]).toMatchObject({
      showId: 2,
      notes: ['The guide calls it "Film".'],
    });
  });

  it("orders nothing where the guide has another show, no such channel, or the time is over", () => {
    const shows = () => [show(1, "Film", 0, 30)];
    const why = (found: FoundTimer) => planned({ timers: [found] }, { shows }).timers[0]?.fate;
    expect(why(timer("Film", 20, 200))).toEqual({
      is: "cannot",
      why: "The guide has no such show on Eins at that time.",
    });
    expect(why({ ...timer("Film", 0, 30), channel: { name: "Acht" } })).toEqual({
      is: "cannot",
      why: "The guide has no channel Acht.",
    });
    expect(why(timer("Film", -60, -30))).toEqual({ is: "cannot", why: "Its time is over." });
  });

  it("knows a show that is ordered", () => {
    const shows = () => [show(1, "Film", 0, 30)];
    const plan = planned({ timers: [timer("Film", 0, 30)] }, { shows, ordered: new Set([1]) });
    expect(plan.timers[0]?.fate).toEqual({ is: "there" });
  });

  it("gives a rule our channels, and names those that the guide lacks", () => {
    const plan = planned({ rules: [rule("News", [{ name: "Zwei" }, { name: "Acht" }])] });
    expect(plan.rules[0]).toMatchObject({
      fate: { is: "new" },
      order: { name: "News", words: "News", channelIds: [2] },
      notes: ["The guide lacks these channels: Acht."],
    });
  });

  it("keeps no rule for any channel where the guide has none of its channels", () => {
    const plan = planned({ rules: [rule("News", [{ name: "Acht" }])] });
    expect(plan.rules[0]?.fate).toEqual({
      is: "cannot",
      why: "The guide has none of its channels: Acht.",
    });
    expect(plan.rules[0]?.order).toBeUndefined();
  });

  it("knows a rule with the same conditions, whatever it is called", () => {
    const rules = [{ words: "News", channelIds: [2] }];
    const found = [rule("Mine", [{ name: "Zwei" }]), rule("Other", []), rule("Again", [])].map((one) => ({
      ...one,
      order: { ...one.order, words: "News" },
    }));
    expect(planned({ rules: found }, { rules }).rules.map(({ fate }) => fate.is)).toEqual([
      "there",
      "new",
      "there",
    ]);
  });

  it("says before anything is done that an expression of another engine cannot be used", () => {
    const [ahead, sound] = ["(?=News)", "^(News|Film)$"].map(
      (expression) =>
        planned({
          rules: [{ ...rule("News", []), order: { name: "News", expression, quality: "Prefer HD" } }],
        }).rules[0],
    );
    expect(ahead).toMatchObject({ fate: { is: "cannot", why: expect.stringContaining("(?=") } });
    expect(ahead?.order).toBeUndefined();
    expect(sound?.fate).toEqual({ is: "new" });
  });

  it("says why no rule can be kept", () => {
    const plan = planned({ rules: [rule("News", [])] }, { noRules: "There are no rules here." });
    expect(plan.rules[0]?.fate).toEqual({ is: "cannot", why: "There are no rules here." });
  });
});

function planned(found: Partial<FoundRecorder>, here: Partial<KnownHere> = {}) {
  const whole = { channels: [], recordings: [], timers: [], rules: [], leftOut: [], problems: [], ...found };
  return planImport("tvheadend", whole, {
    entries: [],
    channels: [
      channel("1", "Eins", [FIRST]),
      channel("2", "ZWEI"),
      channel("3", "Drei"),
      channel("4", "Vier"),
      channel("5", "Vier"),
    ],
    shows: () => [],
    ordered: new Set(),
    rules: [],
    now: NOW,
    ...here,
  });
}

function channel(id: string, name: string, triplets: Channel["triplets"] = []): Channel {
  return { id, name, nameShort: "", knownNames: [], triplets, lcns: [1] };
}

function recording(id: string, file: string): FoundRecording {
  return {
    id,
    title: id,
    channel: { name: "Eins" },
    event: { start: 0, stop: 1 },
    files: [{ file, bytes: 1, modifiedAt: 0 }],
    outcome: "ok",
    isWatched: false,
  };
}

function timer(title: string, from: number, to: number): FoundTimer {
  return { id: title, title, channel: { name: "Eins" }, event: span(from, to), notes: [] };
}

function show(id: number, title: string, from: number, to: number): KnownShow {
  return { id, title, ...span(from, to) };
}

function span(from: number, to: number) {
  return { start: NOW + from * MINUTE, stop: NOW + to * MINUTE };
}

function rule(name: string, channels: FoundRule["channels"]): FoundRule {
  return { id: name, order: { name, words: name, quality: "Prefer HD" }, channels, notes: [] };
}
