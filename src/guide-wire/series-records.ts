import { z } from "zod";
import { Id, type Wire } from "./records.ts";

/** Restrictions on the airings of an order. −1 or absent: any. */
const airingFields = {
  device_id: z.int().optional(),
  /** Minute of the day in the region's zone at which the airing begins, within half an hour. */
  start_minutes: z.int().optional(),
  network_id: z.int().optional(),
  channel_id: z.int().optional(),
  recording_quality: z.string().optional(),
};

const placedFields = {
  ...airingFields,
  device_id: z.int(),
};

/** An order for every episode of a series, once: the service creates timers from it. */
export const SeriesRecording = z.object({
  id: z.int(),
  /** Title of the series, set by the service. */
  name: z.string().optional(),
  series_id: Id,
  ...placedFields,
  /** Only the episode of this show, in any airing; −1: all. */
  show_id: z.int().optional(),
});
export type SeriesRecording = Wire<typeof SeriesRecording>;

/** An order for a series recording. Either series_id or show_id identifies the series. */
export const SeriesRecordingOrder = z.object({
  series_id: Id.optional(),
  ...placedFields,
  show_id: z.int().optional(),
});
export type SeriesRecordingOrder = Wire<typeof SeriesRecordingOrder>;

/** Omitted fields keep their values. */
export const SeriesRecordingChange = z.object(airingFields);
export type SeriesRecordingChange = Wire<typeof SeriesRecordingChange>;

/** An order for every show with all these words in its title, each episode once. */
export const Keyword = z.object({ id: z.int(), keyword: z.string(), ...placedFields });
export type Keyword = Wire<typeof Keyword>;

export const KeywordOrder = z.object({ keyword: z.string(), ...placedFields });
export type KeywordOrder = Wire<typeof KeywordOrder>;

/** Omitted fields keep their values. */
export const KeywordChange = z.object({ keyword: z.string().optional(), ...airingFields });
export type KeywordChange = Wire<typeof KeywordChange>;

export const Favourite = z.object({
  series_id: Id,
  /** Title of the series, set by the service. */
  name: z.string().optional(),
});
export type Favourite = Wire<typeof Favourite>;
