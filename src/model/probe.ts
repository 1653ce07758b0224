import type { ErrorCode } from "./errors.ts";
import type { ServiceFacts } from "./inspection.ts";
import type { MultiplexKey, Triplet, TripletKey } from "./service.ts";
import type { DurationMs } from "./time.ts";
import type { TunerId } from "./tuner.ts";

/** What is tried: a service, on a tuner that is named or on any that receives it. */
export interface ProbeOrder {
  readonly service: Triplet;
  readonly tunerId?: TunerId;
}

/** What was received when a service was tried for some seconds. */
export interface ProbeReport {
  readonly tunerId: TunerId;
  readonly service: TripletKey;
  /** Until the tuner had a source to read. */
  readonly openMs: DurationMs;
  /** Until the first packet of picture or sound was on disk; absent where none came. */
  readonly payloadMs?: DurationMs;
  /** What the stream says of itself: what it is part of, and the service with its streams. */
  readonly multiplex?: MultiplexKey;
  readonly tables?: ServiceFacts;
  /** What is on now, by its own table. */
  readonly present?: string;
  /** By the stream's own clock. */
  readonly streamMs: DurationMs;
  readonly bytes: number;
  readonly packets: number;
  readonly continuityErrors: number;
  readonly transportErrors: number;
  readonly scrambledPackets: number;
  /** Why it is not received. */
  readonly failure?: { readonly code: ErrorCode; readonly text: string };
}
