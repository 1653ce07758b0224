import { inMotion, isTerminal, type Recording } from "../model/recording.ts";
import { type EpochMs, MINUTE } from "../model/time.ts";
import type { TunerFacts } from "../model/tuner.ts";

/** For the machine to come up, the disk to be there and the service to be asked once. */
const LEAD_MS = 2 * MINUTE;

/**
 * When the machine must be awake next, so that everything planned can begin in time: `now` while something is recorded or
 * about to be. Absent where nothing is planned.
 */
export function nextWake(
  recordings: readonly Recording[],
  { tuners, now }: { readonly tuners: readonly TunerFacts[]; readonly now: EpochMs },
): EpochMs | undefined {
  const warmUpMs = Math.max(0, ...tuners.map((tuner) => tuner.warmUpMs));
  const instants = recordings
    .filter(({ state }) => !isTerminal(state))
    .map(({ state, window }) => (inMotion(state) ? now : window.start - warmUpMs - LEAD_MS));
  return instants.length === 0 ? undefined : Math.max(now, Math.min(...instants));
}
