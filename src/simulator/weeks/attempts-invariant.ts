import { type Attempt, runningAttempts } from "../../model/attempt.ts";
import { isTerminal, plannedSpan, type Recording } from "../../model/recording.ts";
import { tripletKey } from "../../model/service.ts";
import { MINUTE } from "../../model/time.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";
import { overlaps, type Window } from "../../model/window.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import type { Finding } from "./exchange.ts";

/** A failed tuner is tried again although a free one was not tried yet. */
export function sameTunerAgain(
  before: DaemonDocument,
  after: DaemonDocument,
  tuners: readonly TunerFacts[],
): Finding | undefined {
  const recordings = Object.values(after.recordings);
  for (const recording of recordings) {
    const { id, timerId, service, window, attempts } = recording;
    const fresh = attempts.at(-1);
    const isBegun = attempts.length > (before.recordings[id]?.attempts.length ?? 0);
    if (!isBegun || fresh === undefined || service === undefined) continue;
    const failed = failedTuners(attempts.slice(0, -1));
    if (!failed.includes(fresh.tunerId)) continue;
    const others = recordings.filter((each) => each !== recording);
    const rest: Window = { start: fresh.startedAt - MINUTE, stop: window.stop + MINUTE };
    const spare = tuners.find(
      (tuner) =>
        !failed.includes(tuner.id) &&
        canReceive(tuner, tripletKey(service)) &&
        !others.some((other) => needs(other, tuner, rest)),
    );
    if (spare !== undefined)
      return { timerId, text: `${fresh.tunerId} is used again although ${spare.id} is free` };
  }
  return undefined;
}

/** The tuners of the attempts since the last payload. */
function failedTuners(attempts: readonly Attempt[]): readonly string[] {
  const lastFlowing = attempts.findLastIndex(({ flowingAt }) => flowingAt !== undefined);
  return attempts
    .slice(lastFlowing + 1)
    .filter(({ begun }) => begun !== false)
    .map(({ tunerId }) => tunerId);
}

function needs(recording: Recording, { id }: TunerFacts, span: Window): boolean {
  if (runningAttempts(recording).some(({ tunerId }) => tunerId === id)) return true;
  if (isTerminal(recording.state) || recording.tunerId !== id) return false;
  return overlaps(plannedSpan(recording), span);
}
