import { RecorderdError } from "../model/errors.ts";
import { type Reach, unreceivedEpisodesText } from "../model/reach.ts";
import { askDaemon } from "../web/ask.ts";
import type { GuidePlace } from "./guide-access.ts";
import type { CliIo } from "./io.ts";

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
  const { controlSocket: socket, deviceId: own = deviceId } = place;
  if (socket === undefined || deviceId !== own) return;
  const question = { method: "GET", path: "/v1/tuners/channels" } as const;
  const all = await askDaemon<readonly Reach[]>(socket, question, io).catch((error: unknown) => {
    if (error instanceof RecorderdError) return [];
    throw error;
  });
  const wanted = new Set(Array.from(channelIds, String));
  const warning = unreceivedEpisodesText(all.filter(({ channelId }) => wanted.has(channelId)));
  if (warning !== undefined) io.note(warning);
}
