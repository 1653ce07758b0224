import type { Log } from "../../../kit/log.ts";
import { uptimeMs } from "../../../kit/machine/machine.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Recording } from "../../../model/recording.ts";
import { type EpochMs, MINUTE } from "../../../model/time.ts";
import type { TunerFacts } from "../../../model/tuner.ts";
import type { Config } from "../../config/schema.ts";
import { nextWake, wakeAlarm } from "../../plan/wake.ts";
import { createPower, type Power } from "./power.ts";

interface PowerDeps {
  readonly recordings: () => readonly Recording[];
  readonly tuners: () => readonly TunerFacts[];
  readonly isClockTrusted: () => boolean;
  /** The last sign of life of an earlier run. */
  readonly seenAt: EpochMs;
  readonly clock: Clock;
  readonly log: Log;
}

/** Wakes the machine for planned recordings and keeps it awake, as configured. */
export function openPower(
  { power, data: { folder } }: Config,
  { recordings, tuners, clock, ...deps }: PowerDeps,
): Power {
  const leadMs = power.wakeMinutesBefore * MINUTE;
  const world = () => ({ tuners: tuners(), now: clock.now(), leadMs });
  return createPower({
    ...deps,
    folder,
    wakeAlarm: power.wakeAlarm,
    inhibitSleep: power.inhibitSleep,
    wanted: () => wakeAlarm(recordings(), world()),
    isBusy: () => (nextWake(recordings(), world()) ?? Number.POSITIVE_INFINITY) <= clock.now(),
    uptimeMs,
    clock,
  });
}
