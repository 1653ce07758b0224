import type { ToldEvent } from "./inspection.ts";
import type { Triplet } from "./service.ts";
import type { Window } from "./window.ts";

/** Part of what is told of a service: the events that begin in a span of time of which everything was read. */
export interface GuideBlock {
  /** Absent: whether there are others around these events is not known. */
  readonly span?: Window;
  readonly events: readonly ToldEvent[];
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

/** What event tables tell, of the services of their own streams and of those of others. */
export interface BroadcastGuide {
  /** Those that have events, by triplet. */
  readonly services: readonly GuideService[];
  /** Of all of them, by service and start; each event once. */
  readonly events: readonly ToldEvent[];
}
