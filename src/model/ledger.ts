import type { Facts } from "./errors.ts";
import type { RecordingId } from "./recording.ts";
import type { EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";

/** One line of the ledger: an event in the life of a timer, by a fixed name and facts. */
export interface LedgerFact {
  readonly at: EpochMs;
  readonly fact: string;
  readonly timerId?: TimerId;
  readonly recordingId?: RecordingId;
  readonly facts?: Facts;
}
