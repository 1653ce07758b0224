import {
  type AttemptNote,
  type AttemptNotes,
  attemptId,
  type FoundAttempt,
  partsOfAttemptId,
  runningAttempts,
} from "../../../model/attempt.ts";
import type { Capture } from "../../../model/ports.ts";
import { isOpen, type Recording } from "../../../model/recording.ts";
import { sameTriplet } from "../../../model/service.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { DaemonDocument } from "../core/document.ts";
import { ENGINE_LIMITS } from "../core/limits.ts";
import type { Occurrence } from "../core/occurrence.ts";
import { recordingIndexOf } from "../core/recording-index.ts";

interface SurvivorParts {
  readonly store: { readonly current: DaemonDocument };
  readonly capture: Capture;
  readonly segmentFile: (attempt: string) => string;
  readonly notes: Pick<AttemptNotes, "all">;
  readonly aliveAt?: EpochMs | undefined;
}

type Started = Extract<Occurrence, { readonly kind: "started" }>;
type Unclaimed = NonNullable<Started["unclaimed"]>[number];

/** Finds the captures that survived the earlier run of the daemon, and what that run began without the document. */
export async function findSurvivors(parts: SurvivorParts): Promise<Started> {
  const running = await parts.capture.running();
  const unbegun = await findUnbegun(running, parts);
  const lost = await findLost(running, parts);
  return { kind: "started", running, unbegun, ...lost, aliveAt: parts.aliveAt };
}

/** The same for a node of the fleet that was without its leader. @param running unknown captures that run there */
export async function findOnNode(
  running: readonly string[],
  parts: Pick<SurvivorParts, "store" | "notes">,
): Promise<Extract<Occurrence, { readonly kind: "attempts-found" }>> {
  const there = new Set(running);
  const { found } = await findLost(there, parts);
  return { kind: "attempts-found", found, running: there };
}

/**
 * Attempts that the earlier run ordered and did not carry out. An attempt whose stream flowed had begun, wherever its
 * file is.
 */
async function findUnbegun(
  running: ReadonlySet<string>,
  { store, capture, segmentFile }: SurvivorParts,
): Promise<ReadonlySet<string>> {
  const { begun } = recordingIndexOf(store.current.recordings);
  const ids = begun.flatMap((recording) =>
    runningAttempts(recording)
      .filter(({ flowingAt }) => flowingAt === undefined)
      .map(({ number }) => attemptId(recording.id, number)),
  );
  const unbegun = new Set<string>();
  for (const id of ids) {
    if (!running.has(id) && !(await capture.hasBegun({ id, file: segmentFile(id) }))) unbegun.add(id);
  }
  return unbegun;
}

/**
 * Attempts that the document lacks, by the notes beside their segments. It was damaged, and is an earlier version now or a new
 * one, or a leader of a fleet went on without its database.
 */
async function findLost(
  running: ReadonlySet<string>,
  { store, notes }: Pick<SurvivorParts, "store" | "notes">,
): Promise<Required<Pick<Started, "found" | "unclaimed">>> {
  const found: FoundAttempt[] = [];
  const unclaimed: Unclaimed[] = [];
  for (const [id, { timerId, service, ...attempt }] of await notes.all()) {
    const { recordingId, number } = partsOfAttemptId(id);
    const recording = store.current.recordings[recordingId];
    const { length } = recording?.attempts ?? [];
    const isLater = number > length && number <= length + ENGINE_LIMITS.attemptsFoundMax;
    if (
      !Number.isInteger(number) ||
      !(isLater || isOnOther(recording, { number, ...attempt, runs: running.has(id) }))
    )
      continue;
    const one = { ...attempt, recordingId, number };
    if (recording === undefined) unclaimed.push({ ...one, timerId, service, runs: running.has(id) });
    else if (isOf(recording, { timerId, service })) found.push(one);
  }
  return { found, unclaimed };
}

/**
 * A node that had no leader gave its attempt the next number. An earlier leader may have given the same one to an attempt that did
 * not begin: the capture is the one of the note.
 */
function isOnOther(
  recording: Recording | undefined,
  { number, tunerId, runs }: Pick<FoundAttempt, "number" | "tunerId"> & { readonly runs: boolean },
): boolean {
  const known = recording?.attempts.find((attempt) => attempt.number === number);
  return runs && known !== undefined && known.endedAt === undefined && known.tunerId !== tunerId;
}

function isOf(recording: Recording, { timerId, service }: Pick<AttemptNote, "timerId" | "service">): boolean {
  const known = recording.service;
  return (
    isOpen(recording) && recording.timerId === timerId && known !== undefined && sameTriplet(known, service)
  );
}
