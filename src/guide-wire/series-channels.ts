import type { GuideClient } from "./client.ts";
import type { SeriesRecording } from "./records.ts";

/**
 * The channels from which a series is to be recorded, as far as the service says: that of the order, and those of the timers that it
 * made of it.
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
