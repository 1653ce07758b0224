import { describe, expect, it } from "vitest";
import { SECOND } from "../../../src/model/time.ts";
import { verdictOf } from "../../../src/model/verdict.ts";
import type { Window } from "../../../src/model/window.ts";
import { evidenceOf } from "../../../src/recorder/evidence/evidence.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { generateService } from "../../kit/generated-service.ts";
import { plainService, plainStream } from "../../kit/plain-service.ts";
import { ON_AIR_AT, SERVICE } from "../../kit/service-script.ts";
import { join, packet } from "../../kit/ts-builder.ts";

const PICTURE = 0x100;
const SOUND = 0x200;
const SECOND_SOUND = 0x201;
const TELETEXT = 0x202;
const MAINS = [PICTURE, SOUND];
const ELSEWHERE = 0x333;
const DURATION_MS = 20_000;
const WINDOW = { start: ON_AIR_AT, stop: ON_AIR_AT + DURATION_MS };
const EVENT = { start: WINDOW.start + 4 * SECOND, stop: WINDOW.stop - 4 * SECOND };

const stream = generateService(
  plainService([
    plainStream(PICTURE, "h264", { packets: 4 }),
    plainStream(SOUND, "mp2"),
    plainStream(SECOND_SOUND, "ac3", { language: "eng" }),
    plainStream(TELETEXT, "teletext"),
  ]),
);
const count = stream.length / 188;
const sent = Array.from({ length: count }, (_, index) => ({
  bytes: stream.subarray(index * 188, index * 188 + 188),
  atMs: (DURATION_MS * index) / count,
}));

type Change = (bytes: Uint8Array) => readonly Uint8Array[];

/** The stream with a change to the packets of some PIDs in some spans. */
function changed(change: Change, pids: readonly number[], spans: readonly Window[]): Uint8Array {
  return join(
    sent.flatMap(({ bytes, atMs }) => {
      const pid = (((bytes[1] ?? 0) & 0x1f) << 8) | (bytes[2] ?? 0);
      const isIn = spans.some(({ start, stop }) => atMs >= start && atMs < stop);
      return isIn && pids.includes(pid) ? change(bytes) : [bytes];
    }),
  );
}

function withByte(at: number, of: (byte: number) => number): Change {
  return (bytes) => {
    const copy = bytes.slice();
    copy[at] = of(copy[at] ?? 0);
    return [copy];
  };
}

const scramble = withByte(3, (byte) => byte | 0x80);
const spoil = withByte(1, (byte) => byte | 0x80);
const unsync = withByte(0, () => 0x48);
/** Before each of them, a scrambled packet of another service. */
const crowd: Change = (bytes) => [
  packet({ pid: ELSEWHERE, scrambling: 2, payload: bytes.subarray(4) }),
  bytes,
];

/** The same without a mark. */
const mask: Change = (bytes) => [bytes.map((byte, at) => (at < 8 ? byte : byte ^ 0x55))];

/** Every second picture packet of a span is lost. */
function thin(): Change {
  let kept = 0;
  return (bytes) => {
    kept += 1;
    return kept % 2 === 0 ? [] : [bytes];
  };
}

const all = [{ start: 0, stop: DURATION_MS }];
const span = (start: number, lengthMs: number) => [{ start, stop: start + lengthMs }];
/** So much every two seconds, within one second. */
const often = (lengthMs: number) =>
  Array.from({ length: DURATION_MS / 2000 }, (_, index) => ({
    start: 2000 * index + 300,
    stop: 2000 * index + 300 + lengthMs,
  }));

function judged(bytes: Uint8Array) {
  const inspector = new Inspector(SERVICE);
  inspector.push(bytes);
  inspector.settle();
  const inspection = inspector.inspection();
  const segment = { inspection, writtenAt: ON_AIR_AT + inspection.streamMs, bytes: bytes.length };
  const evidence = evidenceOf({ segments: [segment], event: EVENT, window: WINDOW });
  const { flawedMs, incompleteTracks } = evidence;
  return { verdict: verdictOf(evidence, 0.98), flawedMs, incompleteTracks, inspection };
}

describe("R-04 a recording", () => {
  it.each([
    ["a burst of losses in the event", changed(thin(), [PICTURE], span(10_200, 300)), SECOND],
    ["many losses in the padding", changed(thin(), MAINS, span(0, 3500)), 0],
    ["a moment of scrambled picture", changed(scramble, [PICTURE], span(10_100, 200)), SECOND],
    ["three scrambled seconds in the padding", changed(scramble, MAINS, span(0, 3000)), 0],
    ["a second sound that nobody descrambled", changed(scramble, [SECOND_SOUND], all), 0],
    ["teletext that nobody descrambled", changed(scramble, [TELETEXT], all), 0],
    ["scrambled packets of another service", changed(crowd, [PICTURE], all), 0],
  ])("with %s is good", (_what, bytes, flawedMs) => {
    expect(judged(bytes)).toMatchObject({ verdict: "good", flawedMs });
  });

  it.each([
    ["losses", changed(thin(), [PICTURE], often(100))],
    ["losses in its second sound", changed(thin(), [SECOND_SOUND], often(200))],
    ["scrambled moments", changed(scramble, MAINS, often(100))],
    ["packets with transport errors", changed(spoil, [PICTURE], often(80))],
    ["damaged packets", changed(unsync, [PICTURE], often(80))],
  ])("with %s every two seconds is damaged, and each of these seconds counts once", (_what, bytes) => {
    expect(judged(bytes)).toMatchObject({ verdict: "damaged", flawedMs: 6 * SECOND });
  });

  it("has a flaw where its clock breaks, also where sound becomes unreadable without a mark", () => {
    const jump = plainService([plainStream(PICTURE, "h264"), plainStream(SOUND, "mp2")], {
      jumps: [{ atMs: 10_500, byMs: -60_000, signalled: false }],
    });
    expect(judged(generateService(jump)).flawedMs).toBe(SECOND);
    const { inspection } = judged(changed(mask, [SECOND_SOUND], span(10_100, 5000)));
    expect(inspection.flawed).toEqual([{ start: 10_000, stop: 11_000 }]);
  });

  it("lacks a second sound that came scrambled, which is not the same as one that was never sent", () => {
    const { incompleteTracks } = judged(changed(scramble, [SECOND_SOUND], all));
    expect(incompleteTracks).toMatchObject([{ pid: SECOND_SOUND, missing: [{ start: WINDOW.start }] }]);
    expect(incompleteTracks?.[0]).not.toHaveProperty("neverSent");
    const absent = judged(changed(() => [], [SECOND_SOUND], all)).incompleteTracks;
    expect(absent).toMatchObject([{ pid: SECOND_SOUND, neverSent: true }]);
  });

  it.each([
    ["marked", scramble],
    ["not marked", mask],
  ])(
    "lacks its sound if the first one came scrambled, %s, although a second one is clear",
    (_how, change) => {
      const { verdict, inspection } = judged(changed(change, [SOUND], all));
      expect(verdict).toBe("unusable");
      expect(inspection.lacks.map(({ kind }) => kind)).toEqual(["sound"]);
    },
  );

  it("has the flaws that came before its tables", () => {
    const late = plainService([plainStream(PICTURE, "h264"), plainStream(SOUND, "mp2")], {
      tablesFromMs: 3000,
      losses: [{ start: 1200, stop: 1600 }],
    });
    const { inspection } = judged(generateService(late));
    expect(inspection.flawed).toEqual([{ start: 1000, stop: 2000 }]);
  });
});
