import { SECOND } from "../../model/time.ts";

/** Limits of the event stream and of imports. */
export const API_LIMITS = {
  /** Listeners of events; a further one gets the place of one of the address with most, or none. */
  eventListeners: 50,
  /** A listener with more unread characters is disconnected. */
  eventBufferLength: 32 * 1024 * 1024,
  /** Past events for listeners that reconnect; a listener that missed more receives the whole state. */
  eventsKept: 500,
  /** Characters of the past events; beyond, the oldest is evicted. */
  eventsKeptLength: 4 * 1024 * 1024,
  /** The state is compared this often, for changes that nobody signalled. */
  eventLookMs: SECOND,
  /** A comparison waits this long for further changes, because changes come in bursts. */
  eventGatherMs: SECOND / 20,
  /** Each listener gets a sign of life this often. The dashboard reports a silent recorder after two and a half. */
  eventBeatMs: SECOND,
  /** Files of another recorder in one request. */
  importedAtOnce: 100,
  /** A longer id of another recorder is refused. */
  importedIdLength: 1000,
  /** A longer title, subtitle or channel name of another recorder is refused. */
  importedTitleLength: 1000,
  /** A longer description of another recorder is refused. */
  importedTextLength: 10_000,
  /** A longer path is refused, as by the system. */
  pathLength: 4096,
} as const;
