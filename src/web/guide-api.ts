import type { Programme } from "../model/programme.ts";
import type { Rule, RuleMatch, RuleOrder } from "../model/rule.ts";
import type { Channel } from "../model/service.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";

/** The programme of an account's region. */
export interface ProgrammeApi {
  channels(): Promise<readonly Channel[]>;
  shows(wanted: ShowsFilter): Promise<readonly ShowView[]>;
}

/** Why an order cannot be recorded at present: as an English sentence, and as facts. */
export interface Unreceived {
  readonly warning: string;
  /** Names of its channels that no tuner receives. */
  readonly unreceived: readonly string[];
}

/** The guide service for the recorder's account. */
export interface GuideApi extends ProgrammeApi {
  /** @returns the timer's id, if the service returned it, and a warning if no tuner receives its channel */
  book(order: PaddingOrder & { readonly showId: number }): Promise<
    {
      readonly timerId?: string;
    } & Partial<Unreceived>
  >;
  change(timerId: string, padding: PaddingOrder): Promise<void>;
  cancel(timerId: string): Promise<void>;
  /**
   * Gets and stores a new token. @throws RecorderdError GUIDE_SIGN_IN_NEEDED if address or password is wrong, and
   * others
   */
  signIn(order: GuideSignIn): Promise<{ readonly until?: EpochMs }>;
  readonly series: SeriesApi;
  readonly rules: RulesApi;
}

/** Orders that the service expands into timers, if it supports them. */
export interface SeriesApi {
  all(): Promise<{
    readonly recordings: readonly SeriesRecordingView[];
    readonly keywords: readonly KeywordView[];
    readonly favourites: readonly FavouriteView[];
  }>;
  /** Returns a warning if no tuner receives a channel of its episodes. */
  addRecording(
    order: AiringsOrder & { readonly seriesId: string },
  ): Promise<SeriesRecordingView & Partial<Unreceived>>;
  setRecording(id: number, change: AiringsOrder): Promise<void>;
  deleteRecording(id: number): Promise<void>;
  addKeyword(order: AiringsOrder & { readonly keyword: string }): Promise<KeywordView>;
  setKeyword(id: number, change: AiringsOrder & { readonly keyword?: string }): Promise<void>;
  deleteKeyword(id: number): Promise<void>;
  addFavourite(seriesId: string): Promise<void>;
  deleteFavourite(seriesId: string): Promise<void>;
}

/** Rules of the account. A mistake in an order is refused with GUIDE_NOT_ACCEPTABLE; its fact `field` names the field. */
export interface RulesApi {
  /** `kept` says who keeps and expands the rules. */
  all(): Promise<{ readonly rules: readonly Rule[]; readonly kept: "service" | "recorder" }>;
  add(order: RuleRequest): Promise<RuleOrdered>;
  set(id: number, order: RuleRequest): Promise<RuleOrdered>;
  delete(id: number): Promise<void>;
  preview(wanted: RulePreviewRequest): Promise<RulePreview>;
}

export interface RuleRequest extends RuleOrder {
  /** Absent: this recorder, or at a guide server the household's only device. */
  readonly deviceId?: number;
}

export interface RulePreviewRequest {
  readonly order: RuleRequest;
  /** The rule that the order would replace. */
  readonly replaces?: number;
}

export interface RuleOrdered {
  readonly rule: Rule;
  readonly preview: RulePreview;
}

/** The shows of the next two weeks that a rule would record. */
export interface RulePreview {
  /** By start; the first ones. */
  readonly matches: readonly RuleMatch[];
  /** All matches, the recorded ones, and those of them whose episode the guide does not identify. */
  readonly total: number;
  readonly records: number;
  readonly unidentified: number;
  /** Absent if all are counted; otherwise those that begin later are not. */
  readonly countedUntil?: EpochMs;
  // Only a recorder knows the rest.
  /** Recordings that lose something because of this rule. */
  readonly displaced?: readonly DisplacedRecording[];
  /** Recorded matches that get no tuner. */
  readonly unplaced?: readonly Pick<RuleMatch, "showId" | "title" | "start">[];
  readonly needsBytes?: number;
  readonly freeBytes?: number;
}

export interface DisplacedRecording {
  readonly timerId: string;
  readonly title: string;
  readonly start: EpochMs;
  readonly stop: EpochMs;
  readonly lostMs: DurationMs;
}

/** `null`: any; absent: unchanged. */
export interface AiringsOrder {
  /** The account's device that records. */
  readonly deviceId?: number;
  readonly channelId?: number | null;
  readonly startMinutes?: number | null;
  readonly quality?: string;
}

/** An absent field means any. */
interface AiringsView {
  readonly id: number;
  readonly deviceId: number;
  readonly channelId?: number;
  readonly startMinutes?: number;
  readonly quality?: string;
}

export interface SeriesRecordingView extends AiringsView {
  readonly seriesId: string;
  readonly title: string;
  /** Only the episode of this show. */
  readonly showId?: number;
}

export interface KeywordView extends AiringsView {
  readonly keyword: string;
}

export interface FavouriteView {
  readonly seriesId: string;
  readonly title: string;
}

interface GuideSignIn {
  readonly email: string;
  readonly password: string;
}

export interface ShowsFilter {
  readonly channelIds?: readonly number[];
  readonly from?: EpochMs;
  readonly to?: EpochMs;
  readonly search?: string;
}

interface PaddingOrder {
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
}

/** One broadcast of the guide. */
export interface ShowView {
  readonly id: number;
  readonly channelId: number;
  readonly title: string;
  readonly start: EpochMs;
  readonly stop: EpochMs;
  readonly programme: Programme;
}
