import { DAY, HOUR, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of the engine's loops. */
export const RUNTIME_LIMITS = {
  /** Occurrences that wait for the engine; a further sender waits for room. */
  inboxSize: 10_000,
  /** Waits that end with the daemon, one for each running capture and loop; Node.js warns of a leak beyond. */
  signalListeners: 1000,
  /** A wall clock that differs by more from its expected time was set. */
  clockStepMs: SECOND / 2,
  /** A monotonic clock that stood still for longer means that the machine slept. */
  clockSleepMs: 2 * SECOND,
  /** A source's statement about the clock counts for this time; later steps are added to it. */
  clockHeardMs: 6 * HOUR,
  /** It counts for this time as one of two that agree: until then, an uptime counter drifts by less than the tolerance. */
  clockWitnessMs: 3 * DAY,
  /** An untrusted clock keeps recordings from ending for this time; then it is trusted nevertheless. */
  clockHoldMs: DAY,
  /** The kernel is asked this often whether NTP keeps its clock, and at once when the clock was set: each time, a program runs. */
  kernelClockLookMs: 10 * MINUTE,
  /** The kernel is asked this often while the clock is not trusted. */
  kernelClockDoubtMs: 5 * SECOND,
  /** Captures are made ready this long before a tuner opens: a process needs a second to start, even on a slow, busy machine. */
  captureAheadMs: 15 * SECOND,
  /** A closed segment is read again at this rate at most, so that captures have the disk when they need it. */
  closingReadBytesPerSecond: 200_000_000,
  /** A segment that changes while it is read is read this often; then closing is tried again later. */
  closingReads: 3,
  /** Programme data is requested until this long after the event: sidecars follow the guide. */
  programmeAfterMs: DAY,
  /** Recordings whose repeats are searched for at once; the earliest come first. */
  repeatsWanted: 50,
  /** Repeats of a lost recording are searched for this time. */
  repeatsAfterMs: 14 * DAY,
  /** Tuners in use report their reception this long after all have answered. */
  receptionLookMs: 15 * SECOND,
  /** The daemon tries this often to connect to a tuner's server that was unreachable. */
  serverLookMs: SECOND,
  /** A tuner's server that did not list its services is asked again after this time, which doubles each time. */
  askAgainMsMin: 5 * SECOND,
  /** The longest time between requests for a server's services. */
  askAgainMsMax: 2 * MINUTE,
  /** Another use has this long to release a tuner that a recording needs; then the recording opens it. */
  evictMs: 2 * SECOND,
} as const;
