import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Inspection } from "../../src/model/inspection.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { builtStream, CLOCK_WRAP, type Jump } from "../kit/built-stream.ts";
import { asPackets, fileOf, type Piece, type Sent, sentIn, type Truth, truthOf } from "../kit/injected.ts";
import {
  beheaded,
  burst,
  cut,
  cutOut,
  drops,
  duplicates,
  FILLS,
  filled,
  gapIn,
  type Injection,
  junk,
  leading,
  scattered,
  scrambled,
  syncDamage,
  torn,
  transportErrors,
  unflagged,
} from "../kit/injections.ts";

const RAI = sentIn(readFileSync("test/fixtures/ts/rai-dvbt-mux.ts"));
const FRENCH = sentIn(readFileSync("test/fixtures/ts/french-dvbt-si.ts"));
const BUILT = sentIn(builtStream({ packets: 2000 }));

interface Base {
  readonly name: string;
  readonly sent: readonly Sent[];
  /** A PID with many packets. */
  readonly pid: number;
  /** A PID with picture or sound. */
  readonly unitsOf?: number;
}

const BASES: readonly Base[] = [
  { name: "the Italian multiplex", sent: RAI, pid: 512, unitsOf: 512 },
  { name: "the French tables", sent: FRENCH, pid: 18 },
  { name: "a built service", sent: BUILT, pid: 0x100, unitsOf: 0x100 },
];

interface Case {
  readonly injected: string;
  readonly pieces: readonly Piece[];
  /** Breaks of the clock. */
  readonly breaks?: number;
}

const JUNK_BYTES = [1, 2, 3, 100, 187, 188, 189, 375, 376, 940, 1000, 1881, 3333, 4096, 5000];

/** The damage that is injected into each of the streams. */
const TABLE: readonly (readonly [string, (base: Base) => Injection])[] = [
  ["nothing", () => asPackets],
  ...[1, 10, 100, 1000].map((count) => [`${count} packets dropped`, () => drops(count, count)] as const),
  ...[2, 15, 16, 17, 300].map((count) => [`a burst of ${count} dropped`, () => burst(count, 700)] as const),
  ...[1, 15, 16, 17, 32].map(
    (count) => [`${count} in a row of one PID dropped`, ({ pid }: Base) => gapIn(pid, count)] as const,
  ),
  ["30 packets sent twice", () => duplicates(30, { copies: 1, seed: 21 })],
  ["5 packets sent three times", () => duplicates(5, { copies: 2, seed: 22 })],
  ...[1, 50].map(
    (count) => [`${count} packets with transport_error_indicator`, () => transportErrors(count, 23)] as const,
  ),
  ["one wrong sync byte", () => syncDamage(1, { from: 500, step: 1 })],
  ["60 wrong sync bytes, scattered", () => scattered(60, 31)],
  ...[2, 3].map(
    (step) =>
      [`20 wrong sync bytes, one of each ${step}`, () => syncDamage(20, { from: 400, step })] as const,
  ),
  ...[2, 3, 4, 5, 40].map(
    (count) =>
      [`${count} wrong sync bytes in a row`, () => syncDamage(count, { from: 900, step: 1 })] as const,
  ),
  ...[1, 4, 94, 176].map(
    (bytes) =>
      [`6 packets that lost their last ${bytes} bytes`, () => torn(6, { bytes, seed: bytes })] as const,
  ),
  ...[1, 100].map(
    (bytes) => [`a packet that lost its first ${bytes} bytes`, () => beheaded(600, bytes)] as const,
  ),
  ...(
    [
      ["less than a packet is left of two", { kept: 60, to: 801, rest: 70 }],
      ["a packet's length is left of two", { kept: 100, to: 801, rest: 88 }],
      ["more than a packet is left of five", { kept: 150, to: 804, rest: 120 }],
    ] as const
  ).map(([name, how]) => [`bytes cut out: ${name}`, () => cutOut(800, how)] as const),
  ...JUNK_BYTES.map((length, index) => {
    const fill = FILLS[index % FILLS.length] ?? "zeros";
    return [`${length} bytes of junk (${fill})`, () => junk(333, filled(length, fill))] as const;
  }),
  ...[1, 187, 188, 940, 5000].map(
    (length) =>
      [`${length} bytes of junk at the beginning`, () => leading(filled(length, "random"))] as const,
  ),
  ...[1, 100, 187, 188, 1000].map(
    (first) => [`the first ${first} bytes cut off`, () => cut({ first })] as const,
  ),
  ...[1, 100, 187, 188, 1000].map((last) => [`the last ${last} bytes cut off`, () => cut({ last })] as const),
  ["both ends cut inside a packet", () => cut({ first: 77, last: 33 })],
];

/** Damage that only streams with picture and sound can show. */
const OF_UNITS: readonly (readonly [string, (pid: number) => Injection])[] = [
  ...[2, 3].map(
    (flag) =>
      [
        `40 packets with transport_scrambling_control ${flag}`,
        () => scrambled(40, { flag, seed: flag }),
      ] as const,
  ),
  ...[3, 6].map(
    (units) => [`${units} units scrambled and not flagged`, (pid: number) => unflagged(pid, units)] as const,
  ),
];

