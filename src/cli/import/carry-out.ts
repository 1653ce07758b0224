import type { ImportPlan } from "../../migration/plan.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { ImportOrder, ImportResult } from "../../model/imported.ts";
import { SECOND } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import type { CliIo } from "../io.ts";

/** Counts of the things that came. A thing that the daemon or its guide refused has its name and a sentence. */
export interface Outcome {
  readonly recordings: number;
  readonly timers: number;
  readonly rules: number;
  readonly refused: readonly Refused[];
}

export interface Refused {
  readonly kind: "recording" | "timer" | "rule";
  readonly name: string;
  readonly why: string;
}

/** A request to the daemon has room for 64 KiB. */
const REQUEST_BYTES = 48 * 1024;
const REQUEST_ORDERS = 100;
/** A rule is answered with its preview. */
const PATIENCE_MS = 60 * SECOND;

/** Orders all that is new at the daemon. What it refuses holds up nothing else. */
export async function carryOut(
  socket: string,
  plan: ImportPlan,
  io: Pick<CliIo, "clock" | "signal" | "transient">,
): Promise<Outcome> {
  const refused: Refused[] = [];
  const post = <T>(path: string, body: object) =>
    askDaemon<T>(socket, { method: "POST", path, body, patienceMs: PATIENCE_MS }, io);

  /** @returns whether it was done */
  async function done({ kind, name }: Omit<Refused, "why">, work: () => Promise<unknown>): Promise<boolean> {
    try {
      io.transient?.(`${kind} ${name}`);
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      refused.push({ kind, name, why: error.message });
      return false;
    }
  }

  const counts = { recordings: 0, timers: 0, rules: 0 };
  for (const recordings of batches(plan.recordings.flatMap(({ orders }) => orders))) {
    const results = await post<readonly ImportResult[]>("/v1/import/recordings", { recordings });
    for (const [at, result] of results.entries()) {
      if (result.result === "added") counts.recordings += 1;
      if (result.result === "refused")
        refused.push({ kind: "recording", name: recordings[at]?.title ?? result.id, why: result.why });
    }
  }
  for (const { of, fate, showId } of plan.timers) {
    if (fate.is !== "new" || showId === undefined) continue;
    const { title, beforeMinutes, afterMinutes } = of;
    const body = { showId, ...withoutUndefined({ beforeMinutes, afterMinutes }) };
    if (await done({ kind: "timer", name: title }, () => post("/v1/timers", body))) counts.timers += 1;
  }
  for (const { fate, order } of plan.rules) {
    if (fate.is !== "new" || order === undefined) continue;
    if (await done({ kind: "rule", name: order.name }, () => post("/v1/rules", order))) counts.rules += 1;
  }
  io.transient?.("");
  return { ...counts, refused };
}

/** Groups that fit into one request each. */
function batches(orders: readonly ImportOrder[]): readonly (readonly ImportOrder[])[] {
  const groups: ImportOrder[][] = [];
  let room = 0;
  for (const order of orders) {
    const bytes = Buffer.byteLength(JSON.stringify(order));
    const last = groups.at(-1);
    if (last === undefined || bytes > room || last.length >= REQUEST_ORDERS) {
      groups.push([order]);
      room = REQUEST_BYTES - bytes;
    } else {
      last.push(order);
      room -= bytes;
    }
  }
  return groups;
}
