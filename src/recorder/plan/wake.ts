import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import { type DurationMs, type EpochMs, MINUTE } from "../../model/time.ts";
import { type TunerFacts, warmUpMost } from "../../model/tuner.ts";

/** Time for the machine to start, the disk to mount and one poll of the service. */
const LEAD_MS = 2 * MINUTE;

interface WakeWorld {
  readonly tuners: readonly TunerFacts[];
  readonly now: EpochMs;
  /** How long the machine must be awake before a recording's tuner starts; two minutes by default. */
  readonly leadMs?: DurationMs;
}

/**
 * The next time the machine must be awake so that every planned recording starts in time: `now` while one runs or is about to
 * . `undefined` if nothing is planned.
 */
export function nextWake(recordings: readonly Recording[], world: WakeWorld): EpochMs | undefined {
  const { now } = world;
  const leadMs = leadOf(world);
  let soonest: EpochMs | undefined;
  for (const { state, window } of recordings) {
    if (isTerminal(state)) continue;
    if (inMotion(state)) return now;
    soonest = Math.min(soonest ?? Number.POSITIVE_INFINITY, window.start - leadMs);
  }
  return soonest === undefined ? undefined : Math.max(now, soonest);
}

/** The next value of the machine's wake alarm: the first time still to come, even while something else keeps it awake. */
export function wakeAlarm(recordings: readonly Recording[], world: WakeWorld): EpochMs | undefined {
  const leadMs = leadOf(world);
  const instants = recordings
    .filter(({ state }) => !isTerminal(state) && !inMotion(state))
    .map(({ window }) => window.start - leadMs)
    .filter((at) => at > world.now);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** The lead time before a recording's window, whichever tuner it gets. */
function leadOf({ tuners, leadMs = LEAD_MS }: WakeWorld): DurationMs {
  return warmUpMost(tuners) + leadMs;
}
