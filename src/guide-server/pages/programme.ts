import { channelOf } from "../../guide-wire/account.ts";
import { broadcastOf } from "../../guide-wire/programmes.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import { wordsOf } from "../../rules/fold.ts";
import { RULE_LIMITS } from "../../rules/limits.ts";
import type { ProgrammeApi, ShowsFilter, ShowView } from "../../web/guide-api.ts";
import { WEB_LIMITS } from "../../web/limits.ts";
import type { Show } from "../data/show.ts";
import type { GuideTables } from "../data/tables.ts";
import { wireShow } from "../http/wire.ts";
import type { Household } from "./household.ts";

export function programmeOf({ tables, account, now }: Household): ProgrammeApi {
  const channels = [...tables.channels.values()].filter(({ region_id }) => region_id === account.regionId);
  return {
    channels: async () => channels.map(channelOf),
    shows: async ({ channelIds, from = now, to = now + RULE_LIMITS.expandAheadMs, search }) => {
      const ids = channels.map(({ id }) => id).filter((id) => channelIds?.includes(id) ?? true);
      const found: ShowView[] = [];
      // A day of two hundred channels has about ten thousand shows: boxes are answered between channels.
      for (const some of search === undefined
        ? showsOn(tables, ids, { from, to })
        : findShows(tables, ids, { from, to, search })) {
        found.push(...some.flatMap((show) => broadcastOf(wireShow(show)) ?? []));
        if (found.length >= WEB_LIMITS.guideShows) break;
        await yieldToLoop();
      }
      const rank = new Map(ids.map((id, index) => [id, index]));
      const rankOf = ({ channelId }: ShowView) => rank.get(channelId) ?? 0;
      return found.slice(0, WEB_LIMITS.guideShows).sort((a, b) => rankOf(a) - rankOf(b) || a.start - b.start);
    },
  };
}

type Span = Required<Pick<ShowsFilter, "from" | "to">>;

function* showsOn(
  tables: GuideTables,
  channelIds: readonly number[],
  { from, to }: Span,
): Generator<readonly Show[]> {
  for (const id of channelIds) {
    yield tables.shows.list({
      channelIds: [id],
      endAfter: from,
      startBefore: to,
      limit: WEB_LIMITS.guideShows,
    });
  }
}

/** Uses the index of titles: searching all descriptions would delay every client. */
function* findShows(
  tables: GuideTables,
  channelIds: readonly number[],
  { from, to, search }: Span & { readonly search: string },
): Generator<readonly Show[]> {
  const words = wordsOf(search);
  if (words.length === 0) return;
  for (const seriesId of tables.shows.seriesTitled(words)) {
    const limit = WEB_LIMITS.guideShows;
    const shows = tables.shows.list({ seriesId, channelIds, endAfter: from, startBefore: to, limit });
    // The index also matches former titles of a series.
    yield shows.filter(({ title }) => hasAll(wordsOf(title), words));
  }
}

function hasAll(there: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => there.includes(word));
}
