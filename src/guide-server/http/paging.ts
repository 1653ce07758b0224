import type { Show as WireShow } from "../../guide-wire/records.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import type { ReadShows, ShowQuery } from "../data/show.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { wireShow } from "./wire.ts";

const { pageRecords } = SERVER_LIMITS;

/** The query parameters of lists that may grow, for `RouteFacts.query`. */
export const PAGING = {
  per_page: `Only so many records, 1 to ${pageRecords}; left out: all. The header X-Total-Count says how many there are.`,
  page: "With per_page: which page, from 1.",
} as const;

interface Page<T> {
  readonly records: readonly T[];
  /** Of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One page of a list for those who ask for pages; everybody else gets the whole list, since recorders take what is not in it for
 * gone. What is no number is not looked at, and one that is out of range counts as the nearest that is not.
 */
export function pageOf<T>(query: URLSearchParams, all: readonly T[]): Page<T> {
  const page = pageAsked(query);
  if (page === undefined) return { records: all, headers: {} };
  return {
    records: all.slice(page.offset, page.offset + page.limit),
    headers: { "X-Total-Count": String(all.length) },
  };
}

/** The same of the shows of some channels, of which no more than the page is read; all of them channel by channel, with turns for others between. */
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
