import type { Triplet } from "./service.ts";
import type { EpochMs } from "./time.ts";
import type { TunerId } from "./tuner.ts";

/** Uses of a tuner besides recording; a later one yields to an earlier one, and all yield to recordings. */
export const USES = ["view", "probe", "gathering"] as const;
export type Use = (typeof USES)[number];

export type LeaseId = string;

/** The right to use a tuner for one service, other than for a recording. It ends with the daemon. */
export interface Lease {
  readonly id: LeaseId;
  readonly use: Use;
  readonly tunerId: TunerId;
  readonly service: Triplet;
  readonly since: EpochMs;
  /** It ends at this instant at the latest. */
  readonly until: EpochMs;
}

export function isLower(use: Use, than: Use): boolean {
  return USES.indexOf(use) > USES.indexOf(than);
}
