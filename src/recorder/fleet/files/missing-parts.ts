import { attemptId } from "../../../model/attempt.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Recording } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";
import { exists } from "../../capture/storage.ts";
import { NODE_LIMITS } from "../limits.ts";
import type { Collector } from "./collector.ts";
import { whoHasRest } from "./file-copy.ts";

/** Another node, as the leader of a fleet without a shared folder sees it. */
export interface PartHolder {
  readonly name: string;
  /** Absent: no connection. */
  readonly collector?: Collector | undefined;
  /** By its row in the database: it has segments, or recordings, that the home has not. */
  readonly keeps: boolean;
}

export interface PartsParts {
  readonly segmentFile: (attemptId: string) => string;
  readonly holders: () => readonly PartHolder[];
  readonly now: () => EpochMs;
}

/**
 * Waits until all that other nodes have of a recording is here.
 *
 * @throws RecorderdError NODE_AWAY if a node that has a part is away: for a while if the beginning of the part is here,
 *   else until the node is back, or forgotten; as `Collector.arrived`; the signal's reason
 */
export async function waitForParts(
  { id: recordingId, attempts, window }: Pick<Recording, "id" | "attempts" | "window">,
  { segmentFile, holders, now }: PartsParts,
  signal: AbortSignal,
): Promise<void> {
  const isLate = now() >= window.stop + NODE_LIMITS.restMs;
  for (const { number, flowingAt } of attempts) {
    const id = attemptId(recordingId, number);
    for (const { collector } of holders()) await collector?.arrived(id);
    signal.throwIfAborted();
    const file = segmentFile(id);
    const rest = await whoHasRest(file);
    const isKnown = holders().some(({ name }) => name === rest);
    if (rest !== undefined && isKnown && !isLate) throw away(rest);
    if (rest !== undefined || flowingAt === undefined || (await exists(file))) continue;
    const holder = holders().find(({ collector, keeps }) => keeps && collector === undefined);
    if (holder !== undefined) throw away(holder.name);
  }
}

function away(node: string): RecorderdError {
  const text = `Node ${node} has a part of the recording, and is away: start that machine. If it never comes back: recorderd fleet forget ${node}`;
  return new RecorderdError("NODE_AWAY", text, { node });
}
