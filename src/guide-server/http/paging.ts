import { SERVER_LIMITS } from "../limits.ts";

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
  const size = wholeNumber(query.get("per_page"), pageRecords);
  if (size === undefined) return { records: all, headers: {} };
  const first = ((wholeNumber(query.get("page"), Number.MAX_SAFE_INTEGER) ?? 1) - 1) * size;
  return {
    records: all.slice(first, first + size),
    headers: { "X-Total-Count": String(all.length) },
  };
}

function wholeNumber(text: string | null, max: number): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Math.min(Math.max(1, Number(text)), max) : undefined;
}
