import { RecorderdError } from "../../../model/errors.ts";
import type { Triplet } from "../../../model/service.ts";
import type { ChannelDesk } from "../../sync/channel-desk.ts";
import type { Engine } from "./engine.ts";

interface AssignParts {
  readonly channels: Pick<ChannelDesk, "assign" | "channels" | "matched">;
  readonly engine: Pick<Engine, "ask" | "ready">;
}

/**
 * Stores the service of a guide channel, and waits until the recordings follow; `undefined`: match it automatically
 * again.
 *
 * @throws RecorderdError GUIDE_NOT_FOUND if there is no such channel, DISK_FULL or WRITE_FAILED, DAEMON_NOT_READY
 */
export async function assignService(
  { channelId, service }: { readonly channelId: string; readonly service: Triplet | undefined },
  { channels, engine }: AssignParts,
): Promise<void> {
  await engine.ready();
  if (!channels.matched().some(({ channel }) => channel.id === channelId))
    throw new RecorderdError("GUIDE_NOT_FOUND", `The guide has no channel ${channelId}.`);
  await channels.assign(channelId, service);
  await engine.ask({ kind: "channels-fetched", channels: channels.channels() });
}
