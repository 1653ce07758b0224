import type { RecordingId } from "./recording.ts";
import type { Triplet } from "./service.ts";
import type { EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";
import type { TunerId } from "./tuner.ts";
import type { Window } from "./window.ts";

/** A coming or running recording of the plan, with all that another node needs to record it without the leader. */
export interface PlannedCapture {
  readonly recordingId: RecordingId;
  readonly timerId: TimerId;
  readonly service: Triplet;
  readonly channelName: string;
  readonly tunerId: TunerId;
  /** The number of the next attempt. */
  readonly attempt: number;
  /** From the first to the last instant of its captures. */
  readonly span: Window;
  /** A capture that nobody ends stops then. */
  readonly endsBy: EpochMs;
}

/** A finished recording of the library; absolute paths. */
export interface FinishedFiles {
  readonly file: string;
  /** Files that may be beside it. */
  readonly beside: readonly string[];
}

/** The library of a leader, for the recordings that other nodes have. */
export interface FleetLibrary {
  readonly finished: () => readonly FinishedFiles[];
  /** Gives the copy of a finished recording, or of a file beside it, its place. @returns false if another file has it */
  readonly takeIn: (partial: string, file: string) => Promise<boolean>;
}

/** The daemon of a leader, as its connections to the other nodes see it. */
export interface FleetFollower {
  /** Called when the tuners of other nodes have changed, before captures there end. */
  onTuners(): void;
  planned(): readonly PlannedCapture[];
  /** Whether the document has the attempt, by its id. */
  knows(attemptId: string): boolean;
  /**
   * Takes up what a node has recorded without its leader.
   *
   * @param running unknown captures that run there
   * @returns those that go on; the caller ends the others. Never rejects
   */
  claim(running: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether the end of a capture that is over for the document loses nothing: another attempt has taken its place, or its time is over. */
  isReplaced(attemptId: string): boolean;
  /** Whether the recording of an attempt is closed: what is left of the attempt is not needed. */
  isClosed(attemptId: string): boolean;
  /** Absent: the nodes share a folder. */
  readonly library?: FleetLibrary;
}
