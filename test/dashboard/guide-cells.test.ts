import { describe, expect, it } from "vitest";
import { cellsOf } from "../../src/dashboard/guide-cells.ts";
import { isWorded } from "../../src/dashboard/parts/setup-words.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { SETUP_KINDS } from "../../src/recorder/setup/tuner-step.ts";
import { fc } from "../properties.ts";

const range = { start: 0, stop: 24 * HOUR };
const xOf = (at: number) => (at / HOUR) * 210;

/** Shows one after the other, of these minutes. */
function rowOf(lengths: readonly number[]) {
  let stop = 0;
  return lengths.map((minutes, id) => {
    const start = stop;
    stop = start + minutes * MINUTE;
    return { id, start, stop };
  });
}

describe("a row of the programme's grid", () => {
  it("gives a short show room to be read, and its neighbour its time again", () => {
    const cells = cellsOf(rowOf([60, 5, 30]), { range, xOf });
    expect(cells.map(({ leftPx, widthPx }) => [leftPx, widthPx])).toEqual([
      [0, 210],
      [210, 26],
      [236, 96.5],
    ]);
  });

  it("joins short shows before their times are wrong", () => {
    const cells = cellsOf(rowOf([1, 1, 1, 1, 60]), { range, xOf });
    expect(cells.map(({ shows }) => shows.map(({ id }) => id))).toEqual([[0], [1, 2, 3], [4]]);
  });

  it("never hides a show, and never lays a cell over another", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 200 });
    fc.assert(
      fc.property(lengths, (minutes) => {
        const shows = rowOf(minutes).filter(({ start }) => start < range.stop);
        const cells = cellsOf(shows, { range, xOf });
        const reached = cells.flatMap((cell) => cell.shows.map(({ id }) => id));
        return (
          reached.join() === shows.map(({ id }) => id).join() &&
          cells.every(({ leftPx, widthPx, shows: [first] }, index) => {
            const before = cells[index - 1];
            const isApart = before === undefined || before.leftPx + before.widthPx <= leftPx + 1e-6;
            return isApart && widthPx > 25.999 && leftPx - xOf(first?.start ?? 0) < 52.001;
          })
        );
      }),
    );
  });
});

it("setup has words for each kind of tuner that it offers", () => {
  expect(SETUP_KINDS.map(({ kind }) => kind).filter((kind) => !isWorded(kind))).toEqual([]);
});
