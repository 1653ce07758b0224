import { describe, expect, it } from "vitest";
import type { TeletextLine } from "../../../../src/mpeg-ts/teletext/rows.ts";
import { shownWithin } from "../../../../src/recorder/subsystems/playback/subtitles/shown.ts";
import { webVttSegment } from "../../../../src/recorder/subsystems/playback/subtitles/web-vtt.ts";
import { fc } from "../../../properties.ts";

const WRAP = 2 ** 33;
const DURATION_MS = 4000;

function line(row: number, text: string, firstColumn = 20 - Math.floor(text.length / 2)): TeletextLine {
  const lastColumn = firstColumn + text.length - 1;
  return { row, firstColumn, lastColumn, runs: [{ text, colour: "white" }] };
}

function cueOf(...lines: readonly TeletextLine[]): string {
  return webVttSegment([{ screen: { pts: 0, lines }, fromMs: 61_005, toMs: 3_600_000 }], 8_589_934_591);
}

const screens = fc
  .array(fc.record({ stepMs: fc.integer({ min: 0, max: 3000 }), timeoutMs: fc.option(fc.nat(5000)) }))
  .map((steps) => {
    let ms = -6000;
    return steps.map(({ stepMs, timeoutMs }) => {
      ms += stepMs;
      return { ms, ...(timeoutMs === null ? {} : { timeoutMs }) };
    });
  });

describe("the times of subtitles in a segment", () => {
  const shownFrom = (all: readonly { readonly ms: number; readonly timeoutMs?: number }[], pts: number) =>
    shownWithin(
      all.map(({ ms, ...rest }) => ({ ...rest, pts: (((pts + ms * 90) % WRAP) + WRAP) % WRAP })),
      { pts, durationMs: DURATION_MS },
    ).map(({ fromMs, toMs }) => ({ fromMs, toMs }));

  it("are in order and within the segment", () => {
    fc.assert(
      fc.property(screens, (all) => {
        let last = 0;
        for (const { fromMs, toMs } of shownFrom(all, 0)) {
          if (fromMs < last || toMs <= fromMs || toMs > DURATION_MS) return false;
          last = toMs;
        }
        return true;
      }),
    );
  });

  it("are independent of the clock's value, even across its wrap", () => {
    fc.assert(
      fc.property(screens, fc.integer({ min: 0, max: WRAP - 1 }), (all, pts) => {
        return JSON.stringify(shownFrom(all, pts)) === JSON.stringify(shownFrom(all, 0));
      }),
    );
  });
});

describe("a cue of WebVTT", () => {
  it("is centred at the bottom if its text is there on the page", () => {
    expect(cueOf(line(20, "Good evening"), line(22, "everybody"))).toBe(
      "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:8589934591,LOCAL:00:00:00.000\n\n" +
        "00:01:01.005 --> 01:00:00.000\nGood evening\neverybody\n",
    );
  });

  it("is at the line and on the side of its text", () => {
    expect(cueOf(line(3, "Above"))).toContain("01:00:00.000 line:8%\n");
    expect(cueOf(line(20, "left", 2))).toContain("01:00:00.000 align:start position:5%\n");
    expect(cueOf(line(3, "right", 33))).toContain("01:00:00.000 line:8% align:end position:95%\n");
  });

  it("contains only its text, whatever that is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("-", ">", "<", "&", "a", " "), minLength: 1 }),
        (text) => {
          const [, , , cue = "", ...rest] = cueOf(line(20, text)).split("\n");
          const shown = (rest[0] ?? "")
            .replaceAll("&lt;", "<")
            .replaceAll("&gt;", ">")
            .replaceAll("&amp;", "&");
          return cue.includes("-->") && !(rest[0] ?? "").includes("-->") && shown === text;
        },
      ),
    );
  });
});
