import { describe, expect, it } from "vitest";
import { type DiskClaim, displacedByDiskSpace } from "../../../src/recorder/plan/disk-claims.ts";
import { fc } from "../../properties.ts";

function claim(recordingId: string, options: Partial<DiskClaim> = {}): DiskClaim {
  return { recordingId, priority: 50, runs: true, start: 0, bytes: 100, ...options };
}

describe("a disk that is nearly full", () => {
  it("R-31 makes the lowest priority give way, and nobody else", () => {
    const claims = [claim("low", { priority: 10 }), claim("high", { priority: 90 }), claim("middle")];
    expect([...displacedByDiskSpace(claims, 200)]).toEqual(["low"]);
  });

  it("lets what runs go on rather than begin another of the same priority", () => {
    expect([...displacedByDiskSpace([claim("due", { runs: false, start: -1 }), claim("runs")], 150)]).toEqual(
      ["due"],
    );
  });

  it("begins what is more important in the place of what runs", () => {
    const claims = [claim("runs"), claim("due", { runs: false, priority: 90 })];
    expect([...displacedByDiskSpace(claims, 150)]).toEqual(["runs"]);
  });

  it("lets the most important one that runs go on to the stop mark, though it does not fit", () => {
    expect([
      ...displacedByDiskSpace([claim("a", { bytes: 500 }), claim("b", { bytes: 500, start: 1 })], 100),
    ]).toEqual(["b"]);
  });

  it("below the stop mark nobody stays", () => {
    expect(displacedByDiskSpace([claim("a"), claim("b", { runs: false })], 0).size).toBe(2);
  });

  it("what stays fits, the first one that runs excepted", () => {
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
