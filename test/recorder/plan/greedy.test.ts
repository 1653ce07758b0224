import { describe, expect, it } from "vitest";
import { sideBySide } from "../../../bench/side-by-side.ts";
import { loadIntegerPrograms } from "../../../src/kit/integer-program.ts";

describe("compared with greedy rules", () => {
  it("the plan of a household's week is never worse, mostly better, and proven", async () => {
    const optimize = await loadIntegerPrograms(60_000);
    const sums = sideBySide({ weeks: 6, tuners: 1, optimize });
    expect(sums).toMatchObject({ ordered: 360, worse: 0, unproven: 0 });
    expect(sums.better.first).toBeGreaterThan(3);
    expect(sums.better.highest).toBeGreaterThan(3);
    expect(sums.plan).toBeGreaterThan(sums.highest);
  });
});
