import { describe, expect, it } from "vitest";
import { type DiskClaim, displacedByDiskSpace } from "../../../src/recorder/plan/disk-claims.ts";
import { fc } from "../../properties.ts";

function claim(recordingId: string, options: Partial<DiskClaim> = {}): DiskClaim {
  return { recordingId, priority: 50, runs: true, start: 0, bytes: 100, ...options };
}

describe("a nearly full disk", () => {
  it("R-31 stops the lowest priority, and no other", () => {
    const claims = [claim("low", { priority: 10 }), claim("high", { priority: 90 }), claim("middle")];
    expect([...displacedByDiskSpace(claims, 200)]).toEqual(["low"]);
  });

  it("keeps a running recording rather than start another of the same priority", () => {
    expect([...displacedByDiskSpace([claim("due", { runs: false, start: -1 }), claim("runs")], 150)]).toEqual(
      ["due"],
    );
  });

  it("replaces a running recording by a more important one", () => {
    const claims = [claim("runs"), claim("due", { runs: false, priority: 90 })];
    expect([...displacedByDiskSpace(claims, 150)]).toEqual(["runs"]);
  });

  it("keeps the most important running recording up to the stop mark, although it does not fit", () => {
    expect([
      ...displacedByDiskSpace([claim("a", { bytes: 500 }), claim("b", { bytes: 500, start: 1 })], 100),
    ]).toEqual(["b"]);
  });

  it("below the stop mark has no recording", () => {
    expect(displacedByDiskSpace([claim("a"), claim("b", { runs: false })], 0).size).toBe(2);
  });

  it("has room for all remaining recordings, except the first running one", () => {
    const claims = fc.uniqueArray(
      fc.record({
        recordingId: fc.string({ minLength: 1 }),
        priority: fc.integer({ min: 0, max: 3 }),
        runs: fc.boolean(),
        start: fc.nat(5),
        bytes: fc.nat(1000),
      }),
      { selector: ({ recordingId }) => recordingId },
    );
    fc.assert(
      fc.property(claims, fc.integer({ min: 1, max: 3000 }), (all, room) => {
        const out = displacedByDiskSpace(all, room);
        const stays = all.filter(({ recordingId }) => !out.has(recordingId));
        const bytes = stays.reduce((sum, each) => sum + each.bytes, 0);
        const largest = Math.max(0, ...stays.filter(({ runs }) => runs).map((each) => each.bytes));
        return bytes - largest <= room;
      }),
    );
  });
});
