import { describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode, RecorderdError } from "../../src/model/errors.ts";

describe("a failure of the outside", () => {
  it("R-44 is told apart by its code, which decides what is done about it", () => {
    for (const code of Object.keys(ERRORS) as readonly ErrorCode[]) {
      expect(new RecorderdError(code, "text").remedy).toBe(ERRORS[code]);
    }
  });

  it("R-44 of the guide service never ends the daemon", () => {
    const fatal = Object.entries(ERRORS).filter(([, remedy]) => remedy === "stop-daemon");
    expect(fatal.map(([code]) => code).filter((code) => code.startsWith("GUIDE_"))).toEqual([]);
  });

  it("carries its facts and what caused it", () => {
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
