import { attemptId, runningAttempts } from "../../../model/attempt.ts";
import type { Capture } from "../../../model/ports.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { Occurrence } from "../core/occurrence.ts";
import { recordingIndexOf } from "../core/recording-index.ts";

interface SurvivorParts {
  readonly store: { readonly current: DaemonDocument };
  readonly capture: Capture;
  readonly segmentFile: (attempt: string) => string;
  readonly aliveAt?: EpochMs | undefined;
}

type Started = Extract<Occurrence, { readonly kind: "started" }>;

/** Finds the captures that survived the earlier run of the daemon. */
export async function findSurvivors(parts: SurvivorParts): Promise<Started> {
  const running = await parts.capture.running();
  const unbegun = await findUnbegun(running, parts);
  return { kind: "started", running, unbegun, aliveAt: parts.aliveAt };
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
