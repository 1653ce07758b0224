import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import { type DurationMs, type EpochMs, MINUTE } from "../../model/time.ts";
import { type TunerFacts, warmUpMost } from "../../model/tuner.ts";

/** For the machine to come up, the disk to be there and the service to be asked once. */
const LEAD_MS = 2 * MINUTE;

interface WakeWorld {
  readonly tuners: readonly TunerFacts[];
  readonly now: EpochMs;
  /** How long before a recording's tuner the machine is to be awake; two minutes unless told otherwise. */
  readonly leadMs?: DurationMs;
}

/**
 * When the machine must be awake next, so that everything planned can begin in time: `now` while something is recorded or
 * about to be. Absent where nothing is planned.
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

/** What the machine's own alarm is to be set to: the first instant to come, also while it is awake for something else. */
export function wakeAlarm(recordings: readonly Recording[], world: WakeWorld): EpochMs | undefined {
  const leadMs = leadOf(world);
  const instants = recordings
    .filter(({ state }) => !isTerminal(state) && !inMotion(state))
    .map(({ window }) => window.start - leadMs)
    .filter((at) => at > world.now);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** How long before a recording's window, whichever tuner it will have. */
function leadOf({ tuners, leadMs = LEAD_MS }: WakeWorld): DurationMs {
  return warmUpMost(tuners) + leadMs;
}
