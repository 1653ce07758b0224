import { DAY, SECOND } from "../../model/time.ts";

/** Limits of a fleet. */
export const FLEET_LIMITS = {
  /** A leader whose lease is not renewed for so long, by the clock of the node that waits, is replaced. */
  leaseMs: 5 * SECOND,
  /** The leader renews its lease this often. */
  renewMs: SECOND,
  /** The others look at the lease this often. */
  lookMs: SECOND / 2,
  /** Looks further apart than this prove nothing about the time between them. */
  lookGapMs: 2 * SECOND,
  /** A node that was not seen for so long is forgotten. */
  nodeForgottenMs: 30 * DAY,
  /** Batches of facts in the ledger; the oldest are removed. */
  ledgerBatches: 200_000,
} as const;

/** Limits of the connections that store the state. */
export const STATE_CONNECTION_LIMITS = {
  /** Connections of one node. */
  databaseConnections: 3,
  /** A connection that takes longer has failed. */
  databaseConnectMs: 5 * SECOND,
  /** A statement that takes longer is ended, and tried again. */
  databaseStatementMs: 20 * SECOND,
  /** Waiting for another transaction that takes longer ends the statement. */
  databaseLockMs: 5 * SECOND,
} as const;

/** Limits of the connection that renews the lease: it must fail while there is time for another try. */
export const LEASE_CONNECTION_LIMITS = {
  /** Connections of one node. */
  databaseConnections: 1,
  /** A connection that takes longer has failed. */
  databaseConnectMs: 2 * SECOND,
  /** A statement that takes longer is ended, and tried again. */
  databaseStatementMs: 2 * SECOND,
  /** Waiting for another transaction that takes longer ends the statement. */
  databaseLockMs: 2 * SECOND,
} as const;
