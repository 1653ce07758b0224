import { expect, it } from "vitest";
import { changeOf, joined, partsOf } from "../../../src/recorder/fleet/parts.ts";
import { fc } from "../../properties.ts";

interface Numbered {
  readonly seq: number;
  readonly text: string;
}

/** Values that leave anywhere, and come at the end. */
const history = fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 1, maxLength: 12 });

it("a numbered array is written value by value, and read in its order, whatever leaves and comes", () => {
  fc.assert(
    fc.property(history, (steps) => {
      let seq = 0;
      let outbox: readonly Numbered[] = [];
      let stored = partsOf({ outbox }, {});
      for (const leave of steps) {
        seq += 1;
        const before = new Set(outbox);
        outbox = [...outbox.filter((_, at) => !leave.includes(at)), { seq, text: `report ${seq}` }];
        const next = partsOf({ outbox }, {});
        const { put, gone } = changeOf(stored, next);
        expect(put.map(([, , value]) => value)).toEqual(outbox.filter((each) => !before.has(each)));
        expect(gone).toHaveLength(before.size + 1 - outbox.length);
        stored = next;
        expect(joined(stored).now).toEqual({ outbox });
      }
    }),
  );
});

it.each([
  ["numbers that go back", [{ seq: 2 }, { seq: 1 }]],
  ["a number that stands twice", [{ seq: 1 }, { seq: 1 }]],
  ["no numbers", [{ at: 1 }, { at: 2 }]],
  ["no objects", ["a", "b"]],
])("an array with %s is one value", (_, values) => {
  const parts = partsOf({ values }, {});
  expect(parts.get("")?.get("values")).toBe(values);
  expect(joined(parts).now).toEqual({ values });
});

it("an array that becomes numbered, and empty again, is read as it was written", () => {
  const states = [{ values: [{ at: 1 }] }, { values: [{ seq: 1 }] }, { values: [] }, { values: [{ at: 2 }] }];
  for (const state of states) expect(joined(partsOf(state, {})).now).toEqual(state);
});
