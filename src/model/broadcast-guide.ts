import type { AnnouncedEvent } from "./inspection.ts";
import type { Triplet } from "./service.ts";
import type { Window } from "./window.ts";

/** A part of one service's EIT: the events that begin in a span that was read completely. */
export interface GuideBlock {
  /** Absent: whether there are others around these events is not known. */
  readonly span?: Window;
  readonly events: readonly AnnouncedEvent[];
}

export interface GuideService {
  readonly triplet: Triplet;
  /** Empty where no SDT names it. */
  readonly name: string;
  /** It is of the stream that was read, not of another that this one tells of. */
  readonly isReceived: boolean;
  /** Sooner ones are more exact: a later block has of an event what the sooner said. */
  readonly blocks: readonly GuideBlock[];
}

/** The content of event tables, for the services of their own stream and of other streams. */
export interface BroadcastGuide {
  /** Those that have events, by triplet. */
  readonly services: readonly GuideService[];
  /** The events of all services, by service and start; each once. */
  readonly events: readonly AnnouncedEvent[];
}
