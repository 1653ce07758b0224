import type { LedgerFact } from "../../model/ledger.ts";
import type { ReadLedger } from "./state-store.ts";

/** Facts that concern every timer: why nothing happened, or at another time. */
const OF_THE_RECORDER = new Set(["started", "asleep", "clock-set", "clock-not-trusted", "clock-trusted"]);

/** All facts of a timer, including those under its earlier ids, and the recorder's own facts of that time. */
export async function factsAbout(read: ReadLedger, timerId: string): Promise<readonly LedgerFact[]> {
  const recordings = new Set<string>();
  const span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const isAbout = (fact: LedgerFact) =>
    fact.timerId === timerId || (fact.recordingId !== undefined && recordings.has(fact.recordingId));
  for await (const { recordingId } of read({ timerId })) {
    if (recordingId !== undefined) recordings.add(recordingId);
  }
  const found: LedgerFact[] = [];
  for await (const fact of read()) {
    if (!isAbout(fact) && !OF_THE_RECORDER.has(fact.fact)) continue;
    found.push(fact);
    if (!isAbout(fact)) continue;
    span.from = Math.min(span.from, fact.at);
    span.to = Math.max(span.to, fact.at);
  }
  return found.filter((fact) => isAbout(fact) || (fact.at >= span.from && fact.at <= span.to));
}

export async function hasHistory(read: ReadLedger): Promise<boolean> {
  for await (const _fact of read()) return true;
  return false;
}
