import { type Reach, unreceivedEpisodesText } from "../../model/reach.ts";
import type { CliIo } from "../io.ts";
import { askDaemonIfThere, type GuidePlace } from "./guide-access.ts";

/** Warns of what was just booked on channels that no tuner receives. Only the running recorder of the configuration knows that. */
export async function noteUnreceived(
  io: CliIo,
  {
    channelIds,
    deviceId,
    place,
  }: {
    readonly channelIds: Iterable<number>;
    /** Which recorder is to do it. */
    readonly deviceId: number;
    readonly place: GuidePlace;
  },
): Promise<void> {
  if (deviceId !== (place.deviceId ?? deviceId)) return;
  const question = { method: "GET", path: "/v1/tuners/channels" } as const;
  const all = (await askDaemonIfThere<readonly Reach[]>(io, place, question)) ?? [];
  const wanted = new Set(Array.from(channelIds, String));
  const warning = unreceivedEpisodesText(all.filter(({ channelId }) => wanted.has(channelId)));
  if (warning !== undefined) io.note(warning);
}
