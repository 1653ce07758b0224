import { ANY, airingFields } from "../../../guide-wire/airing-fields.ts";
import type { GuideClient } from "../../../guide-wire/client.ts";
import { seriesChannels } from "../../../guide-wire/series-channels.ts";
import type { Favourite, Keyword, SeriesRecording } from "../../../guide-wire/series-records.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { type Reach, unreceivedEpisodesText, unreceivedNames } from "../../../model/reach.ts";
import type {
  FavouriteView,
  KeywordView,
  SeriesApi,
  SeriesRecordingView,
  Unreceived,
} from "../../../web/guide-api.ts";

interface SeriesApiParts {
  readonly client: GuideClient;
  /** The device that is to record. */
  readonly device: () => Promise<number>;
  /** The tuners that receive a channel; `undefined` if unknown. */
  readonly reach: (channelId: string) => Reach | undefined;
  /** Polls the service for its timers: it has added or withdrawn some. */
  readonly onOrdered: () => void;
  readonly signal: AbortSignal;
}

/** Series, keyword and favourite orders for people. The service keeps them all: nothing is stored here. */
export function createSeriesApi({ client, device, reach, onOrdered, signal }: SeriesApiParts): SeriesApi {
  const { series } = client;
  async function changed<T>(work: Promise<T>): Promise<T> {
    const done = await work;
    onOrdered();
    return done;
  }

  /** Why episodes cannot be recorded as things are. Missing knowledge does not fail the order. */
  async function warningOf(one: SeriesRecording): Promise<Partial<Unreceived>> {
    try {
      if (one.device_id !== (await device())) return {};
      const channels = await seriesChannels(one, client, signal);
      const reached = [...channels].flatMap((id) => reach(String(id)) ?? []);
      const warning = unreceivedEpisodesText(reached);
      return warning === undefined ? {} : { warning, unreceived: unreceivedNames(reached) };
    } catch (error) {
      if (error instanceof RecorderdError) return {};
      throw error;
    }
  }

  return {
    all: async () => {
      const [recordings, keywords, favourites] = await Promise.all([
        series.recordings(signal),
        series.keywords(signal),
        series.favourites(signal),
      ]);
      return {
        recordings: recordings.value.series_recordings.map(recordingView),
        keywords: keywords.value.keywords.map(keywordView),
        favourites: favourites.value.favourites.map(favouriteView),
      };
    },
    addRecording: async ({ seriesId, ...wanted }) => {
      const order = {
        series_id: seriesId,
        device_id: wanted.deviceId ?? (await device()),
        ...airingFields(wanted),
      };
      const { value } = await changed(series.addRecording(order, signal));
      const one = only(value.series_recordings);
      return { ...recordingView(one), ...(await warningOf(one)) };
    },
    setRecording: async (id, wanted) => {
      await changed(series.setRecording(id, airingFields(wanted), signal));
    },
    deleteRecording: (id) => changed(series.deleteRecording(id, signal)),
    addKeyword: async ({ keyword, ...wanted }) => {
      const order = { keyword, device_id: wanted.deviceId ?? (await device()), ...airingFields(wanted) };
      const { value } = await changed(series.addKeyword(order, signal));
      return keywordView(only(value.keywords));
    },
    setKeyword: async (id, { keyword, ...wanted }) => {
      const change = { ...airingFields(wanted), ...(keyword === undefined ? {} : { keyword }) };
      await changed(series.setKeyword(id, change, signal));
    },
    deleteKeyword: (id) => changed(series.deleteKeyword(id, signal)),
    addFavourite: async (seriesId) => {
      await series.addFavourite(seriesId, signal);
    },
    deleteFavourite: (seriesId) => series.deleteFavourite(seriesId, signal),
  };
}

function only<T>([first]: readonly T[]): T {
  if (first !== undefined) return first;
  throw new RecorderdError("GUIDE_DOCUMENT_INVALID", "The guide service's answer does not name the booking.");
}

function airingsView({
  id,
  device_id: deviceId,
  channel_id = ANY,
  start_minutes = ANY,
  recording_quality,
}: SeriesRecording | Keyword) {
  return {
    id,
    deviceId,
    ...(channel_id > 0 ? { channelId: channel_id } : {}),
    ...(start_minutes >= 0 ? { startMinutes: start_minutes } : {}),
    ...(recording_quality === undefined ? {} : { quality: recording_quality }),
  };
}

function recordingView(one: SeriesRecording): SeriesRecordingView {
  const { series_id: seriesId, name: title = "", show_id = ANY } = one;
  return { ...airingsView(one), seriesId, title, ...(show_id > 0 ? { showId: show_id } : {}) };
}

function keywordView(one: Keyword): KeywordView {
  return { ...airingsView(one), keyword: one.keyword };
}

function favouriteView({ series_id: seriesId, name: title = "" }: Favourite): FavouriteView {
  return { seriesId, title };
}
