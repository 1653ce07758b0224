import { expect, it } from "vitest";
import { edlText, partsIn } from "../../../../src/recorder/subsystems/library/edl.ts";
import { readEdl } from "./edl-rules.ts";

it("an edit decision list is read by the rules in Kodi's wiki", () => {
  expect(readEdl("5.3 7.1 0\n15 16.7 1\n420 822 3\n00:04:15.3 00:04:15.3 2\n## said\n")).toEqual([
    { action: "cut", fromMs: 5300, toMs: 7100 },
    { action: "mute", fromMs: 15_000, toMs: 16_700 },
    { action: "commercial break", fromMs: 420_000, toMs: 822_000 },
    { action: "scene marker", atMs: 255_300 },
  ]);
  for (const line of ["1 2 4", "2 1 3", "1 2 3\n1.5 3 3", "#100 #200 3", "1 2"]) {
    expect(() => readEdl(line), line).toThrow();
  }
});

it("breaks and gaps are written in the order of the file, to the millisecond", () => {
  const text = edlText([{ startMs: 600_000, stopMs: 780_500 }], [12_345, 700_000]);
  expect(readEdl(text)).toEqual([
    { action: "scene marker", atMs: 12_345 },
    { action: "commercial break", fromMs: 600_000, toMs: 780_500 },
    { action: "scene marker", atMs: 700_000 },
  ]);
});

it("breaks are read from comskip's lines, and from no others", () => {
  expect(partsIn("1.00\t2.50\t0\n\nnonsense\n5 5 2\n9.00   12.00 3\n")).toEqual([
    { startMs: 1000, stopMs: 2500 },
    { startMs: 9000, stopMs: 12_000 },
  ]);
});
