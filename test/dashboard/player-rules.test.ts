import { beforeAll, describe, expect, it } from "vitest";
import { commandOf, RATES, rateAfter } from "../../src/dashboard/player/commands.ts";
import { afterGap } from "../../src/dashboard/player/gaps.ts";
import { nextEpisode } from "../../src/dashboard/player/next-episode.ts";
import { positionText, spokenPosition } from "../../src/dashboard/player/position-text.ts";
import { stallWatch } from "../../src/dashboard/player/stalls.ts";
import { soundNames, subtitleNames } from "../../src/dashboard/player/track-names.ts";
import { setReader } from "../../src/dashboard/state/language.ts";
import type { LibraryEntry } from "../../src/model/library.ts";
import { createReader } from "../../src/words/reader.ts";
import { en } from "../../src/words/texts/en.ts";
import { fc } from "../properties.ts";

beforeAll(() => {
  setReader(createReader({ language: "en", locale: "en-GB", timeZone: "Europe/Berlin", text: en }));
});

describe("playback that reaches missing data", () => {
  const gaps = [{ startSeconds: 10, lengthSeconds: 20 }];
  const before = { startSeconds: 0, endSeconds: 9.9 };

  it("continues after the gap in the time stamps", () => {
    const buffered = [before, { startSeconds: 10.6, endSeconds: 40 }];
    expect(afterGap(9.8, { gaps, buffered })).toBe(10.6);
    expect(afterGap(10.2, { gaps, buffered })).toBe(10.6);
  });

  it("waits where a viewer sought a part that is still to be loaded, whatever is loaded behind it", () => {
    expect(afterGap(9.8, { gaps, buffered: [{ startSeconds: 15, endSeconds: 40 }] })).toBeUndefined();
    const earlier = { startSeconds: 0, endSeconds: 4 };
    expect(
      afterGap(9.8, { gaps, buffered: [earlier, { startSeconds: 15, endSeconds: 40 }] }),
    ).toBeUndefined();
  });

  it("skips no data that is still loading, and nothing elsewhere", () => {
    expect(afterGap(9.8, { gaps, buffered: [before] })).toBeUndefined();
    expect(afterGap(9.8, { gaps, buffered: [{ startSeconds: 0, endSeconds: 60 }] })).toBeUndefined();
    expect(afterGap(5, { gaps, buffered: [{ startSeconds: 6, endSeconds: 9 }] })).toBeUndefined();
    expect(afterGap(9.8, { gaps, buffered: [before, { startSeconds: 60, endSeconds: 90 }] })).toBeUndefined();
  });
});

const entry = (recordingId: string, start: number, more: Partial<LibraryEntry> = {}): LibraryEntry => ({
  ...{ recordingId, timerId: recordingId, name: "Tides", channelName: "One", state: "completed" as const },
  ...{ event: { start, stop: start + 1 }, endedAt: start + 1, file: "/x", bytes: 1, made: [] },
  ...{ protected: false, watched: false },
  ...more,
});

describe("the next episode", () => {
  const current = entry("1", 10);
  const isFinished = () => false;

  it("is the next unfinished one by time", () => {
    const all = [entry("4", 40), entry("3", 30), entry("0", 5), current, entry("2", 20)];
    expect(nextEpisode(all, { current, isFinished })?.recordingId).toBe("2");
    expect(nextEpisode(all, { current, isFinished: (id) => id === "2" })?.recordingId).toBe("3");
  });

  it("belongs to the same series of the guide, and has a file", () => {
    const other = { guideSeries: "77" };
    expect(nextEpisode([entry("2", 20, other)], { current, isFinished })).toBeUndefined();
    const gone = [entry("2", 20, { goneSince: 30 }), entry("3", 30, { name: "Something else" })];
    expect(nextEpisode(gone, { current, isFinished })).toBeUndefined();
    const named = entry("5", 50, { ...other, name: "Low Tide" });
    expect(nextEpisode([named], { current: entry("1", 10, other), isFinished })).toBe(named);
  });
});

