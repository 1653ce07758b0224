import { DAY, MINUTE, SECOND } from "../../model/time.ts";

/** Limits of a fleet. */
export const FLEET_LIMITS = {
  /** A leader that does not renew its lease for this time, by the clock of the node that waits, is replaced. */
  leaseMs: 5 * SECOND,
  /** A drained node waits longer, so that another one takes the lead first. */
  drainedLeaseMs: 8 * SECOND,
  /** A node that was seen within this time could take the lead. */
  ableMs: 3 * SECOND,
  /** The leader renews its lease this often. */
  renewMs: SECOND,
  /** The other nodes check the lease this often. */
  lookMs: SECOND / 2,
  /** Checks of the lease that are further apart prove nothing about the time between them. */
  lookGapMs: 2 * SECOND,
  /** A node that was not seen for this time is forgotten. */
  nodeForgottenMs: 30 * DAY,
  /** Batches of facts in the ledger; the oldest are removed. */
  ledgerBatches: 200_000,
} as const;

/** Limits of the orders that a leader gives to other nodes. */
export const NODE_LIMITS = {
  /** Nodes that a leader uses. */
  nodes: 64,
  /** Connections to one node at a time; a further one gets the place of one of the address with most, or none. */
  connections: 200,
  /** Connections of one address to one node at a time; a further one is closed. */
  connectionsOfAddress: 100,
  /** A connection without a complete request after this time is ended. */
  requestMs: 10 * SECOND,
  /** A longer message ends the connection. One with all tuners of a node and their services has a few megabytes at most. */
  messageLength: 32 * 1024 * 1024,
  /** A node sends a sign of life this often. */
  aliveMs: SECOND,
  /** A node that is silent for this time is lost. */
  silentMs: 3 * SECOND,
  /** Silence counts only while the leader checks at least this often: the leader may have been paused itself. */
  lookGapMs: SECOND,
  /** The leader checks this often whether a node is silent. */
  lookMs: SECOND / 4,
  /** A connection to a node that takes longer has failed. */
  connectMs: 2 * SECOND,
  /** After a failed connection or order, the leader tries again after this time. */
  connectAgainMs: SECOND / 2,
  /** A new leader waits this long for the nodes whose captures it adopts. */
  adoptMs: 3 * SECOND,
  /** A capture of a node that was lost goes on so long for want of another. */
  replaceMs: 30 * SECOND,
  /** An order without an answer after this time has failed. The opening of a tuner has the deadline of the tuner. */
  answerMs: 10 * SECOND,
  /** Recordings in a node's part of the plan; later ones are left out. */
  part: 1000,
  /** A node without a leader for this time carries out its part of the plan by itself. */
  aloneMs: 10 * SECOND,
  /** It tries a recording that cannot begin again after this time. */
  aloneAgainMs: 5 * SECOND,
  /** Connections without the secret are warned of this often. */
  warnAgainMs: 10 * SECOND,
  /** Bytes of a file that are read at once for another node. */
  fileReadBytes: 256 * 1024,
  /** A node looks this often whether a segment has grown that it sends. */
  followMs: SECOND / 5,
  /** A longer path of a file is refused. */
  pathLength: 4096,
  /** Only so much of the log of another node's capture is kept. */
  textBytes: 1024 * 1024,
  /** A recording that has ended waits this long for the rest of a segment on a node that is away. */
  restMs: 15 * MINUTE,
  /** Finished recordings of another node that could not be brought are tried again after this time. */
  bringAgainMs: 30 * SECOND,
  /** The home takes the lead back when it has stood by for this time. */
  homeBackMs: 30 * SECOND,
  /** A node that stands by reads its servers and channel lists again this often: their services may have changed. */
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
