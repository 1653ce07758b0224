import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../src/model/time.ts";
import { NULL_PID, PACKET_BYTES, payloadAt, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { Decodable } from "../../../src/mpeg-ts/streams/decodable.ts";
import { ptsOf, stampStepMs } from "../../../src/mpeg-ts/streams/pes.ts";
import { FILMS, film, keyFrames } from "../../kit/films.ts";
import { told } from "../../kit/tool.ts";
import { casesOf, IS_LONG } from "../../lane.ts";
import { fc } from "../../properties.ts";

/** PID of the picture and the sound in ffmpeg's transport streams. */
const [PICTURE, SOUND] = [0x100, 0x101];

interface Film {
  readonly bytes: Buffer;
  readonly accessPoints: readonly number[];
}

let folder: string;
const films = new Map<string, Film>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-decodable-"));
  for (const [name, codec] of Object.entries(FILMS)) {
    const file = join(folder, `${name}.ts`);
    await film(file, codec);
    const accessPoints = (await keyFrames(file)).map(({ offset }) => offset);
    films.set(name, { bytes: await readFile(file), accessPoints });
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function filmOf(name: string): Film {
  const found = films.get(name);
  if (found === undefined) throw new Error(`no film ${name}`);
  return found;
}

function packetsOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / PACKET_BYTES }, (_, at) =>
    bytes.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES),
  );
}

interface Part {
  readonly from?: number;
  readonly to?: number;
  readonly options?: Partial<ConstructorParameters<typeof Decodable>[0]>;
  /** Whether a packet is received. */
  readonly isKept?: (number: number) => boolean;
}

/** The packets of a part of a film that are left. The tables of its beginning come before it. */
function leftOf({ bytes, accessPoints }: Film, { from = 0, to = bytes.length, options, isKept }: Part) {
  const part: Uint8Array[] = [];
  const places = new Set<number>();
  for (const [number, packet] of packetsOf(bytes.subarray(from, to)).entries()) {
    const isAccessPoint = accessPoints.includes(from + number * PACKET_BYTES);
    if (number > 0 && isKept?.(number) === false) continue;
    if (isAccessPoint) places.add(part.length * PACKET_BYTES);
    part.push(packet);
  }
  const input = Buffer.concat(part);
  const decodable = new Decodable({
    accessPoints: places,
    continues: true,
    isCut: false,
    ...options,
  });
  const output: Uint8Array[] = [];
  for (let at = 0; at < input.length; at += 700 * PACKET_BYTES)
    output.push(...decodable.push(Buffer.from(input.subarray(at, at + 700 * PACKET_BYTES))));
  output.push(...decodable.end());
  return { input, output: Buffer.concat(output) };
}

/** SDT, PAT and PMT are the first packets of a film. */
function withTables({ bytes, accessPoints }: Film, part: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, accessPoints[0]), part]);
}

/**
 * Decodes parts, one after another. Several at once, because the start of ffmpeg takes longer than a part.
 *
 * @returns the number of pictures, and the failures at which a browser stops playing
 */
async function decoded(...parts: readonly Buffer[]) {
  const inputs: string[] = [];
  const outputs: string[] = [];
  for (const [at, part] of parts.entries()) {
    const file = join(folder, `part-${at}.ts`);
    await writeFile(file, part);
    inputs.push("-i", file);
    outputs.push("-map", `${at}`, "-fps_mode", "passthrough", "-f", "framehash", "-");
  }
  const { out, err } = await told("ffmpeg", { args: ["-v", "error", ...inputs, ...outputs] });
  const failures = err.split("\n").filter((line) => /invalid data/i.test(line));
  return { pictures: out.split("\n").filter((line) => line.startsWith("0,")).length, failures };
}

/** The PTS of the units that begin in these packets. */
function stampsOf(bytes: Uint8Array): readonly number[] {
  return packetsOf(bytes).flatMap((packet) => {
    const begins = pidAt(packet, 0) !== NULL_PID && ((packet[1] ?? 0) & 0x40) !== 0;
    return (begins ? ptsOf(packet.subarray(payloadAt(packet, 0))) : undefined) ?? [];
  });
}

/** The packets of a film that go on after `to` by their counter, within a picture, when seconds are missing. */
function chancesAfter({ bytes, accessPoints }: Film, to: number): readonly number[] {
  const packets = packetsOf(bytes);
  const isPicture = (packet: Uint8Array) => pidAt(packet, 0) === PICTURE;
  const last = packets.slice(0, to / PACKET_BYTES).findLast(isPicture);
  const [first, next] = accessPoints.slice(-3);
  return packets.flatMap((packet, number) => {
    const at = number * PACKET_BYTES;
    const goesOn = isPicture(packet) && ((packet[3] ?? 0) & 0x1f) === (((last?.[3] ?? 0) + 1) & 0x0f) + 0x10;
    const isWithin = ((packet[1] ?? 0) & 0x40) === 0 && at > (first ?? 0) && at < (next ?? 0);
    return goesOn && isWithin ? [at] : [];
  });
}

