import { yieldToLoop } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { ListingChannel } from "../data/listing-records.ts";
import type { GuideStore } from "../data/store.ts";
import { type Change, type GuideTables, put, remove } from "../data/tables.ts";
import type { ChannelMatch } from "./channels.ts";

interface Withdrawing {
  readonly store: GuideStore;
  readonly rank: number;
  readonly now: () => EpochMs;
  readonly signal: AbortSignal;
}

/** Guide channels that this listing fed at its earlier reading through a channel that it still names. */
export function channelsFedBy(
  { listed }: GuideTables,
  { rank, named }: { readonly rank: number; readonly named: ReadonlySet<string> },
): ReadonlySet<number> {
  const fed = [...listed.values()].filter((one) => one.rank === rank && named.has(one.listedId));
  return new Set(fed.flatMap(({ channelId }) => channelId ?? []));
}

/** Withdraws the listing's programmes from channels that it no longer feeds. Programmes that are over stay. */
export async function withdrawSchedules(
  { store, rank, now, signal }: Withdrawing,
  channelIds: readonly number[],
): Promise<void> {
  for (const channelId of channelIds) {
    signal.throwIfAborted();
    await yieldToLoop();
    const shows = store.shows.list({ channelIds: [channelId], endAfter: now() });
    const own = shows.filter((show) => show.rank === rank);
    await store.shows.put(own.map((show) => ({ ...show, gone: true as const, updatedAt: now() })));
  }
}

/**
 * Gives a channel without a triplet the one that a person has entered, and the icon of the listing to a channel that it created or
 * that has none: another one may have been chosen for it.
 */
export function taughtFields(tables: GuideTables, match: ChannelMatch, rank: number): readonly Change[] {
  const { listed, by, channelId, triplet } = match;
  const channel = tables.channels.get(String(channelId));
  if (channel === undefined) return [];
  const isFree = channel.icon_src === undefined || isCreated(tables, match, rank);
  const icon = isFree && listed.icon !== channel.icon_src ? listed.icon : undefined;
  const taught = by === "table" ? triplet : undefined;
  if (icon === undefined && taught === undefined) return [];
  const { icon_width: _w, icon_height: _h, ...withoutSize } = channel;
  return [
    put("channels", {
      ...(icon === undefined ? channel : { ...withoutSize, icon_src: icon }),
      ...(taught === undefined ? {} : { dvb: [taught] }),
    }),
  ];
}

/** Whether this listing created the channel that it feeds. */
function isCreated(
  { listed }: GuideTables,
  { listed: { id }, by, channelId }: ChannelMatch,
  rank: number,
): boolean {
  const last = listed.get(`${rank} ${id}`);
  return by !== "table" && last?.by === "new" && last.channelId === channelId;
}

/** The records of the listing's channels for the page; unchanged records are not written again. */
export function listingChannelChanges(
  tables: GuideTables,
  matches: readonly ChannelMatch[],
  rank: number,
): readonly Change[] {
  const now = new Map(
    matches.map((match): readonly [string, ListingChannel] => {
      const { listed, by, channelId, note } = match;
      const id = `${rank} ${listed.id}`;
      // A channel created at the first reading keeps its state as not found.
      const isOurs = isCreated(tables, match, rank);
      return [
        id,
        {
          id,
          rank,
          listedId: listed.id,
          name: listed.names[0] ?? listed.id,
          by: isOurs ? "new" : by,
          ...withoutUndefined({ channelId, note }),
        },
      ];
    }),
  );
  const before = [...tables.listed.values()].filter((one) => one.rank === rank);
  return [
    ...before.filter(({ id }) => !now.has(id)).map(({ id }) => remove("listed", id)),
    ...[...now.values()]
      .filter((one) => JSON.stringify(one) !== JSON.stringify(tables.listed.get(one.id)))
      .map((one) => put("listed", one)),
  ];
}
