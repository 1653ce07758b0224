import type { AnnouncedEvent } from "./inspection.ts";
import type { Triplet } from "./service.ts";
import type { Window } from "./window.ts";

/** A part of one service's EIT: the events that begin in a span that was read completely. */
export interface GuideBlock {
  /** Absent: there may be other events around these. */
  readonly span?: Window;
  readonly events: readonly AnnouncedEvent[];
}

export interface GuideService {
  readonly triplet: Triplet;
  /** Empty if no SDT names it. */
  readonly name: string;
  /** Its events were read from its own stream, not from the tables of another one. */
  readonly isReceived: boolean;
  /** Earlier blocks are more exact: a later block has an event as the earlier one had it. */
  readonly blocks: readonly GuideBlock[];
}

/** The content of event tables, for the services of their own stream and of other streams. */
export interface BroadcastGuide {
  /** Those that have events, by triplet. */
  readonly services: readonly GuideService[];
  /** The events of all services, by service and start; each once. */
  readonly events: readonly AnnouncedEvent[];
}
