import type { Programme } from "../model/programme.ts";
import type { Channel } from "../model/service.ts";
import type { EpochMs } from "../model/time.ts";

/** The programme of an account's region. */
export interface ProgrammeFace {
  channels(): Promise<readonly Channel[]>;
  shows(wanted: ShowsWanted): Promise<readonly ShowView[]>;
}

/** The guide service, as the recorder's account sees it. */
export interface GuideFace extends ProgrammeFace {
  /** @returns the timer's id, where the service told it; a warning where no tuner receives its channel */
  book(order: PaddingWanted & { readonly showId: number }): Promise<{
    readonly timerId?: string;
    readonly warning?: string;
  }>;
  change(timerId: string, padding: PaddingWanted): Promise<void>;
  cancel(timerId: string): Promise<void>;
  /** Gets a new token and keeps it. @throws RecorderdError GUIDE_SIGN_IN_NEEDED where address or password is wrong, and others */
  signIn(order: GuideSignIn): Promise<{ readonly until?: EpochMs }>;
  readonly series: SeriesFace;
}

/** What the service makes timers of by itself, where it has that. */
export interface SeriesFace {
  all(): Promise<{
    readonly recordings: readonly SeriesRecordingView[];
    readonly keywords: readonly KeywordView[];
    readonly favourites: readonly FavouriteView[];
  }>;
  /** With a warning where no tuner receives a channel of its episodes. */
  addRecording(
    order: AiringsWanted & { readonly seriesId: string },
  ): Promise<SeriesRecordingView & { readonly warning?: string }>;
  setRecording(id: number, change: AiringsWanted): Promise<void>;
  deleteRecording(id: number): Promise<void>;
  addKeyword(order: AiringsWanted & { readonly keyword: string }): Promise<KeywordView>;
  setKeyword(id: number, change: AiringsWanted & { readonly keyword?: string }): Promise<void>;
  deleteKeyword(id: number): Promise<void>;
  addFavourite(seriesId: string): Promise<void>;
  deleteFavourite(seriesId: string): Promise<void>;
}

/** `null`: any; left out: as it is. */
export interface AiringsWanted {
  /** Which device of the account records. */
  readonly deviceId?: number;
  readonly channelId?: number | null;
  readonly startMinutes?: number | null;
  readonly quality?: string;
}

/** What is absent is any. */
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

export interface ShowsWanted {
  readonly channelIds?: readonly number[];
  readonly from?: EpochMs;
  readonly to?: EpochMs;
  readonly search?: string;
}

interface PaddingWanted {
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
