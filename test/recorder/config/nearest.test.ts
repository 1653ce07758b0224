import { describe, expect, it } from "vitest";
import { nearest } from "../../../src/recorder/config/nearest.ts";

describe("the nearest known word", () => {
  it.each([
    ["vocabluary", "vocabulary"],
    ["Folder", "folder"],
    ["regionID", "regionId"],
    ["region", "regionId"],
    ["urls", "url"],
  ])("to %s is %s", (given, meant) => {
    expect(nearest(given, ["url", "regionId", "vocabulary", "folder"])).toBe(meant);
  });

  it("is undefined if all are too different", () => {
    expect(nearest("zebra", ["url", "regionId"])).toBeUndefined();
    expect(nearest("x".repeat(100_000), ["url"])).toBeUndefined();
    expect(nearest("url", [])).toBeUndefined();
  });
});
