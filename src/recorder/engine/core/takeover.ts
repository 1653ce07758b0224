import { runningAttempts } from "../../../model/attempt.ts";
import type { Recording } from "../../../model/recording.ts";
import { multiplexKey, tripletKey } from "../../../model/service.ts";
import { canReceive, type TunerId } from "../../../model/tuner.ts";
import { partWith } from "../../plan/parts.ts";
import { isWhole } from "../../plan/remedy.ts";
import { nextAttempt, orderAttempt } from "./attempt.ts";
import type { Draft } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { leasesToEvict } from "./leases.ts";
import { planWorld, requestsOf } from "./planning.ts";

/**
 * Begins a second attempt when the running one seems to fail, on a tuner that nobody needs and that this recording
 * has not tried. The old attempt goes on until the new one flows, so there is an overlap instead of a gap.
 */
export function beginTakeover(draft: Draft, recording: Recording, text: string): void {
  if (recording.state !== "recording" || runningAttempts(recording).length > 1) return;
  const tunerId = spareTuner(draft, recording);
  if (tunerId === undefined) return;
  const attempt = nextAttempt(draft, recording, tunerId);
  draft.note("doubted", recording, { text, tuner: tunerId });
  const next = draft.put({ ...recording, attempts: [...recording.attempts, attempt] });
  orderAttempt(draft, next, attempt);
}

/** The new attempt flows: stops the others of the recording. */
export function finishTakeover(draft: Draft, recording: Recording, number: number): void {
  const { id: recordingId } = recording;
  const running = runningAttempts(recording);
  const fresh = running.find((attempt) => attempt.number === number);
  if (fresh === undefined) return;
  draft.note("relieved", recording, { tuner: fresh.tunerId });
  for (const old of running) {
    if (old.number !== number) draft.order({ kind: "stop", recordingId, attempt: old.number });
  }
}

/** A working tuner that no other use and no other recording needs. */
function spareTuner(draft: Draft, recording: Recording): TunerId | undefined {
  const { service, attempts } = recording;
  if (service === undefined) return undefined;
  const multiplex = multiplexKey(service);
  return tunersToPlan(draft.world.tuners, draft.document.health)
    .filter((tuner) => tuner.isDoubtful !== true && canReceive(tuner, tripletKey(service)))
    .map(({ id }) => id)
    .filter((id) => attempts.every(({ tunerId }) => tunerId !== id))
    .filter((tunerId) => leasesToEvict(draft, { tunerId, multiplex })?.length === 0)
    .find((tunerId) => costsNobody(draft, recording, tunerId));
}

/** Whether every recording planned as whole stays whole if this one keeps that tuner to its end. */
function costsNobody(draft: Draft, recording: Recording, tunerId: TunerId): boolean {
  const world = planWorld(draft);
  const tuners = tunersToPlan(draft.world.tuners, world.health);
  const requests = draft.open().flatMap((each) => requestsOf(each, world));
  const moved = requests.map((request) =>
    request.recordingId === recording.id ? { ...request, runningOnTuner: tunerId } : request,
  );
  // Only recordings of its own group can be affected.
  const before = partWith(recording.id, draft.world.plan(requests, tuners));
  const after = partWith(recording.id, draft.world.plan(moved, tuners));
  return before.requests.every(
    (request) => !isWhole(request, before.placements) || isWhole(request, after.placements),
  );
}
