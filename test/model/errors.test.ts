import { describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode, RecorderdError } from "../../src/model/errors.ts";

describe("an external failure", () => {
  it("R-44 has a code that decides on the reaction", () => {
    for (const code of Object.keys(ERRORS) as readonly ErrorCode[]) {
      expect(new RecorderdError(code, "text").remedy).toBe(ERRORS[code]);
    }
  });

  it("R-44 of the guide service never ends the daemon", () => {
    const fatal = Object.entries(ERRORS).filter(([, remedy]) => remedy === "stop-daemon");
    expect(fatal.map(([code]) => code).filter((code) => code.startsWith("GUIDE_"))).toEqual([]);
  });

  it("has its facts and its cause", () => {
    const cause = new Error("below");
    const error = new RecorderdError("DISK_FULL", "text", { file: "/a", bytes: 1 }, { cause });
    expect(error).toMatchObject({
      name: "RecorderdError",
      message: "text",
      facts: { file: "/a", bytes: 1 },
      cause,
    });
    expect(new RecorderdError("DISK_FULL", "text").facts).toEqual({});
  });
});
