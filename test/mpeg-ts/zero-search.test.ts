import { expect, it } from "vitest";
import { ZeroSearch } from "../../src/mpeg-ts/zero-search.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";

const RUN = 188;

/** Bytes with runs of zeros of lengths about the one that matters. */
const bytesWithRuns = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 50 }),
      fc.integer({ min: 1, max: 2 * RUN }).map((length) => new Uint8Array(length)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

it("the search for zeros returns all bytes before the first packet-long run of zeros, in portions of any size", () => {
  const law = fc.property(
    bytesWithRuns,
    fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
    (bytes, lengths) => {
      const search = new ZeroSearch();
      const clean: Buffer[] = [];
      let isFound = false;
      for (let at = 0, turn = 0; at < bytes.length && !isFound; turn += 1) {
        const length = lengths[turn % lengths.length] ?? 1;
        const found = search.next(bytes.subarray(at, at + length));
        clean.push(...found.clean.map((part) => Buffer.from(part)));
        isFound = found.isFound;
        at += length;
      }
      clean.push(...search.rest());
      const at = bytes.indexOf(Buffer.alloc(RUN));
      const expected = at === -1 ? bytes : bytes.subarray(0, at);
      return isFound === (at !== -1) && Buffer.concat(clean).equals(expected);
    },
  );
  fc.assert(law, { seed: 34, numRuns: casesOf({ sample: 600, all: 2000 }) });
  expect(new ZeroSearch().next(Buffer.alloc(RUN))).toEqual({ clean: [], isFound: true });
});
