import type { GuideClient } from "./client.ts";
import type { SeriesRecording } from "./series-records.ts";

/**
 * The channels on which a series is recorded, as far as the service reveals them: the order's own, and those of its
 * timers.
 *
 * @throws RecorderdError GUIDE_…
 */
export async function seriesChannels(
  { id, channel_id = 0 }: SeriesRecording,
  client: Pick<GuideClient, "timers">,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  const { value } = await client.timers(signal);
  const own = value.timers.filter(({ series_recording_id, action }) => {
    return series_recording_id === id && action !== "forget";
  });
  return new Set([...(channel_id > 0 ? [channel_id] : []), ...own.map((timer) => timer.channel_id)]);
}
