import type { Repeat } from "./repeat.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { Window } from "./window.ts";

/** A recording that holds a tuner, by its title: it may be gone when somebody reads this. */
export interface NamedHolder {
  readonly tunerId: string;
  readonly name: string;
  readonly window: Window;
}

/** A remedy with the titles of the recordings that it concerns. */
export type NamedRemedy =
  | { readonly kind: "withdraw"; readonly name: string }
  | { readonly kind: "raise-priority"; readonly to: number; readonly loses: readonly string[] }
  | { readonly kind: "add-tuner"; readonly like: string }
  | { readonly kind: "none" }
  | { readonly kind: "repeat"; readonly repeat: NamedRepeat };

/** Another broadcast, for people. */
export type NamedRepeat = Pick<Repeat, "event" | "channelName">;

/** Why a recording has no tuner in the plan, and the cheapest remedy. */
export interface ConflictNews {
  readonly holders: readonly NamedHolder[];
  readonly remedy?: NamedRemedy;
}

/** The parts that the plan does not record, and for whom. */
export type TrimNews =
  | { readonly kind: "beginning"; readonly from: EpochMs; readonly holders: readonly NamedHolder[] }
  | {
      readonly kind: "padding";
      readonly beforeMs: DurationMs;
      readonly afterMs: DurationMs;
      /** It begins late by this much at most. */
      readonly lateMs: DurationMs;
      /** The recordings before and after it on the tuner. */
      readonly before?: string;
      readonly after?: string;
    };
