import type { LogLine } from "../kit/log.ts";
import type { JobView } from "../model/job.ts";
import type { LedgerFact } from "../model/ledger.ts";
import type { LibraryEntry } from "../model/library.ts";
import type { ProbeOrder, ProbeReport } from "../model/probe.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { EpochMs } from "../model/time.ts";
import type { Difference, Unknown, WhatIf } from "../model/what-if.ts";
import type { Events } from "./events.ts";

/** What people may see of the daemon and ask of it; refusals are RecorderdErrors. */
export interface DaemonFace {
  snapshot(): Snapshot;
  /** Asks the guide service for its timers at once. */
  syncNow(): void;
  /** Has the plan looked at anew. */
  replan(): Promise<void>;
  /** What the plan would do otherwise. */
  whatIf(change: WhatIf): Promise<Difference | Unknown>;
  /** Tries whether a service is received. @throws RecorderdError why it is not tried now */
  probe(order: ProbeOrder): Promise<ProbeReport>;
  /** What happened to a timer; no facts where the ledger knows none. */
  history(timerId: string): Promise<History>;
  /** The latest lines of the log, the oldest first. */
  logLines(): readonly LogLine[];
  readonly library: LibraryFace;
  readonly events: Pick<Events, "listen">;
  /** Why it cannot do its work now; absent where it can. */
  unready(): string | undefined;
}

export interface History {
  readonly title?: string;
  readonly verdict?: string;
  readonly lines: readonly { readonly at: EpochMs; readonly text: string }[];
  readonly facts: readonly LedgerFact[];
}

/** What people may see of the library and ask of it. */
export interface LibraryFace {
  /** Deleted ones included, as long as they are remembered. */
  entries(): readonly LibraryEntry[];
  jobs(): readonly JobView[];
  mark(id: string, flags: Flags): Promise<LibraryEntry>;
  remove(id: string): Promise<LibraryEntry>;
}

export interface Flags {
  readonly protected?: boolean;
  readonly watched?: boolean;
}
