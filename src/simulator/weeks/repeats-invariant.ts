import { isHealing } from "../../model/healing.ts";
import { isSound, isTerminal } from "../../model/recording.ts";
import { HOUR } from "../../model/time.ts";
import type { Breach } from "./invariant.ts";
import { ABSENCE } from "./setting.ts";
import { downtimesOf, type Truth } from "./truth.ts";

/** Time for the recorder to cancel a needless booking, while service, clock and power are well. */
const DROPPED_MS = HOUR + ABSENCE.confirmMs;

/** Checks the repeats that were booked as replacements, at the end of the simulation. */
export function* breachesOfRepeats(truth: Truth): Iterable<Breach> {
  const { document, clock, guide } = truth;
  const recordings = Object.values(document().recordings);
  const invariant = "R-17 a booked repeat yields one complete recording";
  for (const { healing, timerId, state, endedAt = clock.now(), evidence } of recordings) {
    if (healing === undefined) continue;
    if (isHealing(healing)) yield { invariant, text: `the repeat is still ${healing.step}`, timerId };
    const repeat = document().recordings[healing.recordingId ?? ""];
    if (healing.step === "healed" && (repeat === undefined || !isSound(repeat))) {
      yield {
        invariant,
        text: `the recording counts as healed, but its repeat is ${repeat?.state}`,
        timerId,
      };
    }
    if (repeat === undefined || !isTerminal(repeat.state)) continue;
    const wasTroubled =
      downtimesOf(truth).length > 0 ||
      truth.machine.wrong.length > 0 ||
      guide.failures.some((at) => at > endedAt - HOUR);
    const isNeedless = isSound({ state, ...(evidence === undefined ? {} : { evidence }) });
    if (isNeedless && isSound(repeat) && endedAt + DROPPED_MS < repeat.window.start && !wasTroubled) {
      yield { invariant, text: `the complete recording was repeated as ${repeat.id}`, timerId };
    }
  }
}
