import type { EpochMs } from "../model/time.ts";
import type { AiredShow, Airing } from "./airing.ts";
import type { OrderingRule } from "./compiled-rule.ts";
import type { WantingRules } from "./wanting-rules.ts";

/** The fields of a stored timer that an expansion reads. */
export interface ExpandedTimer {
  readonly id: string;
  readonly channelId: number;
  /** 0 for a show that is not in the guide. */
  readonly showId: number;
  readonly name: string;
  readonly start: EpochMs;
  readonly durationMinutes: number;
  readonly action: string;
  readonly state: string;
  readonly removedAt?: EpochMs | undefined;
  /** Set if a rule made the timer. */
  readonly episode?: string | undefined;
  readonly ruleId?: number | undefined;
}

/** A show of the guide and the rules that want it by their conditions, the first in rank first. */
export interface MatchedAiring<S extends AiredShow = AiredShow> extends Airing<S> {
  /** Its `episodeOf`: a search may have many thousands, and each key is a new string. */
  readonly episode: string;
  readonly rules: WantingRules;
}

/** A timer as the rules want it, without its id and without reports. */
export interface Order<S extends AiredShow = AiredShow> {
  readonly episode: string;
  readonly show: S;
  readonly seriesRecordingId: number | undefined;
  readonly keywordId: number | undefined;
  /** The recording follows it. */
  readonly rule: OrderingRule | undefined;
}
