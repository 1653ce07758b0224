import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../../src/model/attempt.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { datesOf } from "../../../../src/recorder/engine/runtime/segment-dates.ts";

const STREAM_MS = 20 * SECOND;
const inspection = { spans: [{ start: 0, stop: STREAM_MS }], streamMs: STREAM_MS };

function attempt(number: number, tunerId: string, cause: NonNullable<Attempt["cause"]>): Attempt {
  return { number, tunerId, startedAt: 0, cause };
}

describe("R-04 a segment of 20 s that came within a second, at the end of a recording", () => {
  const [film, last] = [attempt(1, "t1", "STREAM_EXCESSIVE"), attempt(2, "t1", "asked")];

  it("is what a live source had in its buffer", () => {
    const dates = datesOf(last, { attempts: [last], inspection, mtimeMs: SECOND });
    expect(dates).toEqual({ writtenAt: SECOND });
  });

  it("has no date if the same tuner gave a film in an earlier attempt", () => {
    const dates = datesOf(last, { attempts: [film, last], inspection, mtimeMs: SECOND });
    expect(dates).toEqual({ writtenAt: SECOND, undatable: true });
  });

  it("has a date if another tuner gave the film", () => {
    const live = { ...last, tunerId: "t2" };
    const dates = datesOf(live, { attempts: [film, live], inspection, mtimeMs: SECOND });
    expect(dates).toEqual({ writtenAt: SECOND });
  });
});
