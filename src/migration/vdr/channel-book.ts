import type { Triplet } from "../../model/service.ts";
import { parseVdr } from "../../recorder/tune/channel-lists/vdr.ts";
import type { Collector } from "../collector.ts";
import type { FoundChannel } from "../found.ts";
import { titleOf } from "../names.ts";

/** VDR's channels, by their ids (`S19.2E-1-1089-12003`) and by their numbers. */
export interface ChannelBook {
  /** A channel that is not in the list has its id as name, or the name that the caller knows. */
  byId(id: string, name?: string): FoundChannel;
  byNumber(number: number): FoundChannel | undefined;
  /** From one channel to another, both included; in the order of the list. */
  range(firstId: string, lastId: string): readonly FoundChannel[];
}

const CHANNEL_ID = /^[A-Z][^-]*-(\d{1,6})-(\d{1,6})-(\d{1,6})(?:-\d{1,6})?$/;

/** @param text of `channels.conf` */
export function openChannelBook(
  text: string,
  { file, into }: { readonly file: string; readonly into: Collector },
): ChannelBook {
  const { services, mistakes } = parseVdr(text);
  for (const { line, text: what } of mistakes) into.problem({ file, line, what });
  const channels = services.map(({ name, lcn, ids }): FoundChannel => {
    const { onid, tsid, sid } = ids;
    const isWhole = onid !== undefined && tsid !== undefined && sid !== undefined;
    return {
      name: titleOf(name) ?? `${sid}`,
      ...(lcn === undefined ? {} : { number: lcn }),
      ...(isWhole ? { triplet: { onid, tsid, sid } } : {}),
    };
  });
  for (const channel of channels) into.channel(channel);
  const byKey = new Map<string, FoundChannel>();
  for (const [at, { ids }] of services.entries()) {
    const [channel, key] = [channels[at], keyOf(ids)];
    if (channel !== undefined && !byKey.has(key)) byKey.set(key, channel);
  }
  const byNumber = new Map(channels.map((channel) => [channel.number, channel]));
  const listed = (id: string) => byKey.get(keyOf(idsIn(id) ?? {}));
  return {
    byId(id, name) {
      const triplet = tripletIn(id);
      return (
        listed(id) ?? {
          name: titleOf(name) ?? id.slice(0, 60),
          ...(triplet === undefined ? {} : { triplet }),
        }
      );
    },
    byNumber: (number) => byNumber.get(number),
    range(firstId, lastId) {
      const [first, last] = [listed(firstId), listed(lastId)].map((channel) =>
        channel === undefined ? -1 : channels.indexOf(channel),
      ) as [number, number];
      return first < 0 || last < 0 ? [] : channels.slice(Math.min(first, last), Math.max(first, last) + 1);
    },
  };
}

/** Whether a text is the id of a channel, not its number. */
export function isChannelId(text: string): boolean {
  return CHANNEL_ID.test(text);
}

/** VDR writes 0 for network and stream where it knows neither; the id has the frequency in the place of the stream then. */
function idsIn(id: string): Partial<Triplet> | undefined {
  const [, onid, tsid, sid] = CHANNEL_ID.exec(id)?.map(Number) ?? [];
  if (onid === undefined || tsid === undefined || sid === undefined) return undefined;
  return onid === 0 ? { sid } : { onid, tsid, sid };
}

function tripletIn(id: string): Triplet | undefined {
  const { onid, tsid, sid } = idsIn(id) ?? {};
  if (onid === undefined || tsid === undefined || sid === undefined) return undefined;
  return Math.max(onid, tsid, sid) > 0xffff ? undefined : { onid, tsid, sid };
}

function keyOf({ onid = 0, tsid = 0, sid = 0 }: Partial<Triplet>): string {
  return `${onid}-${tsid}-${sid}`;
}
