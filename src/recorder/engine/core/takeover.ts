import { type Attempt, attemptId, runningAttempts } from "../../../model/attempt.ts";
import type { Recording } from "../../../model/recording.ts";
import { multiplexKey, tripletKey } from "../../../model/service.ts";
import { canReceive, type TunerId } from "../../../model/tuner.ts";
import { partWith } from "../../plan/parts.ts";
import { isWhole } from "../../plan/remedy.ts";
import { nextAttempt, orderAttempt } from "./attempt.ts";
import type { Draft } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { leasesToEvict } from "./leases.ts";
import { planWorld, requestsOf } from "./plan-requests.ts";

/**
 * Begins a second attempt when the running one seems to fail, on a tuner that nobody needs and that this recording
 * has not tried. The old attempt goes on until the new one flows, so there is an overlap instead of a gap.
 */
export function beginTakeover(draft: Draft, recording: Recording, text: string): void {
  if (recording.state !== "recording" || runningAttempts(recording).length > 1) return;
  const tried = new Set(recording.attempts.map(({ tunerId }) => tunerId));
  const tunerId = spareTuner(draft, recording, tried);
  if (tunerId === undefined) return;
  draft.note("doubted", recording, { text, tuner: tunerId });
  relieve(draft, recording, tunerId);
}

/** Moves what runs on drained nodes to other tuners. What cannot move stays; later decisions try again. */
export function moveFromDrained(draft: Draft): void {
  const { leaving, tuners } = draft.world;
  const drained = new Set(tuners.filter(({ isDrained }) => isDrained === true).map(({ id }) => id));
  if (drained.size === 0 && (leaving?.size ?? 0) === 0) return;
  for (const recording of draft.index.begun) {
    const [attempt, ...more] = runningAttempts(recording);
    if (recording.state !== "recording" || attempt === undefined || more.length > 0) continue;
    if (!drained.has(attempt.tunerId) && leaving?.has(attemptId(recording.id, attempt.number)) !== true)
      continue;
    const tunerId = spareTuner(draft, recording, new Set([attempt.tunerId, ...failedTuners(recording)]));
    if (tunerId === undefined) continue;
    draft.note("drained", recording, { tuner: tunerId });
    relieve(draft, recording, tunerId);
  }
}

/** A tuner that was left in good order may take the recording back. */
function failedTuners({ attempts }: Recording): readonly TunerId[] {
  const isWell = ({ cause, flowingAt }: Attempt) => cause === "asked" && flowingAt !== undefined;
  return attempts.filter((attempt) => !isWell(attempt)).map(({ tunerId }) => tunerId);
}

function relieve(draft: Draft, recording: Recording, tunerId: TunerId): void {
  const attempt = nextAttempt(draft, recording, tunerId);
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
function spareTuner(draft: Draft, recording: Recording, without: ReadonlySet<TunerId>): TunerId | undefined {
  const { service } = recording;
  if (service === undefined) return undefined;
  const multiplex = multiplexKey(service);
  return tunersToPlan(draft.world.tuners, draft.document.health)
    .filter((tuner) => tuner.isDoubtful !== true && canReceive(tuner, tripletKey(service)))
    .map(({ id }) => id)
    .filter((id) => !without.has(id))
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
