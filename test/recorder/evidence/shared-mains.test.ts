import { describe, expect, it } from "vitest";
import { evidenceOf } from "../../../src/recorder/evidence/evidence.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { integrityOf } from "../../../src/recorder/evidence/integrity.ts";
import { generateService } from "../../kit/generated-service.ts";
import { plainService, plainStream } from "../../kit/plain-service.ts";
import { ON_AIR_AT, SERVICE, type StreamScript } from "../../kit/service-script.ts";

const SEGMENT_MS = 20_000;
const PICTURE = plainStream(0x100, "h264");
const SOUND = plainStream(0x200, "mp2", { language: "deu" });
const SECOND_SOUND = plainStream(0x201, "ac3", { language: "eng" });
const EVENT = { start: ON_AIR_AT, stop: ON_AIR_AT + 2 * SEGMENT_MS };

/** Segments of 20 s, one right after the other. */
function segments(...services: readonly (readonly StreamScript[])[]) {
  return services.map((streams, index) => {
    const inspector = new Inspector(SERVICE);
    const bytes = generateService(plainService(streams, { clockMs: index * SEGMENT_MS }));
    inspector.push(bytes);
    inspector.settle();
    const writtenAt = ON_AIR_AT + (index + 1) * SEGMENT_MS;
    return { number: index + 1, inspection: inspector.inspection(), writtenAt, bytes: bytes.length };
  });
}

function evidence(...services: readonly (readonly StreamScript[])[]) {
  return evidenceOf({ segments: segments(...services), event: EVENT, window: EVENT });
}

describe("R-04 of a recording in several attempts", () => {
  const never = { ...SOUND, neverSent: true };
  const whole = [PICTURE, SOUND, SECOND_SOUND];

  it("the main sound stays the same if a later attempt lacks it", () => {
    const { eventCoveredMs, gaps, incompleteTracks } = evidence(whole, [PICTURE, never, SECOND_SOUND]);
    expect(eventCoveredMs).toBeGreaterThan(SEGMENT_MS - 200);
    expect(eventCoveredMs).toBeLessThan(SEGMENT_MS + 200);
    expect(gaps.map(({ lacks }) => lacks)).toEqual(["sound"]);
    expect(incompleteTracks?.map(({ language, isMain }) => [language, isMain])).toEqual([["deu", true]]);
    const { tracks } = integrityOf(segments(whole, [PICTURE, never, SECOND_SOUND]), EVENT);
    expect(tracks.filter(({ isMain }) => isMain).map(({ pid }) => pid)).toContain(SOUND.pid);
  });

  it("the main sound stays the same if an earlier attempt lacks it", () => {
    expect(evidence([PICTURE, never, SECOND_SOUND], whole).eventCoveredMs).toBeLessThan(SEGMENT_MS + 200);
  });

  it("a sound that no attempt received is not missing", () => {
    const without = [PICTURE, never, SECOND_SOUND];
    expect(evidence(without, without).eventCoveredMs).toBeGreaterThan(2 * SEGMENT_MS - 100);
  });

  it("a later attempt that has become radio, or silent, lacks the picture or the sound", () => {
    for (const [rest, lacking] of [
      [[SOUND], "picture"],
      [[PICTURE], "sound"],
    ] as const) {
      const { eventCoveredMs, gaps } = evidence(whole, rest);
      expect(eventCoveredMs).toBeLessThan(SEGMENT_MS + 200);
      expect(gaps.map(({ lacks }) => lacks)).toEqual([lacking]);
    }
    expect(evidence([SOUND], [SOUND]).eventCoveredMs).toBeGreaterThan(2 * SEGMENT_MS - 100);
  });

  it("another sound may replace it if the PMT no longer lists it", () => {
    expect(evidence(whole, [PICTURE, SECOND_SOUND]).eventCoveredMs).toBeGreaterThan(2 * SEGMENT_MS - 100);
  });
});
