import { afterAll, beforeAll, expect, it } from "vitest";
import { type Evening, openEvening } from "../dashboard/evening.ts";
import { PLACES } from "../dashboard/places.ts";
import { faultsAt, READERS } from "./readers.ts";

const LISTS = ["/log", "guide, list", "guide, search"];

let evening: Evening;
beforeAll(async () => {
  evening = await openEvening();
});
afterAll(() => evening?.[Symbol.asyncDispose]());

it.each(READERS)(
  "a reader of $language, $scheme, at $width pixels, finds no fault on any page or dialog of a recorder",
  async (reader) => {
    const faults: string[] = [];
    for (const { name, open } of PLACES) {
      const visit = { name, base: evening.base, isList: LISTS.includes(name) };
      faults.push(
        ...(await faultsAt(evening.browser, reader, {
          ...visit,
          open: (page, say) => open(page, say, evening),
        })),
      );
    }
    expect(faults).toEqual([]);
  },
);
