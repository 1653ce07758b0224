import { yieldToLoop } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import type { GuideStore } from "../data/store.ts";
import { type Change, type GuideTables, type Listed, put, remove } from "../data/tables.ts";
import type { ChannelMatch } from "./channels.ts";

interface Withdrawing {
  readonly store: GuideStore;
  readonly rank: number;
  readonly now: () => EpochMs;
  readonly signal: AbortSignal;
}

/** Channels of the guide whose programmes this listing told of when it was read before, under an id that it names. */
export function channelsFedBy(
  { listed }: GuideTables,
  { rank, named }: { readonly rank: number; readonly named: ReadonlySet<string> },
): ReadonlySet<number> {
  const fed = [...listed.values()].filter((one) => one.rank === rank && named.has(one.listedId));
  return new Set(fed.flatMap(({ channelId }) => channelId ?? []));
}

/** What the listing told of channels that it feeds no longer is not broadcast there. What is over is left. */
export async function withdrawSchedules(
  { store, rank, now, signal }: Withdrawing,
  channelIds: readonly number[],
): Promise<void> {
  for (const channelId of channelIds) {
    signal.throwIfAborted();
    await yieldToLoop();
    const shows = store.shows.list({ channelIds: [channelId], endAfter: now() });
    const own = shows.filter((show) => show.rank === rank);
    store.shows.put(own.map((show) => ({ ...show, gone: true as const, updatedAt: now() })));
  }
}

/** A channel without a triplet gets the one that a person says it has. */
export function taught(tables: GuideTables, { by, channelId, triplet }: ChannelMatch): readonly Change[] {
  const channel = tables.channels.get(String(channelId));
  if (by !== "table" || triplet === undefined || channel === undefined) return [];
  return [put("channels", { ...channel, dvb: [triplet] })];
}

/** What people are shown of the listing's channels; what is as it was is not written again. */
export function told(tables: GuideTables, matches: readonly ChannelMatch[], rank: number): readonly Change[] {
  const now = new Map(
    matches.map(({ listed, by, channelId, note }): readonly [string, Listed] => {
      const id = `${rank} ${listed.id}`;
      // A channel that was made when the listing was first read goes on being one that was not found.
      const last = tables.listed.get(id);
      const isOurs = by !== "table" && last?.by === "new" && last.channelId === channelId;
      return [
        id,
        {
          id,
          rank,
          listedId: listed.id,
          name: listed.names[0] ?? listed.id,
          by: isOurs ? "new" : by,
          ...(channelId === undefined ? {} : { channelId }),
          ...(note === undefined ? {} : { note }),
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