const names = Object.keys(FILMS);
/** Those that differ most: H.264 with IDR pictures, and MPEG-2. */
const someNames = IS_LONG ? names : names.filter((name) => /IDR|MPEG-2/.test(name));

describe("a part of a recording for a player", () => {
  it.each(names)("stays unchanged except for its tables if nothing is damaged: %s", (name) => {
    const film = filmOf(name);
    const { input, output } = leftOf(film, { from: film.accessPoints[0] ?? 0 });
    expect(output.length).toBe(input.length);
    let tables = 0;
    for (const [at, packet] of packetsOf(input).entries()) {
      const now = output.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES);
      const isTable = pidAt(packet, 0) < 0x20;
      if (isTable) tables += 1;
      expect(pidAt(now, 0)).toBe(isTable ? NULL_PID : pidAt(packet, 0));
      expect(Buffer.compare(now.subarray(3), packet.subarray(3))).toBe(0);
    }
    expect(tables).toBeGreaterThan(0);
  });

  it.each(names)("can be decoded from its second access point on: %s", async (name) => {
    const film = filmOf(name);
    const from = film.accessPoints[1] ?? 0;
    const { output } = leftOf(film, { from, options: { continues: false } });
    const { pictures, failures } = await decoded(withTables(film, output));
    expect(failures).toEqual([]);
    expect(pictures).toBeGreaterThan(120);
  });

  it.each(names)(
    "loses at most the last unit of each stream, wherever it is cut, and has no damaged one: %s",
    async (name) => {
      const film = filmOf(name);
      const from = film.accessPoints[0] ?? 0;
      const parts: Buffer[] = [];
      for (const packets of [301, 302, 307, 333]) {
        const to = from + packets * PACKET_BYTES;
        const { output } = leftOf(film, { from, to, options: { isCut: true } });
        parts.push(withTables(film, output));
        const whole = leftOf(film, { from, to });
        const changed = packetsOf(whole.output).filter((packet, at) => {
          const now = output.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES);
          return Buffer.compare(now, packet) !== 0;
        });
        // One unit of the picture and one of the sound.
        for (const pid of [PICTURE, SOUND])
          expect(
            changed.filter((packet) => pidAt(packet, 0) === pid && ((packet[1] ?? 0) & 0x40) !== 0).length,
          ).toBeLessThan(2);
      }
      expect((await decoded(...parts)).failures).toEqual([]);
    },
  );

  it.each(someNames)(
    "has nothing from behind missing data, even where the counter goes on by chance: %s",
    async (name) => {
      const film = filmOf(name);
      const [from = 0, second = 0] = film.accessPoints;
      const next = film.accessPoints.at(-2);
      const [pts = 0] = stampsOf(film.bytes.subarray(from, from + PACKET_BYTES));
      const durationMs = stampStepMs(
        pts,
        stampsOf(film.bytes.subarray(second, second + PACKET_BYTES))[0] ?? 0,
      );
      const options = { isCut: true, breaksOff: { pts, durationMs } };
      const parts: Buffer[] = [];
      for (const packets of [120, 137, 151, 164]) {
        const to = from + packets * PACKET_BYTES;
        const chances = chancesAfter(film, to);
        expect(chances.length).toBeGreaterThan(0);
        const again = chances[packets % chances.length];
        const bytes = Buffer.concat([film.bytes.subarray(0, to), film.bytes.subarray(again, next)]);
        const { input, output } = leftOf({ ...film, bytes }, { from, options });
        expect(output.length).toBe(input.length);
        parts.push(withTables(film, output));
        const stamps = stampsOf(output);
        expect(stamps.length).toBeGreaterThan(2);
        for (const each of stamps) expect(stampStepMs(pts, each)).toBeLessThan(durationMs + SECOND);
      }
      expect((await decoded(...parts)).failures).toEqual([]);
    },
  );

  it.each(someNames)("can be decoded without a failure, whichever packets are lost: %s", async (name) => {
    const film = filmOf(name);
    const from = film.accessPoints[0] ?? 0;
    const losses = fc.uniqueArray(fc.integer({ min: 1, max: film.bytes.length / PACKET_BYTES - 1 }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(losses, async (lost) => {
        const isKept = (number: number) => !lost.includes(number);
        const { input, output } = leftOf(film, { from, isKept, options: { isCut: true } });
        expect(output.length).toBe(input.length);
        const { failures } = await decoded(withTables(film, output));
        expect(failures).toEqual([]);
      }),
      { numRuns: casesOf({ sample: 2, all: 50 }) },
    );
  });
});
