import { DAY, MINUTE, SECOND } from "../../model/time.ts";

/** Limits of a fleet. */
export const FLEET_LIMITS = {
  /** A leader whose lease is not renewed for so long, by the clock of the node that waits, is replaced. */
  leaseMs: 5 * SECOND,
  /** A drained node waits longer, so that another one takes the lead first. */
  drainedLeaseMs: 8 * SECOND,
  /** A node that was seen within this time could take the lead. */
  ableMs: 3 * SECOND,
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

/** Limits of the orders that a leader gives to other nodes. */
export const NODE_LIMITS = {
  /** Nodes that a leader uses. */
  nodes: 64,
  /** Connections to one node at a time. */
  connections: 20,
  /** A connection that says nothing for so long before its first order is ended. */
  requestMs: 10 * SECOND,
  /** A message with all tuners of a node, and what they receive, has a few megabytes at most. */
  messageLength: 32 * 1024 * 1024,
  /** A node shows this often that it lives. */
  aliveMs: SECOND,
  /** A node that is silent for so long is lost. */
  silentMs: 3 * SECOND,
  /** Silence counts only while the leader itself looks this often: it may have been paused. */
  lookGapMs: SECOND,
  /** The leader looks this often. */
  lookMs: SECOND / 4,
  /** Time for a connection, and between two tries. */
  connectMs: 2 * SECOND,
  connectAgainMs: SECOND / 2,
  /** A new leader waits so long for the nodes whose captures it adopts. */
  adoptMs: 3 * SECOND,
  /** Time for the answer to an order; a tuner may take longer to open. */
  answerMs: 10 * SECOND,
  /** A node reads its servers and channel lists again this often, for what they name meanwhile. */
  lookAgainMs: 15 * MINUTE,
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
