import type { ErrorCode } from "./errors.ts";
import type { ServiceFacts } from "./inspection.ts";
import type { MultiplexKey, Triplet, TripletKey } from "./service.ts";
import type { DurationMs } from "./time.ts";
import type { TunerId } from "./tuner.ts";

/** A service to try, on a named tuner or on any that receives it. */
export interface ProbeOrder {
  readonly service: Triplet;
  readonly tunerId?: TunerId;
}

/** The result of receiving a service for some seconds. */
export interface ProbeReport {
  readonly tunerId: TunerId;
  readonly service: TripletKey;
  /** Until the tuner had a source to read. */
  readonly openMs: DurationMs;
  /** Until the first packet of picture or sound was on disk; absent where none came. */
  readonly payloadMs?: DurationMs;
  /** The multiplex and the service, as the stream names them. */
  readonly multiplex?: MultiplexKey;
  readonly tables?: ServiceFacts;
  /** The present event, from the stream's own EIT. */
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
