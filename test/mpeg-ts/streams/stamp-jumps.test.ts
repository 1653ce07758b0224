import { describe, expect, it } from "vitest";
import type { Inspection } from "../../../src/model/inspection.ts";
import { HOUR, SECOND } from "../../../src/model/time.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { generateService } from "../../kit/generated-service.ts";
import { plainService, plainStream } from "../../kit/plain-service.ts";
import type { ClockJump } from "../../kit/service-script.ts";

const PICTURE = 0x100;
const SOUND = 0x200;
const STAMPS_PER_MS = 90;

/** 20 s of picture and sound. */
function broadcast(jumps: readonly ClockJump[] = [], saysStill = false): Uint8Array {
  const streams = [plainStream(PICTURE, "h264", { saysStill }), plainStream(SOUND, "mp2", { unitMs: 24 })];
  return generateService(plainService(streams, { jumps }));
}

/** 33 bits, with a marker after the 3rd, the 18th and the last. ISO/IEC 13818-1 §2.4.3.7. */
function writeStamp(bytes: Uint8Array, at: number, stamp: number): void {
  const value = BigInt(stamp) & 0x1_ffff_ffffn;
  const byte = (number: bigint) => Number(number & 0xffn);
  bytes[at] = ((bytes[at] ?? 0) & 0xf1) | Number((value >> 30n) << 1n);
  bytes[at + 1] = byte(value >> 22n);
  bytes[at + 2] = byte((value >> 14n) | 1n);
  bytes[at + 3] = byte(value >> 7n);
  bytes[at + 4] = byte((value << 1n) | 1n);
}

function readStamp(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = bytes.subarray(at, at + 5);
  return ((a >> 1) & 7) * 2 ** 30 + ((b << 7) | (c >> 1)) * 2 ** 15 + ((d << 7) | (e >> 1));
}

/** The stream with other timestamps on these PIDs. @param change gets the number of the PES packet on its PID, and its DTS or PTS */
function restamped(
  stream: Uint8Array,
  pids: readonly number[],
  change: (unit: number, stamp: number) => number,
): Uint8Array {
  const bytes = stream.slice();
  const units = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += 188) {
    const [, high = 0, low = 0, control = 0, length = 0] = bytes.subarray(at, at + 5);
    const pid = ((high & 0x1f) << 8) | low;
    if ((high & 0x40) === 0 || !pids.includes(pid)) continue;
    const from = at + 4 + ((control & 0x20) === 0 ? 0 : 1 + length);
    const unit = units.get(pid) ?? 0;
    units.set(pid, unit + 1);
    const present = (bytes[from + 7] ?? 0) >> 6;
    for (const place of present === 3 ? [from + 9, from + 14] : [from + 9])
      writeStamp(bytes, place, change(unit, readStamp(bytes, place)));
  }
  return bytes;
}

function inspected(bytes: Uint8Array): Inspection {
  const inspector = new Inspector(undefined);
  inspector.push(bytes);
  inspector.settle();
  return inspector.inspection();
}

const inUnit = (seconds: number) => (seconds * SECOND) / 40;

describe("timestamps of a picture", () => {
  it("are as whole as the clock if they go on with it", () => {
    expect(inspected(restamped(broadcast(), [PICTURE, SOUND], (_, stamp) => stamp)).clockBreaks).toEqual([]);
  });

  it("break where they jump by an hour although the clock goes on, once for all streams that do", () => {
    const bytes = restamped(broadcast(), [PICTURE], (unit, stamp) =>
      unit < inUnit(10) ? stamp : stamp + HOUR * STAMPS_PER_MS,
    );
    const { clockBreaks, flawed } = inspected(bytes);
    expect(clockBreaks).toHaveLength(1);
    expect(Math.abs((clockBreaks[0] ?? 0) - 9.3 * SECOND)).toBeLessThan(SECOND);
    expect(flawed).toHaveLength(1);
    const both = restamped(bytes, [SOUND], (unit, stamp) =>
      unit < (10 * SECOND) / 24 ? stamp : stamp + HOUR * STAMPS_PER_MS,
    );
    expect(inspected(both).clockBreaks).toHaveLength(1);
  });

  it("break again and again while they stand still: half of such a picture is dropped by players", () => {
    let last = 0;
    const bytes = restamped(broadcast(), [PICTURE], (unit, stamp) => {
      if (unit < inUnit(5)) last = stamp;
      return unit < inUnit(5) ? stamp : last;
    });
    expect(inspected(bytes).clockBreaks.length).toBeGreaterThanOrEqual(4);
  });

  it("do not break if the picture may stand still", () => {
    let last = 0;
    const bytes = restamped(broadcast([], true), [PICTURE], (unit, stamp) => {
      if (unit < inUnit(5)) last = stamp;
      return unit < inUnit(5) ? stamp : last;
    });
    expect(inspected(bytes).clockBreaks).toEqual([]);
  });

  it.each([-1, 1])("may jump %i s after an announced clock", (seconds) => {
    const jump = { atMs: 10 * SECOND, byMs: HOUR, signalled: true };
    const bytes = restamped(broadcast([jump]), [PICTURE], (unit, stamp) => {
      const isAfter = unit >= inUnit(10);
      const shouldBe = unit >= inUnit(10 + seconds);
      return stamp + (Number(shouldBe) - Number(isAfter)) * HOUR * STAMPS_PER_MS;
    });
    expect(inspected(bytes).clockBreaks).toEqual([]);
  });
});
