import type { Schedule } from "../../kit/time/cron.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { Policy } from "../../model/policy.ts";
import { type Channel, type Triplet, tripletKey } from "../../model/service.ts";
import { MINUTE, SECOND } from "../../model/time.ts";
import type { ReportedState } from "../../model/timer.ts";
import type { TunerFacts, TunerId } from "../../model/tuner.ts";
import type { AbsencePolicy } from "../../recorder/sync/core/absence.ts";
import { chanceOf } from "./chance.ts";

export const CHANNELS = channelsOf(9);

export function channelsOf(count: number): readonly Channel[] {
  return Array.from({ length: count }, (_, index) => channelOf(index + 1));
}

/** Three channels to a multiplex. */
function channelOf(number: number): Channel {
  const triplet: Triplet = {
    onid: 0x1010,
    tsid: 0x0221 + Math.floor((number - 1) / 3),
    sid: 0x0220 + number,
  };
  return {
    id: String(number),
    name: `Channel ${number}`,
    nameShort: `C${number}`,
    knownNames: [],
    triplets: [triplet],
    lcns: [number],
  };
}

export const POLICY: Policy = {
  padding: { beforeMs: MINUTE, afterMs: 3 * MINUTE },
  completeFrom: 0.98,
  follow: { extendMs: 60 * MINUTE, endEarly: false },
  vocabulary: "observed",
  priorities: [],
  repeats: "offer",
  // Independent of the machine: a seed gives the same result everywhere.
  timeZone: "UTC",
};

/** The default cron setting, without the search for the next matching day. */
export const EVERY_FIVE_MINUTES: Schedule = {
  next: (after) => (Math.floor(after / (5 * MINUTE)) + 1) * 5 * MINUTE,
};

/** The default configuration. */
export const ABSENCE: AbsencePolicy = { shareMin: 0.5, confirmPolls: 3, confirmMs: 10 * MINUTE };
export const CLOCK_TOLERANCE_MS = 30 * SECOND;
/** Largest error of a trusted clock: a slow answer tells the time no better. */
export const CLOCK_SLACK_MS = CLOCK_TOLERANCE_MS + MODEL_LIMITS.guideRequestMs;

/** The constants of a seed's weeks. */
export interface Setting {
  readonly tuners: readonly TunerFacts[];
  /** Whether the capture host copies this tuner's streams; otherwise each capture is its own process. */
  readonly isCopied: (tunerId: TunerId) => boolean;
  /** States that this service rejects (406). */
  readonly refusedStates: readonly ReportedState[];
  /** This service lists a forgotten timer a second time, with its original order. */
  readonly listsForgottenTwice: boolean;
  /** NTP keeps the machine's clock and can be queried; otherwise neither. */
  readonly hasNtp: boolean;
}

/** This many tuners, each receiving everything, and a service that accepts every state. */
export function plainSetting(count: number): Setting {
  const tuners = Array.from(
    { length: count },
    (_, index): TunerFacts => ({
      id: `tuner-${index + 1}`,
      kind: "simulated",
      services: "any",
      servicesAtOnce: () => Number.POSITIVE_INFINITY,
      warmUpMs: 2 * SECOND,
    }),
  );
  return {
    tuners,
    isCopied: () => true,
    refusedStates: [],
    listsForgottenTwice: false,
    hasNtp: true,
  };
}

export function settingOf(seed: number): Setting {
  const chance = chanceOf(seed, "setting");
  const count = chance.pick([1, 2, 2, 3]);
  const services = CHANNELS.flatMap(({ triplets }) => triplets.map(tripletKey));
  const tuners = Array.from({ length: count }, (_, index): TunerFacts => {
    const atOnce = chance.pick([1, 2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    const some = new Set(services.slice(0, 6));
    return {
      id: `tuner-${index + 1}`,
      kind: "simulated",
      // The last tuner may not receive everything.
      services: index > 0 && index === count - 1 && chance.percent(40) ? some : "any",
      servicesAtOnce: () => atOnce,
      warmUpMs: chance.pick([0, 2, 5]) * SECOND,
    };
  });
  const refusedStates: readonly ReportedState[] = chance.percent(15)
    ? [chance.pick(["waiting", "running"])]
    : [];
  const listsForgottenTwice = chanceOf(seed, "forgotten").percent(30);
  const copying = chanceOf(seed, "copying");
  const copied = new Set(tuners.flatMap(({ id }) => (copying.percent(75) ? [id] : [])));
  return {
    tuners,
    isCopied: (id) => copied.has(id),
    refusedStates,
    listsForgottenTwice,
    hasNtp: chanceOf(seed, "ntp").percent(60),
  };
}
