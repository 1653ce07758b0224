import { SECOND } from "../../src/model/time.ts";
import { fc } from "../properties.ts";
import { type Lead, TOLERANCES } from "./service-script.ts";

/** The parameters of a script: few words, each of which shrinks by itself. Instants are shares of the time that is left for them. */
export interface ServiceWish {
  readonly seconds: number;
  readonly picture: PictureWish | undefined;
  readonly sounds: readonly SoundWish[];
  /** An audio description, listed first. */
  readonly description: SoundWish | undefined;
  /** Listed first among its kind, and never sent. */
  readonly phantoms: readonly ("video" | "audio")[];
  readonly extras: readonly ("subtitles" | "teletext")[];
  readonly pcr: "picture" | "own" | "sound" | "elsewhere" | "nowhere";
  readonly pcrEveryMs: number;
  readonly pcrsInPictures: boolean;
  readonly clockMs: number;
  readonly changes: readonly ChangeWish[];
  readonly jumps: readonly JumpWish[];
  readonly losses: readonly OutageWish[];
  readonly tablesFromMs: number;
  readonly tablesEveryMs: number;
  readonly timeEveryMs: number | undefined;
}

export interface PictureWish {
  readonly format: "h264" | "mpeg2" | "hevc";
  readonly unitMs: number;
  readonly reorders: boolean;
  readonly saysStill: boolean;
  readonly packets: number;
  readonly lead: Lead;
  readonly outages: readonly OutageWish[];
  readonly isNeverSent: boolean;
}

export interface SoundWish {
  readonly format: "mp2" | "aac" | "ac3";
  /** Frames of one PES packet. */
  readonly frames: number;
  readonly lead: Lead;
  readonly outages: readonly OutageWish[];
}

export interface OutageWish {
  readonly at: number;
  readonly ms: number;
}

export interface ChangeWish {
  readonly at: number;
  readonly what: "sound" | "picture" | "second sound" | "with picture" | "pcr";
}

interface JumpWish {
  readonly at: number;
  readonly byMs: number;
  readonly signalled: boolean;
}

const HOUR_MS = 3600 * SECOND;
/** PCR and PTS wrap after 33 bits of 90 kHz. */
const WRAP_MS = Math.floor(2 ** 33 / 90);

const share = fc.noBias(fc.integer({ min: 0, max: 1000 })).map((thousandths) => thousandths / 1000);
const lead: fc.Arbitrary<Lead> = fc.record({
  meanMs: fc.integer({ min: 600, max: 1100 }),
  swingMs: fc.integer({ min: 0, max: 400 }),
  periodMs: fc.integer({ min: 15, max: 60 }).map((s) => s * SECOND),
});
const outages = fc.array(fc.record({ at: share, ms: fc.integer({ min: 500, max: 40_000 }) }), {
  maxLength: 2,
});
const picture: fc.Arbitrary<PictureWish> = fc.record({
  format: fc.constantFrom("h264", "mpeg2", "hevc"),
  unitMs: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(40, 20) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 10 }).map((s) => s * SECOND) },
  ),
  reorders: fc.boolean(),
  saysStill: fc.boolean(),
  packets: fc.integer({ min: 1, max: 3 }),
  lead,
  outages,
  isNeverSent: fc.oneof(
    { weight: 15, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});
const sound: fc.Arbitrary<SoundWish> = fc.record({
  format: fc.constantFrom("mp2", "aac", "ac3"),
  frames: fc.integer({ min: 1, max: 20 }),
  lead,
  outages,
});

export const serviceWishes: fc.Arbitrary<ServiceWish> = fc.record({
  seconds: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 20, max: 45 }) },
    { weight: 1, arbitrary: fc.integer({ min: 45, max: 120 }) },
  ),
  picture: fc.option(picture, { nil: undefined, freq: 6 }),
  sounds: fc.array(sound, { minLength: 1, maxLength: 3 }),
  description: fc.option(sound, { nil: undefined }),
  phantoms: fc.uniqueArray(fc.constantFrom("video", "audio"), { maxLength: 1 }),
  extras: fc.uniqueArray(fc.constantFrom("subtitles", "teletext"), { maxLength: 2 }),
  pcr: fc.constantFrom("picture", "own", "sound", "elsewhere", "nowhere"),
  pcrEveryMs: fc.integer({ min: 20, max: 80 }),
  pcrsInPictures: fc.boolean(),
  clockMs: fc.oneof(
    fc.integer({ min: 0, max: HOUR_MS }),
    fc.integer({ min: WRAP_MS - 100_000, max: WRAP_MS }),
  ),
  changes: fc.array(
    fc.record({
      at: share,
      what: fc.constantFrom("sound", "picture", "second sound", "with picture", "pcr"),
    }),
    { maxLength: 2 },
  ),
  jumps: fc.array(
    fc.record({
      at: share,
      byMs: fc.oneof(
        fc.integer({ min: 10, max: TOLERANCES.noPauseMs }),
        fc.integer({ min: 1000, max: 20_000 }),
        fc.integer({ min: -HOUR_MS, max: -200 }),
        fc.integer({ min: HOUR_MS, max: 20 * HOUR_MS }),
      ),
      signalled: fc.boolean(),
    }),
    { maxLength: 1 },
  ),
  losses: fc.array(fc.record({ at: share, ms: fc.integer({ min: 600, max: 15_000 }) }), { maxLength: 1 }),
  tablesFromMs: fc.integer({ min: 0, max: 400 }),
  tablesEveryMs: fc.integer({ min: 100, max: 500 }),
  timeEveryMs: fc.option(
    fc.integer({ min: 5, max: 20 }).map((s) => s * SECOND),
    { nil: undefined },
  ),
});
