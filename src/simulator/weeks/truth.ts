import type { Clock } from "../../kit/time/clock.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { EpochMs } from "../../model/time.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import type { Air } from "./air.ts";
import type { Captures } from "./captures.ts";
import type { Guide } from "./guide.ts";
import type { Downtime, Machine } from "./machine.ts";
import type { Receivers } from "./receivers.ts";
import type { SimulatedFiles } from "./simulated-files.ts";

/** Times at which the daemon was off or asleep. */
export function downtimesOf({
  downtimes,
  machine,
}: Pick<Truth, "downtimes" | "machine">): readonly Downtime[] {
  return [...downtimes, ...machine.sleeps];
}

/** The true state of the world and the daemon's committed document, which the invariants compare. */
export interface Truth {
  readonly clock: Clock;
  readonly guide: Guide;
  readonly tuners: readonly TunerFacts[];
  readonly receivers: Receivers;
  readonly captures: Captures;
  readonly air: Air;
  readonly shelf: SimulatedFiles;
  readonly machine: Machine;
  readonly downtimes: readonly Downtime[];
  readonly document: () => DaemonDocument;
  /** The latest sign of life besides the document. */
  readonly aliveAt: () => EpochMs | undefined;
  readonly ledger: readonly LedgerFact[];
}
