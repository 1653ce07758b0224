import { bySoonest, hasYetToBegin, isRepeatOf, type Repeat } from "../../../model/repeat.ts";
import { tripletKey } from "../../../model/service.ts";
import { canReceive, type TunerFacts } from "../../../model/tuner.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import type { Occurrence } from "./occurrence.ts";
import { serviceOf } from "./recording-order.ts";

/** Stores the repeats that the guide found; earlier results for other channels stay. */
export function applyAirings(
  draft: Draft,
  { recordingIds, channelIds, airings }: Extract<Occurrence, { readonly kind: "airings-fetched" }>,
): void {
  const asked = new Set(channelIds);
  const { timers, channels } = draft.document;
  const ordered = new Set(
    Object.values(timers).flatMap(({ action, showId }) => (action === "record" ? [showId] : [])),
  );
  const { tuners } = draft.world;
  for (const id of recordingIds) {
    const recording = draft.recording(id);
    if (recording === undefined) continue;
    const { repeats: before = [], name: title, programme = {}, ...rest } = recording;
    const wanted = { title, programme, event: rest.event, showId: rest.showId };
    const found = airings.flatMap((airing): readonly Repeat[] => {
      const { showId, channelId, event } = airing;
      const channel = channels[channelId];
      const service = channel === undefined ? undefined : serviceOf(channel, tuners);
      if (channel === undefined || service === undefined || ordered.has(showId)) return [];
      if (!asked.has(channelId) || !isRepeatOf(airing, wanted) || !isReceived(service, tuners)) return [];
      return [{ showId, channelId, channelName: channel.name, service, event }];
    });
    const repeats = [...before.filter(({ channelId }) => !asked.has(channelId)), ...found]
      .filter((repeat) => hasYetToBegin(repeat, draft.airNow))
      .sort(bySoonest)
      .slice(0, ENGINE_LIMITS.repeatsKept);
    if (JSON.stringify(repeats) === JSON.stringify(before)) continue;
    const { repeats: _earlier, ...others } = recording;
    draft.put(repeats.length === 0 ? others : { ...others, repeats });
  }
}

function isReceived(service: Repeat["service"], tuners: readonly TunerFacts[]): boolean {
  return tuners.some((tuner) => canReceive(tuner, tripletKey(service)));
}
