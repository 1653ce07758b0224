import { type DurationMs, type EpochMs, MINUTE } from "../../../../model/time.ts";

/** A machine that is up this long after its alarm was not woken by it. */
const LATE_MS: DurationMs = 5 * MINUTE;
/** A gap this long between looks every few seconds means sleep. */
const ASLEEP_MS: DurationMs = MINUTE;

export interface WakeQuestion {
  /** The latest requested time at which the machine must be awake. */
  readonly wantedAt: EpochMs | undefined;
  /** The time of the last look. */
  readonly seenAt: EpochMs;
  readonly now: EpochMs;
  /** The start of the machine. */
  readonly upSince: EpochMs;
  /** The first look of this run: an earlier gap belongs to another run, while the machine may have been up. */
  readonly isFirst: boolean;
}

/** `late`: it was asleep or off at the requested time; `in-time`: an alarm or a person woke it before. */
export type WakeVerdict =
  | { readonly kind: "late"; readonly wantedAt: EpochMs; readonly cameAt: EpochMs }
  | { readonly kind: "in-time"; readonly wantedAt: EpochMs };

/**
 * Judges whether the machine was awake in time. `undefined` if it was up anyway, or no time was requested.
 */
export function judgeWake({
  wantedAt,
  seenAt,
  now,
  upSince,
  isFirst,
}: WakeQuestion): WakeVerdict | undefined {
  const wasOff = upSince > seenAt;
  const wasAsleep = !isFirst && now - seenAt > ASLEEP_MS;
  if (wantedAt === undefined || seenAt >= wantedAt || !(wasOff || wasAsleep)) return undefined;
  const cameAt = wasOff ? upSince : now;
  if (cameAt > wantedAt + LATE_MS) return { kind: "late", wantedAt, cameAt };
  return cameAt >= wantedAt - LATE_MS ? { kind: "in-time", wantedAt } : undefined;
}
