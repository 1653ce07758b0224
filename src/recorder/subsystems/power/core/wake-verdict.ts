import { type DurationMs, type EpochMs, MINUTE } from "../../../../model/time.ts";

/** A machine that is up this long after its alarm was not woken by it. */
const LATE_MS: DurationMs = 5 * MINUTE;
/** Whoever looks every few seconds and did not for this long was asleep. */
const ASLEEP_MS: DurationMs = MINUTE;

export interface WakeQuestion {
  /** When the machine was to be awake, as it was last asked for. */
  readonly wantedAt: EpochMs | undefined;
  /** When somebody last looked. */
  readonly seenAt: EpochMs;
  readonly now: EpochMs;
  /** When the machine was started. */
  readonly upSince: EpochMs;
  /** The first look of this life: what lies before is another one's, while the machine may have been up all the time. */
  readonly isFirst: boolean;
}

/** `late`: it was asleep or off when it was to be awake; `in-time`: its alarm, or somebody, woke it for that. */
export type WakeVerdict =
  | { readonly kind: "late"; readonly wantedAt: EpochMs; readonly cameAt: EpochMs }
  | { readonly kind: "in-time"; readonly wantedAt: EpochMs };

/** Was the machine woken for this? `undefined` where it was up anyway, or nothing was asked for. */
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
