import { SECOND } from "../../../../model/time.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import type { Segment } from "./segments.ts";

/** Bits per second. RFC 8216 §4.3.4.2: BANDWIDTH and AVERAGE-BANDWIDTH. */
interface Rate {
  readonly peak: number;
  readonly average: number;
}

/** The multiplex of a converted stream adds no more than this share. */
const OVERHEAD = 1.1;

/** The rate of the segments, or that of a conversion. */
export function rateOf(segments: readonly Segment[], isConverted: boolean): Rate {
  const { convertVideoRate, convertAudioRate } = PLAYBACK_LIMITS;
  const converted = Math.ceil((convertVideoRate + convertAudioRate) * OVERHEAD);
  if (isConverted) return { peak: converted, average: converted };
  const bits = segments.map(({ first, end }) => (end - first) * 8);
  const rates = segments.map(({ durationMs }, at) => ((bits[at] ?? 0) * SECOND) / Math.max(1, durationMs));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const seconds = sum(segments.map(({ durationMs }) => durationMs)) / SECOND;
  // A playlist must name a rate even before the first segment.
  const average = seconds === 0 ? converted : Math.ceil(sum(bits) / seconds);
  return { peak: Math.max(average, ...rates.map(Math.ceil)), average };
}
