import { expect, it } from "vitest";
import { withoutOverlaps } from "../../../src/guide-server/xmltv/order.ts";
import type { ListedProgramme } from "../../../src/guide-server/xmltv/reader.ts";
import { scheduleChange } from "../../../src/guide-server/xmltv/schedule.ts";
import { HOUR, MINUTE } from "../../../src/model/time.ts";

function programme(line: number, title: string, [start, stop]: readonly [number, number?]): ListedProgramme {
  const texts = { subtitle: "", desc: "", year: "", rating: "", categories: [], numbers: [] };
  return { channelId: "a", start, ...(stop === undefined ? {} : { stop }), title, line, ...texts };
}

function ordered(...programmes: readonly ListedProgramme[]) {
  const said: string[] = [];
  const kept = withoutOverlaps(programmes, ({ kind, line }) => said.push(`${line} ${kind}`));
  return { kept: kept.map(({ title, start, stop }) => [title, start, stop]), said };
}

it("a programme that overlaps the next one ends at the start of that one", () => {
  expect(
    ordered(programme(1, "A", [0, 70]), programme(2, "B", [60, 90]), programme(3, "C", [90, 99])),
  ).toEqual({
    kept: [
      ["A", 0, 60],
      ["B", 60, 90],
      ["C", 90, 99],
    ],
    said: ["1 overlap"],
  });
});

it("a programme that contains another stays", () => {
  expect(ordered(programme(1, "Sports", [0, 500]), programme(2, "Final", [60, 90])).said).toEqual([]);
});

it("duplicate programmes are removed", () => {
  const { kept, said } = ordered(
    programme(1, "A", [0, 5]),
    programme(2, "B", [0, 5]),
    programme(3, "A", [0, 5]),
  );
  expect([kept.length, said]).toEqual([2, ["3 duplicate"]]);
});

it("a programme without a stop lasts until the next one; the last one as the listing says, or half an hour", () => {
  const minutesOf = (...lengths: readonly (number | undefined)[]) => {
    const programmes = lengths.map((lengthMs, index) => ({
      ...programme(index, `${index}`, [index * 3 * HOUR]),
      ...(lengthMs === undefined ? {} : { lengthMs }),
      ...{ seriesId: "s", episodeId: "" },
    }));
    const { shows } = scheduleChange({
      channelId: 1,
      rank: 1,
      programmes,
      known: [],
      firstNewId: 1,
      missingMs: 0,
      now: 0,
    });
    return shows.map(({ durationMinutes }) => durationMinutes);
  };
  expect(minutesOf(90 * MINUTE, 2 * HOUR)).toEqual([180, 120]);
  expect(minutesOf(undefined)).toEqual([30]);
});
