import type { LibraryDocument, ServiceRate } from "../../../../model/library.ts";
import type { Recording } from "../../../../model/recording.ts";
import { type Triplet, tripletKey } from "../../../../model/service.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../../../model/time.ts";
import { LIBRARY_CORE_LIMITS } from "./limits.ts";

type Rates = LibraryDocument["rates"];

/** The assumed rate of every service before the first lesson: a good HD service, 8 Mbit/s. */
const BYTES_PER_SECOND_UNKNOWN = 1_000_000;
/** Shorter recordings teach nothing: their edges weigh too much. */
const LEARN_FROM_MS: DurationMs = 5 * SECOND;
/** A recording weighs at least this fraction: services change their bitrate. */
const SAMPLES_MAX = 8;

/** Learns a service's rate from a recording: the mean of the latest ones, whatever their result. */
export function learn(rates: Rates, recording: Recording, now: EpochMs): Rates {
  const { service, evidence } = recording;
  if (service === undefined || evidence === undefined || evidence.windowCoveredMs < LEARN_FROM_MS)
    return rates;
  const key = tripletKey(service);
  const { bytesPerSecond: mean, samples } = rates[key] ?? { bytesPerSecond: 0, samples: 0 };
  const sample = (evidence.bytes * SECOND) / evidence.windowCoveredMs;
  const count = Math.min(samples + 1, SAMPLES_MAX);
  const bytesPerSecond = Math.round(mean + (sample - mean) / count);
  return bounded({ ...rates, [key]: { bytesPerSecond, samples: count, at: now } });
}

/** Drops the service with the oldest lesson first. */
function bounded(rates: Rates): Rates {
  const all = Object.entries(rates);
  if (all.length <= LIBRARY_CORE_LIMITS.learntServices) return rates;
  const byAge = [...all].sort(([, a], [, b]) => b.at - a.at);
  return Object.fromEntries(byAge.slice(0, LIBRARY_CORE_LIMITS.learntServices));
}

/** The bytes per second of a service; without a lesson, and without a service, the average of all known ones. */
export function rateOf(rates: Rates): (service?: Triplet) => number {
  const learnt: readonly ServiceRate[] = Object.values(rates);
  const sum = learnt.reduce((total, { bytesPerSecond }) => total + bytesPerSecond, 0);
  const unknown = learnt.length === 0 ? BYTES_PER_SECOND_UNKNOWN : sum / learnt.length;
  return (service) => (service && rates[tripletKey(service)]?.bytesPerSecond) ?? unknown;
}
