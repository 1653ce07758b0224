import { type Reach, unreceivedEpisodesText } from "../../model/reach.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";
import { askDaemonIfRunning, type GuidePlace } from "./guide-access.ts";

/** Warns of bookings on channels that no tuner receives. Only the configuration's running recorder knows this. */
export async function noteUnreceived(
  io: CliIo,
  {
    channelIds,
    deviceId,
    place,
  }: {
    readonly channelIds: Iterable<number>;
    /** The recorder that executes the booking. */
    readonly deviceId: number;
    readonly place: GuidePlace;
  },
): Promise<void> {
  if (deviceId !== (place.deviceId ?? deviceId)) return;
  const question = { method: "GET", path: "/v1/tuners/channels" } as const;
  const all = (await askDaemonIfRunning<readonly Reach[]>(io, place, question)) ?? [];
  const wanted = new Set(Array.from(channelIds, String));
  const warning = unreceivedEpisodesText(all.filter(({ channelId }) => wanted.has(channelId)));
  if (warning !== undefined) io.note(plainLine(warning));
}
