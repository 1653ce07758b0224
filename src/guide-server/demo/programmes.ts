import type { GenreName } from "./words.ts";

/** A part of the day with one genre of programmes. */
interface DayPart {
  /** Minutes after the beginning of the broadcasting day; the last part ends with the day. */
  readonly until: number;
  readonly genre: GenreName;
  /** Minutes. */
  readonly lengths: readonly [number, ...number[]];
}

/** The broadcasting day begins at this minute of the local day: 06:00. */
export const DAY_START_MINUTE = 6 * 60;

const at = (hours: number) => hours * 60;

const GENERAL: readonly DayPart[] = [
  { until: at(3), genre: "news", lengths: [90, 180] },
  { until: at(6), genre: "lifestyle", lengths: [30, 60] },
  { until: at(9), genre: "drama", lengths: [45, 60, 90] },
  { until: at(11), genre: "children", lengths: [25, 30] },
  { until: at(12), genre: "quiz", lengths: [30, 60] },
  { until: at(13), genre: "news", lengths: [60] },
  { until: at(13.5), genre: "talk", lengths: [30] },
  { until: at(15.5), genre: "comedy", lengths: [30, 35] },
  { until: at(17), genre: "drama", lengths: [45, 90] },
  { until: at(18), genre: "news", lengths: [20, 30] },
  { until: at(20), genre: "film", lengths: [105, 120] },
  { until: at(24), genre: "music", lengths: [120] },
];

/** The daily schedules of a network's stations, in the order of the stations. */
export const STATION_DAYS: readonly (readonly DayPart[])[] = [
  GENERAL,
  [
    { until: at(6), genre: "documentary", lengths: [50, 55, 60] },
    { until: at(12), genre: "sport", lengths: [120, 150, 180] },
    { until: at(14), genre: "talk", lengths: [30, 60] },
    { until: at(18), genre: "film", lengths: [95, 110, 130] },
    { until: at(24), genre: "documentary", lengths: [60, 90] },
  ],
  [
    { until: at(13), genre: "children", lengths: [15, 20, 25, 30] },
    { until: at(16), genre: "comedy", lengths: [25, 30, 35] },
    { until: at(18), genre: "drama", lengths: [45, 50] },
    { until: at(24), genre: "music", lengths: [60, 120] },
  ],
  [
    { until: at(6), genre: "news", lengths: [60, 90] },
    { until: at(7), genre: "talk", lengths: [30, 60] },
    { until: at(13), genre: "news", lengths: [30, 60] },
    { until: at(15), genre: "documentary", lengths: [50, 60] },
    { until: at(24), genre: "news", lengths: [60, 120] },
  ],
];