const INJECTED: readonly Case[] = BASES.flatMap(({ name, ...base }) => [
  ...TABLE.map(([what, injection]) => ({
    injected: `${what}, in ${name}`,
    pieces: injection({ name, ...base })(base.sent),
  })),
  ...OF_UNITS.flatMap(([what, injection]) =>
    base.unitsOf === undefined
      ? []
      : [{ injected: `${what}, in ${name}`, pieces: injection(base.unitsOf)(base.sent) }],
  ),
]);

const MINUTE = 60_000;

function jumping(jumps: readonly Jump[]): readonly Piece[] {
  return asPackets(sentIn(builtStream({ packets: 2000, jumps })));
}

const CLOCKS: readonly Case[] = [
  ...[-60 * MINUTE, -10_000, -1000, 2000, MINUTE, 11 * MINUTE, 600 * MINUTE].flatMap((byMs) =>
    [true, false].map((isSignalled) => ({
      injected: `a clock that jumps by ${byMs / 1000} s, ${isSignalled ? "signalled" : "not signalled"}`,
      pieces: jumping([{ at: 1000, byMs, isSignalled }]),
      breaks: isSignalled ? 0 : 1,
    })),
  ),
  ...[2000, MINUTE].map((byMs) => ({
    injected: `${byMs / 1000} s of the clock that are missing`,
    pieces: jumping([{ at: 1000, byMs }]).filter((_piece, index) => index < 991 || index > 999),
  })),
  {
    injected: "a clock that jumps ahead and back again",
    pieces: jumping([
      { at: 500, byMs: 60 * MINUTE },
      { at: 1500, byMs: -60 * MINUTE },
    ]),
    breaks: 2,
  },
  {
    injected: "packets dropped before a new clock that is signalled",
    pieces: jumping([{ at: 1000, byMs: 60 * MINUTE, isSignalled: true }]).filter(
      (_piece, index) => index < 991 || index > 999,
    ),
  },
  {
    injected: "a clock that comes round",
    pieces: asPackets(sentIn(builtStream({ packets: 2000, clockFrom: CLOCK_WRAP - 27_000_000 }))),
  },
];

const SECOND = sentIn(builtStream({ packets: 1500, sid: 2, pids: [0x30, 0x1200, 0x1201], clockFrom: 27e8 }));
const LATER = sentIn(builtStream({ packets: 1500, sid: 1, clockFrom: 27e9 * 3 }));

const SPLICES: readonly Case[] = (
  [
    ["the Italian multiplex without its middle", [RAI.slice(0, 7000), RAI.slice(13_000)], 0],
    ["the second half of the Italian multiplex and the first", [RAI.slice(10_000), RAI.slice(0, 10_000)], 1],
    ["the Italian multiplex and the French tables", [RAI, FRENCH], 0],
    ["the French tables and the Italian multiplex", [FRENCH, RAI], 0],
    ["the French tables from 3000 on and up to there", [FRENCH.slice(3000), FRENCH.slice(0, 3000)], 0],
    ["a service and another one with PIDs of its own", [BUILT, SECOND], 0],
    ["a service, another one, and the first again", [BUILT.slice(0, 1000), SECOND, BUILT.slice(1000)], 0],
    ["a service and the same one with another clock", [BUILT, LATER], 1],
    ["a service and the Italian multiplex", [SECOND, RAI], 0],
  ] as const
).map(([what, parts, breaks]) => ({
  injected: `a splice of ${what}`,
  pieces: parts.flatMap((part) => asPackets(part)),
  breaks,
}));

const CASES = [...INJECTED, ...CLOCKS, ...SPLICES];

function inspect(bytes: Uint8Array): Inspection {
  const inspector = new Inspector(undefined);
  inspector.push(bytes);
  inspector.settle();
  return inspector.inspection();
}

function seenIn(found: Inspection): Truth {
  const { packets, headBytes, damagedPackets, junkBytes, tailBytes, pids } = found;
  const flawed = pids.filter(({ continuityErrors }) => continuityErrors > 0);
  return {
    packets,
    headBytes,
    damagedPackets,
    junkBytes,
    tailBytes,
    transportErrors: found.transportErrors,
    scrambledPackets: found.scrambledPackets,
    duplicates: pids.reduce((sum, each) => sum + each.duplicates, 0),
    continuityErrors: Object.fromEntries(flawed.map((each) => [each.pid, each.continuityErrors])),
  };
}

describe("an injected fault is found, to the packet and the byte:", () => {
  it.each(CASES.map((each) => [each.injected, each] as const))("%s", (_injected, { pieces, breaks = 0 }) => {
    const found = inspect(fileOf(pieces));
    expect(seenIn(found)).toEqual(truthOf(pieces));
    expect(found.clockBreaks).toHaveLength(breaks);
  });
});

it("the injector creates a different fault for each case", () => {
  const names = CASES.map(({ injected }) => injected);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(150);
  const truths = CASES.map(({ pieces }) => truthOf(pieces));
  const some = (of: (truth: Truth) => number) => truths.filter((truth) => of(truth) > 0).length;
  expect(some(({ continuityErrors }) => Object.keys(continuityErrors).length)).toBeGreaterThan(80);
  expect(some(({ transportErrors: count }) => count)).toBe(6);
  expect(some(({ duplicates: count }) => count)).toBe(6);
  expect(some(({ scrambledPackets }) => scrambledPackets)).toBe(8);
});
