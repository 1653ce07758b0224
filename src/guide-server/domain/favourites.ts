import type { Decision } from "../data/decision.ts";
import { type Account, type FavouriteSeries, type GuideTables, put, remove } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { notAcceptable, notFound } from "../refusal.ts";

/** The account's favourite series. Favourites record nothing. */
export function favouritesOf(tables: GuideTables, account: Account): readonly FavouriteSeries[] {
  return [...tables.favourites.values()].filter(({ accountId }) => accountId === account.id);
}

export function addFavourite(
  tables: GuideTables,
  account: Account,
  seriesId: string,
): Decision<FavouriteSeries> {
  const favourite = { id: idOf(account, seriesId), accountId: account.id, seriesId };
  if (tables.favourites.has(favourite.id)) return { changes: [], value: favourite };
  const isKnown = tables.series.has(seriesId) || tables.shows.firstOf(seriesId) !== undefined;
  if (seriesId === "" || !isKnown) return notFound("There is no such series: see GET series.", "series_id");
  if (favouritesOf(tables, account).length >= SERVER_LIMITS.favouritesPerAccount) {
    return notAcceptable(
      "favourites",
      `An account can have at most ${SERVER_LIMITS.favouritesPerAccount} favourites: delete some.`,
    );
  }
  return { changes: [put("favourites", favourite)], value: favourite };
}

export function removeFavourite(
  tables: GuideTables,
  account: Account,
  seriesId: string,
): Decision<undefined> {
  const id = idOf(account, seriesId);
  return { changes: tables.favourites.has(id) ? [remove("favourites", id)] : [], value: undefined };
}

function idOf(account: Account, seriesId: string): string {
  return `${account.id} ${seriesId}`;
}
