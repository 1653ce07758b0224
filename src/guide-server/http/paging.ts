import type { Show as WireShow } from "../../guide-wire/records.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import type { ReadShows, ShowQuery } from "../data/show.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { wireShow } from "./wire.ts";

const { pageRecords } = SERVER_LIMITS;

/** The query parameters of long lists, for `RouteFacts.query`. */
export const PAGING = {
  per_page: `Number of records, 1 to ${pageRecords}; default: all. The header X-Total-Count gives the total.`,
  page: "With per_page: number of the page, from 1.",
} as const;

interface Page<T> {
  readonly records: readonly T[];
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One page of a list if the client asks for pages, otherwise the whole list: recorders treat missing entries as
 * deleted. Values that are no number are ignored; values out of range count as the nearest limit.
 */
export function pageOf<T>(query: URLSearchParams, all: readonly T[]): Page<T> {
  const page = pageAsked(query);
  if (page === undefined) return { records: all, headers: {} };
  return {
    records: all.slice(page.offset, page.offset + page.limit),
    headers: { "X-Total-Count": String(all.length) },
  };
}

/**
 * A page of the shows of some channels, reading only that page; the whole list is read channel by channel, with
 * pauses for other work.
 */
export async function pageOfShows(
  query: URLSearchParams,
  shows: ReadShows,
  wanted: ShowQuery & Required<Pick<ShowQuery, "channelIds">>,
): Promise<Page<WireShow>> {
  const page = pageAsked(query);
  if (page !== undefined) {
    const records = shows.list({ ...wanted, ...page }).map(wireShow);
    return { records, headers: { "X-Total-Count": String(shows.count(wanted)) } };
  }
  const records: WireShow[] = [];
  for (const channelId of wanted.channelIds.toSorted((a, b) => a - b)) {
    if (records.length > 0) await yieldToLoop();
    for (const show of shows.list({ ...wanted, channelIds: [channelId] })) records.push(wireShow(show));
  }
  return { records, headers: {} };
}

interface PagedList<T> {
  readonly list: (page: { readonly limit?: number; readonly offset?: number }) => readonly T[];
  readonly count: () => number;
}

export function pageOfList<T>(query: URLSearchParams, { list, count }: PagedList<T>): Page<T> {
  const page = pageAsked(query);
  if (page === undefined) return { records: list({}), headers: {} };
  return { records: list(page), headers: { "X-Total-Count": String(count()) } };
}

function pageAsked(query: URLSearchParams): { readonly limit: number; readonly offset: number } | undefined {
  const limit = wholeNumber(query.get("per_page"), pageRecords);
  const page = wholeNumber(query.get("page"), Number.MAX_SAFE_INTEGER) ?? 1;
  return limit === undefined ? undefined : { limit, offset: (page - 1) * limit };
}

function wholeNumber(text: string | null, max: number): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Math.min(Math.max(1, Number(text)), max) : undefined;
}
