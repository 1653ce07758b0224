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
  /** The event; of a running or late recording, the rest of it. */
  readonly event: Window;
  /** With padding; contains the event. */
  readonly window: Window;
  readonly priority: number;
  /** Its beginning is already lost: it cannot be whole any more. */
  readonly isLate: boolean;
  /** It still counts as whole if this much is missing because its event touches another one on its tuner. */
  readonly lateMs: DurationMs;
  /** A running recording stays on its tuner until its event ends. */
  readonly runningOnTuner?: TunerId;
  /** The tuner of the previous plan: kept if no other one is better. */
  readonly previousTuner?: TunerId;
  /** Tuners that recently failed this recording, the latest last: used only if no other is free. */
  readonly avoid: readonly TunerId[];
  /** Weakness of the reception of its multiplex by tuner, 1 to 3; other tuners receive it well. */
  readonly weak?: Readonly<Record<TunerId, number>>;
  /** It is over: only a repeat can be recorded. */
  readonly isLost?: true;
  /** It belongs to an earlier link of the chain: here it only holds its tuner until its event ends. */
  readonly isHeld?: true;
  /** Coming broadcasts of the same episode, the soonest first. */
  readonly repeats?: readonly RepeatRequest[];
}

/** A repeat, and its window with the recording's padding. */
export interface RepeatRequest {
  readonly repeat: Repeat;
  readonly window: Window;
}

/** A recording that holds a tuner while another one would need it. */
export interface Holder {
  readonly recordingId: RecordingId;
  readonly tunerId: TunerId;
}

export interface Placed {
  readonly kind: "placed";
  readonly recordingId: RecordingId;
  readonly tunerId: TunerId;
  /** The recorded span; shorter than the window if padding has to yield. */
  readonly span: Window;
  /** The start of the recorded part of the event: after the event's start if the event cannot be whole. */
  readonly begin: EpochMs;
  /** The event begins late by this much at most, because the tuner changes its multiplex first. */
  readonly seamMs: DurationMs;
  /** It is on a tuner that does not work: it is tried, but does not count as recorded. */
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
      /** Those of `loses` that are still recorded in part. Absent if there are none. */
      readonly partly?: readonly RecordingId[];
    }
  | { readonly kind: "withdraw"; readonly recordingId: RecordingId; readonly other: RecordingId }
  | { readonly kind: "add-tuner"; readonly recordingId: RecordingId; readonly like: TunerId }
  /** No single change would help. */
  | { readonly kind: "none"; readonly recordingId: RecordingId }
  /** A repeat would be recorded whole, and no other recording gets less. */
  | { readonly kind: "repeat"; readonly recordingId: RecordingId; readonly repeat: Repeat };

/** The value of a plan, in the order of its aims; compared term by term, more is better. */
export interface Worth {
  /** The priorities, the highest first. For each: `whole` events, and milliseconds of the others. */
  readonly priorities: readonly number[];
  readonly whole: readonly number[];
  readonly partMs: readonly DurationMs[];
  /** Milliseconds of events on tuners that do not work, each times its priority plus one. */
  readonly hope: number;
  /** 0 or less: penalties for tuners that recently failed the recording. */
  readonly avoided: number;
  /** 0 or less: the weakness of each reception, times the priority plus one. */
  readonly weak: number;
  readonly paddingMs: DurationMs;
  readonly stayed: number;
  /** 0 or less. */
  readonly tunings: number;
  /** 0 or less: the sum of the tuners' positions in the configuration. */
  readonly order: number;
}

/** The proof of one group's plan. */
export interface Proof {
  readonly recordingIds: readonly RecordingId[];
  /** The aims that no plan can beat: all, those up to padding, whole events and minutes of the others, or none. */
  readonly proven: "all" | "padding" | "events" | "none";
  readonly worth: Worth;
  /** A thread still looks for a better plan and for remedies. */
  readonly provisional?: boolean;
  /** If nothing is proven: no plan records more whole events than this, by priority. */
  readonly wholeAtMost?: readonly number[];
}

/** Recordings that are planned together and compete with no others. The same object while nothing in it changes. */
export interface Part {
  readonly requests: readonly PlanRequest[];
  /** Empty while it waits to be planned. */
  readonly placements: readonly Placement[];
  readonly remedies: readonly Remedy[];
  /** The links before and after it in a chain, whose recordings may hold tuners that it needs. */
  readonly beside?: readonly Pick<Part, "requests" | "placements">[];
}

export interface Plan {
  /** One for each group of competing recordings. */
  readonly parts: readonly Part[];
  /** Running recordings on tuners that are no longer configured. */
  readonly apart: Part;
  /** Recordings far ahead may be missing for a moment if many are new at once. */
  readonly placements: readonly Placement[];
  /** For recordings that are not whole, the least first. */
  readonly remedies: readonly Remedy[];
  readonly groups: readonly Proof[];
}

/** A recording that gets less than its whole event, or nothing. */
export interface Lack {
  readonly recordingId: RecordingId;
  /** The holder of each tuner that could receive it; empty if no tuner can, or if only its beginning is past. */
  readonly holders: readonly Holder[];
  /** The least first. */
  readonly remedies: readonly Remedy[];
}

/** The plan of all coming and running recordings, for people. */
export interface PlanFacts {
  readonly placements: readonly Placement[];
  readonly conflicts: readonly Lack[];
  /** The value and the proof of each group's plan. */
  readonly groups: readonly Proof[];
}