describe("the player's keys", () => {
  const key = (name: string, more = {}) =>
    commandOf({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...more });

  it("leave the browser's shortcuts alone", () => {
    expect(key("f", { ctrlKey: true })).toBeUndefined();
    expect(key("toString")).toBeUndefined();
    expect(key("Tab")).toBeUndefined();
    expect(key("K")).toEqual({ do: "toggle" });
  });

  it("change the speed within its range", () => {
    fc.assert(
      fc.property(fc.constantFrom(...RATES), fc.integer({ min: -9, max: 9 }), (rate, steps) =>
        RATES.includes(rateAfter(rate, steps)),
      ),
    );
    expect([rateAfter(1, 1), rateAfter(2, 1), rateAfter(0.5, -1)]).toEqual([1.25, 2, 0.5]);
  });
});

describe("a position", () => {
  it("shows hours only from one hour on", () => {
    expect([0, 62, 2530, 3723].map(positionText)).toEqual(["0:00", "1:02", "42:10", "1:02:03"]);
    expect([0, 61, 3723].map(spokenPosition)).toEqual([
      "0 seconds",
      "1 minute 1 second",
      "1 hour 2 minutes 3 seconds",
    ]);
  });
});

describe("the name of a track", () => {
  it("is its language in the reader's words, with what tells it from the others", () => {
    const german = { name: "a", language: "de" };
    const tracks = [german, { ...german, name: "b" }, { ...german, name: "c" }, { name: "d" }];
    const facts = [{ name: "b", codec: "ac3" }];
    expect(soundNames(tracks, facts)).toEqual(["German", "German (AC-3)", "German (2)", "Audio track 4"]);
    expect(soundNames([{ ...german, isDescription: true }])).toEqual(["German (audio description)"]);
    expect(
      subtitleNames([german, { ...german, isForHardOfHearing: true }, { name: "e", language: "?" }]),
    ).toEqual(["German", "German (for the hard of hearing)", "Subtitles"]);
  });

  it("is different for each track", () => {
    const track = fc.record({
      name: fc.string(),
      language: fc.constantFrom("de", "en", "qaa", "not a tag"),
      isDescription: fc.boolean(),
      isForHardOfHearing: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(track, { maxLength: 8 }), (tracks) =>
        [soundNames(tracks), subtitleNames(tracks)].every((names) => new Set(names).size === tracks.length),
      ),
    );
  });
});

describe("playback that stands", () => {
  const standing = { seconds: 2, isWanted: true, endSeconds: 58, loading: [] };
  /** The number of the first look at which it hangs. */
  const hangsAt = (looks: readonly Parameters<ReturnType<typeof stallWatch>>[0][]) => {
    const hangs = stallWatch();
    return looks.findIndex((look) => hangs(look));
  };
  const long = <T>(look: T) => Array.from({ length: 30 }, () => look);

  it("hangs if what it needs is listed, and is not loaded", () => {
    expect(hangsAt(long(standing))).toBe(10);
    // The picture far ahead is of no use without its sound.
    const loading = [{ startSeconds: 54, endSeconds: 58 }];
    expect(hangsAt(long({ ...standing, loading }))).toBe(10);
  });

  it("waits for what is still loading, and for a source that has nothing more yet", () => {
    const loading = [{ startSeconds: 2.01, endSeconds: 6 }];
    expect(hangsAt(long({ ...standing, loading }))).toBe(-1);
    expect(hangsAt(long({ ...standing, endSeconds: 2.3 }))).toBe(-1);
  });

  it("does not hang if the viewer has stopped it, nor if it moves", () => {
    expect(hangsAt(long({ ...standing, isWanted: false }))).toBe(-1);
    expect(hangsAt(long(standing).map((look, at) => ({ ...look, seconds: Math.floor(at / 9) })))).toBe(-1);
  });

  it("hangs again if beginning again did not help", () => {
    const hangs = stallWatch();
    expect(long(standing).filter((look) => hangs(look))).toHaveLength(2);
  });
});
