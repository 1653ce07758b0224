import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inspectBeginning, openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { EVIDENCE_LIMITS } from "../../../src/recorder/evidence/limits.ts";
import { findOverlap, isWithin } from "../../../src/recorder/evidence/overlap.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";

const PACKET = 188;
const PICTURE = 0x101;
const TABLE = 0x20;
const PIDS = new Set([PICTURE]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-test-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Packet `number` of a stream in which each fourth is of a table; `made` is how often a receiver had made that before. */
function packet(number: number, made = 0): Buffer {
  const bytes = Buffer.alloc(PACKET, 0xff);
  const isTable = number % 4 === 0;
  bytes[0] = 0x47;
  bytes.writeUInt16BE(isTable ? TABLE : PICTURE, 1);
  bytes[3] = 0x10 | ((number + (isTable ? made : 0)) & 0xf);
  if (!isTable) bytes.writeUInt32BE(number, 20);
  return bytes;
}

function packets(from: number, to: number, made = 0): readonly Buffer[] {
  return Array.from({ length: to - from }, (_, index) => packet(from + index, made));
}

async function twoFiles(one: readonly Buffer[], two: readonly Buffer[]) {
  const [first, second] = [join(folder, "1.ts"), join(folder, "2.ts")];
  await writeFile(first, Buffer.concat(one));
  await writeFile(second, Buffer.concat(two));
  return { first, second, pids: PIDS };
}

/** Whether the first file has all that the second one has. */
async function isIn(one: readonly Buffer[], two: readonly Buffer[]): Promise<boolean> {
  return await isWithin(await twoFiles(one, two));
}

async function overlapOf(one: readonly Buffer[], two: readonly Buffer[]) {
  const { first, second } = await twoFiles(one, two);
  const found = await findOverlap({ first, second, pids: PIDS });
  return found && [found.bytesBefore / PACKET, found.isSeamless];
}

it("the overlap search finds the start of the second file in the first one, to the packet", async () => {
  expect(await overlapOf(packets(0, 100), packets(60, 200))).toEqual([60, true]);
});

it("the overlap search compares only picture and sound if a receiver rewrites the tables", async () => {
  expect(await overlapOf(packets(0, 100), packets(61, 200, 5))).toEqual([61, true]);
});

it("the overlap search cuts the first file where it resumed if the second one began in its pause", async () => {
  const paused = [...packets(0, 40), ...packets(80, 100)];
  expect(await overlapOf(paused, packets(60, 200))).toEqual([40, false]);
});

it("the overlap search takes data that the first file lost from the second", async () => {
  const lossy = packets(0, 100).filter((_, index) => index % 10 !== 5);
  expect(await overlapOf(lossy, packets(61, 200))).toEqual([55, true]);
});

it("R-29 the overlap search cuts nothing if the second file lacks the end of the first", async () => {
  expect(await overlapOf(packets(0, 60), packets(60, 200))).toBeUndefined();
  expect(await overlapOf(packets(0, 100), packets(40, 90))).toBeUndefined();
  expect(await overlapOf([...packets(0, 99), packet(5001)], packets(60, 200))).toBeUndefined();
});

it("the overlap search finds an overlap of any length", async () => {
  // Longer than what is held in memory.
  const long = Math.ceil((1.2 * EVIDENCE_LIMITS.overlapBytes) / PACKET);
  const all = packets(0, long + 2000);
  const first = all.slice(0, long + 100);
  expect(await overlapOf(first, all.slice(101))).toEqual([101, true]);
  expect(await overlapOf([...all.slice(0, 40), ...all.slice(102, long)], all.slice(61))).toEqual([40, false]);
  expect(await overlapOf([...first, packet(2 * long + 1)], all.slice(100))).toBeUndefined();
  expect(await overlapOf(first, all.slice(100, long))).toBeUndefined();
});

it("the overlap search finds a long overlap although a receiver has lost a few packets of it", async () => {
  const long = Math.ceil((1.2 * EVIDENCE_LIMITS.overlapBytes) / PACKET);
  const all = packets(0, long + 2000);
  const first = all.slice(0, long + 100);
  const losing = (every: number) => all.slice(101).filter((_, index) => index % every !== every - 1);
  expect(await overlapOf(first, losing(2501))).toEqual([101, true]);
  expect(await overlapOf(first, losing(301))).toBeUndefined();
});

it("a file has all of another although it has lost a few packets of it, or the other one had a pause", async () => {
  const all = packets(0, 20_000);
  const without = (every: number) => all.filter((_, index) => index % every !== every - 1);
  const part = all.slice(5000, 14_900);
  expect(await isIn(without(2501), part)).toBe(true);
  expect(await isIn(without(301), part)).toBe(false);
  expect(await isIn(all, [...part.slice(0, 3000), ...part.slice(8000)])).toBe(true);
  // Its end is nowhere else.
  expect(await isIn(all.slice(0, 14_899), part)).toBe(false);
});

it("R-29 the overlap search keeps every picture packet that either file has", async () => {
  const numbers = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(numbers, numbers, fc.nat(40), async (one, two, offset) => {
      const first = packets(0, one.length).filter((_, index) => one[index]);
      const second = packets(offset, offset + two.length).filter((_, index) => two[index]);
      const [kept = first.length] = (await overlapOf(first, second)) ?? [];
      const all = new Set(
        [...first.slice(0, Number(kept)), ...second].map((each) => each.toString("latin1")),
      );
      return first.filter((each) => each[1] === 1).every((each) => all.has(each.toString("latin1")));
    }),
    { numRuns: casesOf({ sample: 20, all: 50 }) },
  );
});

it("R-28 a beginning and its continuation have as many errors as the joined file, wherever packets were lost", async () => {
  const { signal } = new AbortController();
  const all = packets(0, 300).filter((_, index) => index % 4 !== 0);
  const recounted = all.map((each, index) => {
    const bytes = Buffer.from(each);
    bytes[3] = 0x10 | (index & 0xf);
    return bytes;
  });
  const first = join(folder, "a.ts");
  const second = join(folder, "b.ts");
  const whole = join(folder, "ab.ts");
  const errorsIn = async (file: string) => {
    await using inspection = openInspection(file, undefined);
    return (await inspection.advance(signal)).continuityErrors;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: recounted.length - 1 }), { maxLength: 12 }),
      fc.integer({ min: 20, max: 180 }),
      async (lost, cut) => {
        const left = recounted.filter((_, index) => !lost.includes(index) && index !== 100);
        const kept = Buffer.concat(left.slice(0, cut));
        const bytes = kept.length;
        await writeFile(first, Buffer.concat([kept, ...recounted.slice(0, 3)]));
        await writeFile(second, Buffer.concat(left.slice(cut)));
        await writeFile(whole, Buffer.concat(left));
        const beginning = await inspectBeginning(first, { service: undefined, bytes, next: second }, signal);
        return beginning.continuityErrors + (await errorsIn(second)) === (await errorsIn(whole));
      },
    ),
    { numRuns: casesOf({ sample: 20, all: 60 }), examples: [[[], 100]] },
  );
});
