import type { Findings, Verdict } from "./evidence.ts";
import { type DurationMs, MINUTE, SECOND } from "./time.ts";
import { lengthMs } from "./window.ts";

/** With a smaller share of the event there is not enough to watch. */
const USABLE_FROM = 0.5;
/** People tolerate one second with flaws in a minute. */
const FLAWED_SECOND_EVERY_MS = MINUTE;
/** Shorter gaps in the padding do not matter. */
const PADDING_GAP_MS = SECOND;
/** ISO/IEC 13818-1 §2.4.3.2. */
const PACKET_BYTES = 188;
/** Instants on disk are known to the millisecond. */
const EXACT_MS = 1;

/** @param completeFrom the share of the event that must be on disk @returns `undefined` if the stream has no clock */
export function verdictOf(evidence: Findings, completeFrom: number): Verdict | undefined {
  const { eventMs, eventCoveredMs, gaps, clock, incompleteTracks = [] } = evidence;
  if (clock === "none") return undefined;
  if (eventCoveredMs <= 0 || eventCoveredMs < USABLE_FROM * eventMs) return "unusable";
  const flaws = flawsOf(evidence);
  // Nobody knows how long that would have been.
  const isForeign = PACKET_BYTES * lostPacketsOf(evidence) > (1 - completeFrom) * evidence.bytes;
  const tooMany =
    isForeign || flawedMsOf(evidence) > SECOND * Math.ceil(eventCoveredMs / FLAWED_SECOND_EVERY_MS);
  if (eventCoveredMs < completeFrom * eventMs || tooMany) return "damaged";
  const isWhole = eventMs - eventCoveredMs < EXACT_MS && gaps.every((gap) => lengthMs(gap) < PADDING_GAP_MS);
  const hasAllTracks = incompleteTracks.every(({ neverSent }) => neverSent === true);
  return flaws === 0 && isWhole && hasAllTracks ? "perfect" : "good";
}

/** An earlier version did not count seconds: each flaw is one. Nobody notices those of tables. */
export function flawedMsOf(evidence: Findings): DurationMs {
  return evidence.flawedMs ?? SECOND * (flawsOf(evidence) - (evidence.tableErrors ?? 0));
}

/** The flaws of what is on disk. Missing parts are gaps, not flaws. */
export function flawsOf(evidence: Findings): number {
  const { continuityErrors, tableErrors = 0, transportErrors, scrambledPackets, clockBreaks } = evidence;
  const counted = continuityErrors + tableErrors + transportErrors + scrambledPackets + clockBreaks;
  return counted + lostPacketsOf(evidence);
}

/** Damaged packets, and junk counted in packets: so many packets may be lost. */
export function lostPacketsOf(evidence: Findings): number {
  const { damagedPackets, junkBytes } = evidence;
  return damagedPackets + Math.ceil(junkBytes / PACKET_BYTES);
}
