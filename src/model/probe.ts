import type { ErrorCode } from "./errors.ts";
import type { ServiceFacts } from "./inspection.ts";
import type { MultiplexKey, Triplet, TripletKey } from "./service.ts";
import type { DurationMs } from "./time.ts";
import type { TunerId } from "./tuner.ts";

/** A service to test, on one tuner or on any that receives it. */
export interface ProbeOrder {
  readonly service: Triplet;
  readonly tunerId?: TunerId;
}

/** The result of receiving a service for some seconds. */
export interface ProbeReport {
  readonly tunerId: TunerId;
  readonly service: TripletKey;
  /** The time until the tuner had a source. */
  readonly openMs: DurationMs;
  /** The time until the first packet of picture or sound was on disk; absent if none came. */
  readonly payloadMs?: DurationMs;
  /** The multiplex and the service by the tables of the stream. */
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
  /** The reason why it is not received. */
  readonly failure?: { readonly code: ErrorCode; readonly text: string };
}
