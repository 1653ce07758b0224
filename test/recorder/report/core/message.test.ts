import { describe, expect, it } from "vitest";
import type { FileEvidence } from "../../../../src/model/evidence.ts";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import type { Recording, RecordingIn } from "../../../../src/model/recording.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { lossText, reportFor, spanText } from "../../../../src/recorder/report/core/message.ts";

const AT = Date.UTC(2026, 10, 20, 20, 5);
const berlin = { timeZone: "Europe/Berlin" };

it("R-01 a span of a day or more names its days, because times alone would be ambiguous", () => {
  expect(spanText({ start: AT, stop: AT + 2 * DAY + 95 * MINUTE }, berlin)).toBe("20 Nov 21:05–22 Nov 22:40");
  expect(spanText({ start: AT, stop: AT + DAY }, berlin)).toBe("20 Nov 21:05–21 Nov 21:05");
});

it("a shorter span is given by its times, even across midnight", () => {
  expect(spanText({ start: AT, stop: AT + 95 * MINUTE }, berlin)).toBe("21:05–22:40");
  expect(spanText({ start: AT, stop: AT + 23 * HOUR }, berlin)).toBe("21:05–20:05");
});

describe("R-28 the report of a recording", () => {
  const EVENT = { start: AT, stop: AT + HOUR };
  const WHOLE: FileEvidence = {
    file: "/recordings/News.ts",
    bytes: 3_000_000_000,
    segments: 1,
    eventMs: HOUR,
    eventCoveredMs: HOUR,
    windowMs: HOUR,
    windowCoveredMs: HOUR,
    continuityErrors: 0,
    transportErrors: 0,
    scrambledPackets: 0,
    clockBreaks: 0,
    damagedPackets: 0,
    junkBytes: 0,
    verdict: "perfect",
    gaps: [],
  };
  const RECORDING: RecordingIn<"completed"> = {
    id: "r1",
    timerId: "1",
    name: "News",
    channelId: "1",
    channelName: "One",
    event: EVENT,
    padding: { beforeMs: 0, afterMs: 0 },
    window: EVENT,
    priority: 50,
    state: "completed",
    withdrawn: false,
    attempts: [],
    evidence: WHOLE,
    endedAt: AT + HOUR,
  };
  const span = (fromMinute: number, toMinute: number) => ({
    start: AT + fromMinute * MINUTE,
    stop: AT + toMinute * MINUTE,
  });

  function messageOf(
    evidence: Partial<FileEvidence>,
    state: "completed" | "partial" = "completed",
  ): string | undefined {
    const recording: Recording =
      state === "completed"
        ? { ...RECORDING, state, evidence: { ...WHOLE, ...evidence } }
        : { ...RECORDING, state, evidence: { ...WHOLE, ...evidence } };
    return reportFor(recording, { vocabulary: "observed", outages: [], quarantine: {}, ...berlin })?.message;
  }

  it("names missing parts by kind and time, the longest, in order of time", () => {
    const gaps = [
      { ...span(1, 1.5) },
      { ...span(10, 12), lacks: "sound" as const },
      { ...span(20, 50), lacks: "picture" as const },
      { start: AT, stop: AT + 2 * SECOND },
    ];
    expect(messageOf({ gaps, eventCoveredMs: 27 * MINUTE, verdict: "unusable" }, "partial")).toBe(
      "Recorded only in part, unusable: 45 % of the event, 3.00 GB, missing 21:06–21:06:30, no picture 21:25–21:55 (sound present), no sound 21:15–21:17.",
    );
  });

  it("tells why parts are missing although their packets came", () => {
    const gaps = [{ ...span(20, 50), lacks: "picture" as const }];
    const message = (isUnchecked?: true) =>
      messageOf({ gaps, hollow: [{ kind: "picture", ...(isUnchecked && { isUnchecked }) }] }, "partial");
    expect(message()).toContain(
      "(sound present), the packets of the picture arrived, but cannot be decoded.",
    );
    expect(message(true)).toContain("arrived, but look empty, and ffmpeg could not check them.");
  });

  it("does not report 'no errors' together with missing parts", () => {
    expect(messageOf({ gaps: [span(0, 1)], verdict: "damaged" })).not.toContain("no errors");
    expect(messageOf({})).toContain("no errors");
  });

  it("mentions a further sound that stopped, or never came", () => {
    const sound = { pid: 258, streamType: 3, kind: "audio", codec: "AC-3", isMain: false } as const;
    const incompleteTracks = [
      { ...sound, language: "deu", eventCoveredMs: 0, missing: [span(30, 60)] },
      { ...sound, language: "fra", eventCoveredMs: 0, missing: [span(0, 60)], neverSent: true },
    ] as const;
    expect(messageOf({ incompleteTracks, verdict: "good" })).toBe(
      "Recorded, good: 100 % of the event, 3.00 GB, additional sound (deu, AC-3) missing 21:35–22:05, additional sound (fra, AC-3) announced but never sent.",
    );
  });

  it("names an unknown coverage if the stream has no clock, and reports no gap", () => {
    const { verdict: _none, ...unknown } = WHOLE;
    const recording = { ...RECORDING, state: "partial" as const };
    const evidence = { ...unknown, eventCoveredMs: 0, clock: "none" as const };
    expect(
      reportFor(
        { ...recording, evidence },
        { vocabulary: "observed", outages: [], quarantine: {}, ...berlin },
      )?.message,
    ).toBe(
      "Recorded, but not verified: 3.00 GB, no errors; the stream has no clock, so the share of the event is unknown.",
    );
  });

  it("is cut between two words, with an ellipsis", () => {
    const gaps = Array.from({ length: 3 }, (_, index) => span(index * 10, index * 10 + 5));
    const text = `The source ended the stream. ${"It says much. ".repeat(60)}`;
    const recording = {
      ...RECORDING,
      state: "partial" as const,
      trouble: { code: "STREAM_ENDED", text } as const,
    };
    const message =
      reportFor(
        { ...recording, evidence: { ...WHOLE, gaps } },
        { vocabulary: "observed", outages: [], quarantine: {}, ...berlin },
      )?.message ?? "";
    expect(message.length).toBeLessThanOrEqual(MODEL_LIMITS.messageLength);
    expect(message).toMatch(/ (It|says|much)…$/);
  });

  it.each([
    ["2 damaged packets, 940 bytes of junk", { damagedPackets: 2, junkBytes: 940 }],
    ["1 damaged packet", { damagedPackets: 1, junkBytes: 0 }],
    ["1 byte of junk", { damagedPackets: 0, junkBytes: 1 }],
    ["no errors", { damagedPackets: 0, junkBytes: 0 }],
  ])("a message distinguishes damaged packets from junk: %s", (text, damage) => {
    const recording = { state: "completed", evidence: { ...WHOLE, ...damage } } as Recording;
    expect(lossText(recording, berlin)).toBe(`Damaged (${text})`);
  });
});
