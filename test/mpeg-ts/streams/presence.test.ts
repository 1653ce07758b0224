import { describe, expect, it } from "vitest";
import type { StreamFacts } from "../../../src/model/inspection.ts";
import type { Window } from "../../../src/model/window.ts";
import { type FoundStream, presenceOf } from "../../../src/mpeg-ts/streams/presence.ts";

const ALL = { start: 0, stop: 60_000 };

function stream(pid: number, kind: StreamFacts["kind"], ...spans: readonly Window[]): FoundStream {
  const facts = { pid, streamType: 0, kind, codec: kind };
  return { facts, wasSent: spans.length > 0, spans, doubts: [] };
}

function span(start: number, stop: number): Window {
  return { start, stop };
}

/** One PMT from end to end. */
function found(...streams: readonly FoundStream[]) {
  return presenceOf([ALL], [{ ...ALL, streams }]);
}

describe("a service is present", () => {
  const picture = stream(1, "video", ALL);
  const sound = stream(2, "audio", ALL);

  it("while its picture and its sound are", () => {
    expect(found(picture, sound)).toMatchObject({ spans: [ALL], lacks: [] });
  });

  it("no longer than its picture", () => {
    const { spans, lacks } = found(stream(1, "video", span(0, 30_000)), sound);
    expect(spans).toEqual([span(0, 30_000)]);
    expect(lacks).toEqual([{ kind: "picture", start: 30_000, stop: 60_000 }]);
  });

  it("no longer than its main sound, even if another sound continues", () => {
    const { spans, lacks, tracks } = found(
      picture,
      stream(2, "audio", span(0, 30_000)),
      stream(3, "audio", ALL),
    );
    expect(spans).toEqual([span(0, 30_000)]);
    expect(lacks).toEqual([{ kind: "sound", start: 30_000, stop: 60_000 }]);
    expect(tracks.map(({ pid, isMain }) => [pid, isMain])).toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
  });

  describe("with an audio description that stands first", () => {
    const described = (...spans: readonly Window[]): FoundStream => {
      const made = stream(9, "audio", ...spans);
      return { ...made, facts: { ...made.facts, isSupplement: true } };
    };

    it("as whole as its own sound", () => {
      const { spans, tracks } = found(picture, described(span(0, 5000), span(50_000, 55_000)), sound);
      expect(spans).toEqual([ALL]);
      expect(tracks.map(({ pid, isMain }) => [pid, isMain])).toEqual([
        [1, true],
        [9, false],
        [2, true],
      ]);
    });

    it("lacks its own sound where that is gone, or never came", () => {
      const gone = found(picture, described(ALL), stream(2, "audio", span(0, 30_000)));
      expect(gone.lacks).toEqual([{ kind: "sound", start: 30_000, stop: 60_000 }]);
      expect(found(picture, described(ALL), stream(2, "audio")).lacks).toEqual([{ kind: "sound", ...ALL }]);
    });

    it("has that as its sound if the PMT never lists another, and lacks its sound where it lists it no longer", () => {
      expect(found(picture, described(ALL))).toMatchObject({ spans: [ALL], lacks: [] });
      const { lacks } = presenceOf(
        [ALL],
        [
          { ...span(0, 30_000), streams: [picture, described(ALL), sound] },
          { ...span(30_000, 60_000), streams: [picture, described(ALL)] },
        ],
      );
      expect(lacks).toEqual([{ kind: "sound", start: 30_000, stop: 60_000 }]);
    });
  });

  it("no longer than the first picture that moves, if one that stands is listed before it", () => {
    const still = { ...stream(3, "video", ALL), isStill: true };
    const { lacks } = found(still, stream(1, "video", span(0, 30_000)), sound);
    expect(lacks).toEqual([{ kind: "picture", start: 30_000, stop: 60_000 }]);
    expect(found(still, sound)).toMatchObject({ spans: [ALL], lacks: [] });
  });

  it("never, if the PMT lists a picture that never comes", () => {
    expect(found(stream(1, "video"), sound)).toMatchObject({
      spans: [],
      lacks: [{ kind: "picture", ...ALL }],
    });
  });

  it("without its first sound, if that never comes and another one does", () => {
    const { spans, tracks } = found(picture, stream(2, "audio"), stream(3, "audio", ALL));
    expect(spans).toEqual([ALL]);
    expect(tracks[1]).toMatchObject({ pid: 2, isMain: false, spans: [] });
  });

  it("with its sound alone, if it is radio", () => {
    expect(found(sound)).toMatchObject({ spans: [ALL], lacks: [] });
  });

  it("with its sound alone, if the SDT calls it radio, whatever slides it shows", () => {
    const slides = stream(1, "video", span(10_000, 10_500));
    const eras = [{ ...ALL, streams: [slides, sound] }];
    expect(presenceOf([ALL], eras, true)).toMatchObject({ spans: [ALL], lacks: [] });
    const withoutSound = [{ ...ALL, streams: [slides] }];
    expect(presenceOf([ALL], withoutSound, true).lacks).toHaveLength(2);
  });

  it("regardless of subtitles and teletext", () => {
    expect(found(picture, sound, stream(3, "subtitle"), stream(4, "teletext", span(0, 10)))).toMatchObject({
      spans: [ALL],
    });
  });

  it("only while its clock runs", () => {
    const runs = [span(0, 20_000), span(25_000, 60_000)];
    const { spans, lacks } = presenceOf(runs, [{ ...ALL, streams: [picture, sound] }]);
    expect(spans).toEqual(runs);
    expect(lacks).toEqual([]);
  });

  describe("across a change of its PMT", () => {
    const before = stream(2, "audio", span(0, 29_600));
    const after = stream(3, "audio", span(30_300, 60_000));
    const eras = (first: readonly FoundStream[], second: readonly FoundStream[]) => [
      { ...span(0, 30_000), streams: first },
      { ...span(30_000, 60_000), streams: second },
    ];

    it("that replaces the sound", () => {
      expect(presenceOf([ALL], eras([picture, before], [picture, after]))).toMatchObject({
        spans: [ALL],
        lacks: [],
      });
    });

    it("but not if it removes the picture or the sound", () => {
      const picture = stream(1, "video", span(0, 29_500));
      expect(presenceOf([ALL], eras([picture, sound], [sound]))).toMatchObject({
        spans: [span(0, 30_000)],
        lacks: [{ kind: "picture", start: 30_000, stop: 60_000 }],
      });
      expect(presenceOf([ALL], eras([picture], [picture, sound])).lacks).toMatchObject([
        { kind: "sound", start: 0, stop: 30_000 },
        { kind: "picture", start: 29_500, stop: 60_000 },
      ]);
    });

    it("that removes the picture for a second, or a still picture of radio", () => {
      const both = [picture, sound];
      const brief = [
        { ...span(0, 30_000), streams: both },
        { ...span(30_000, 31_000), streams: [sound] },
        { ...span(31_000, 60_000), streams: both },
      ];
      expect(presenceOf([ALL], brief)).toMatchObject({ spans: [ALL], lacks: [] });
      const said: FoundStream = { ...picture, facts: { ...picture.facts, mayStill: true } };
      for (const still of [said, { ...picture, isStill: true }])
        expect(presenceOf([ALL], eras([still, sound], [sound]))).toMatchObject({ spans: [ALL], lacks: [] });
    });

    it("but not if a stream that stays listed disappears there", () => {
      const { lacks } = presenceOf([ALL], eras([picture, before], [picture, before]));
      expect(lacks).toEqual([{ kind: "sound", start: 29_600, stop: 60_000 }]);
    });

    it("but not if a new stream comes late", () => {
      const late = stream(3, "audio", span(31_500, 60_000));
      const { lacks } = presenceOf([ALL], eras([picture, before], [picture, late]));
      expect(lacks).toEqual([{ kind: "sound", start: 30_000, stop: 31_500 }]);
    });
  });
});
