import type { RecordingId } from "./recording.ts";
import type { Repeat } from "./repeat.ts";
import type { Triplet } from "./service.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { TunerId } from "./tuner.ts";
import type { Window } from "./window.ts";

/** A recording's request for a tuner. */
export interface PlanRequest {
  readonly recordingId: RecordingId;
  readonly service: Triplet;
  /** The part that matters most: of a running or late recording, the rest of the event. */
  readonly event: Window;
  /** With padding; contains the event. */
  readonly window: Window;
  readonly priority: number;
  /** Its beginning is lost already: it cannot be whole any more. */
  readonly isLate: boolean;
  /** So much may be missing where the event touches another one on its tuner, and it still counts as whole. */
  readonly lateMs: DurationMs;
  /** A recording that runs stays where it is, and is not ended before its event is. */
  readonly runningOnTuner?: TunerId;
  /** The tuner of the last plan: kept where it is as good as any other. */
  readonly previousTuner?: TunerId;
  /** Tuners that failed this recording lately, the latest last: taken only where no other is free. */
  readonly avoid: readonly TunerId[];
  /** How weakly tuners receive its multiplex, from 1 on; those that are not named receive it well. */
  readonly weak?: Readonly<Record<TunerId, number>>;
  /** It is over, and wants nothing but to be recorded at one of its repeats. */
  readonly isLost?: true;
  /** It belongs to an earlier link of the chain: here it only holds its tuner, until its event is over. */
  readonly isHeld?: true;
  /** Other broadcasts of the same episode that are still to come, the soonest first. */
  readonly repeats?: readonly RepeatRequest[];
}

/** A repeat, and its window with the padding that the recording has. */
export interface RepeatRequest {
  readonly repeat: Repeat;
  readonly window: Window;
}

/** A recording that holds a tuner in a window in which another one would need it. */
export interface Holder {
  readonly recordingId: RecordingId;
  readonly tunerId: TunerId;
}

export interface Placed {
  readonly kind: "placed";
  readonly recordingId: RecordingId;
  readonly tunerId: TunerId;
  /** The span that is recorded; shorter than the window where padding had to yield. */
  readonly span: Window;
  /** When the event begins to be recorded: later than it begins where it cannot be whole. */
  readonly begin: EpochMs;
  /** The tuner changes its multiplex in the event's own time: by so much it begins late at most. */
  readonly seamMs: DurationMs;
  /** On a tuner that does not work: tried, and not counted on. */
  readonly isHope?: true;
}

export interface Unplaced {
  readonly kind: "conflict";
  readonly recordingId: RecordingId;
  /** No configured tuner can receive the service at all. */
  readonly capable: boolean;
}

export type Placement = Placed | Unplaced;

/** A change that would make a recording whole; found by planning again with it. */
export type Remedy =
  | {
      readonly kind: "raise-priority";
      readonly recordingId: RecordingId;
      readonly to: number;
      readonly loses: readonly RecordingId[];
      /** Those of `loses` that are still recorded in part. Absent where none is. */
      readonly partly?: readonly RecordingId[];
    }
  | { readonly kind: "withdraw"; readonly recordingId: RecordingId; readonly other: RecordingId }
  | { readonly kind: "add-tuner"; readonly recordingId: RecordingId; readonly like: TunerId }
  /** Nothing of the above would help alone. */
  | { readonly kind: "none"; readonly recordingId: RecordingId }
  /** Recorded at another broadcast of it, and nobody else loses by that. */
  | { readonly kind: "repeat"; readonly recordingId: RecordingId; readonly repeat: Repeat };

/** How good a plan is, in the order of its aims; compared term by term, more is better. */
export interface Worth {
  /** Whole events per priority, the highest first; events recorded in part, in milliseconds, likewise. */
  readonly priorities: readonly number[];
  readonly whole: readonly number[];
  readonly partMs: readonly DurationMs[];
  /** Milliseconds of events on tuners that are not counted on, each times its priority and one. */
  readonly hope: number;
  /** 0 or less: the failures, counted by rank, of tuners that had to be taken again. */
  readonly avoided: number;
  /** 0 or less: how weak the reception is that recordings get, each times its priority and one. */
  readonly weak: number;
  readonly paddingMs: DurationMs;
  readonly stayed: number;
  /** 0 or less. */
  readonly tunings: number;
  /** 0 or less: the places of the tuners in the configuration, added up. */
  readonly order: number;
}

/** The known bounds on the quality of one group's plan. */
export interface Proof {
  readonly recordingIds: readonly RecordingId[];
  /** All aims, or those up to padding only, or whole events and minutes of the others only, or none. */
  readonly proven: "all" | "padding" | "events" | "none";
  readonly worth: Worth;
  /** A better plan and what would help are being looked for beside the loop. */
  readonly provisional?: boolean;
  /** An upper bound where nothing is proven: no plan records more whole events, per priority. */
  readonly wholeAtMost?: readonly number[];
}

/** Recordings that are planned together: nobody outside competes with anybody inside. The same object while nothing in it changes. */
export interface Part {
  readonly requests: readonly PlanRequest[];
  /** None where it waits to be planned. */
  readonly placements: readonly Placement[];
  readonly remedies: readonly Remedy[];
  /** The links before and after it in a chain, whose recordings may be in its way. */
  readonly beside?: readonly Pick<Part, "requests" | "placements">[];
}

export interface Plan {
  /** One for each group that competes. */
  readonly parts: readonly Part[];
  /** Recordings that compete with nobody. */
  readonly apart: Part;
  /** Recordings far ahead may be missing for a moment, where many are new at once. */
  readonly placements: readonly Placement[];
  /** For recordings that are not whole, the least first. */
  readonly remedies: readonly Remedy[];
  readonly groups: readonly Proof[];
}

/** A recording that gets less than its whole event, or nothing. */
export interface Lack {
  readonly recordingId: RecordingId;
  /** The holder of each tuner that could receive it; empty where no tuner can, or where only its beginning is past. */
  readonly holders: readonly Holder[];
  /** The least first. */
  readonly remedies: readonly Remedy[];
}

/** The plan of all that is to come or runs, as people see it. */
export interface PlanFacts {
  readonly placements: readonly Placement[];
  readonly conflicts: readonly Lack[];
  /** Per group of recordings that compete, how good its plan is and how sure that is. */
  readonly groups: readonly Proof[];
}
