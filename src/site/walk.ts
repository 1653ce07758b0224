import { RecorderdError } from "../model/errors.ts";
import { SITE_LIMITS } from "./limits.ts";

/** One page of a list. The totals are the site's latest for the whole list. */
export interface SitePage<T> {
  readonly items: readonly T[];
  readonly total?: number;
  readonly totalPages?: number;
}

export interface Walk<T> {
  readonly skip: number;
  readonly perPage: number;
  /** The page after `skip` entries; `undefined` if the list has become shorter. */
  readonly pageAt: (skip: number) => Promise<SitePage<T> | undefined>;
}

/** The number of times the end of the list may recede; beyond it, the site's total is wrong. */
const REFUSALS_MAX = 3;

/**
 * Yields all pages of a list up to the site's total, each entry once. A list may change during the walk. New entries
 * push others on to a later page, which then repeats them; deleted entries pull others back to a page already read.
 * So if the total has shrunk, the walk goes back by that many entries and reads the page again.
 *
 * @throws RecorderdError SITE_LIST_TOO_LONG after `siteListRequests` requests
 */
export async function* walk<T extends { readonly id: string | number }>({
  skip: first,
  perPage,
  pageAt,
}: Walk<T>): AsyncGenerator<SitePage<T>, void, undefined> {
  const seen = new Set<string>();
  let skip = first;
  let known = 0;
  let refusals = 0;
  let refused = false;
  let end = Number.POSITIVE_INFINITY;
  for (let requests = 0; requests < SITE_LIMITS.listRequests; requests += 1) {
    const page = await pageAt(skip);
    if (page === undefined) {
      refusals += refused ? 0 : 1;
      refused = true;
      // A site without a total promises nothing.
      if (refusals >= (known === 0 ? 1 : REFUSALS_MAX)) end = skip;
      skip = Math.max(first, skip - perPage);
      continue;
    }
    refused = false;
    const gone = skip === first ? 0 : known - (page.total ?? known);
    known = page.total ?? known;
    if (gone > 0) {
      skip = Math.max(first, skip - Math.ceil(gone / perPage) * perPage);
      continue;
    }
    const items = page.items.filter(({ id }) => !seen.has(String(id)));
    for (const { id } of items) seen.add(String(id));
    // A site without totals that repeats the same page has no pages.
    if (items.length === 0 && page.items.length > 0 && known === 0) return;
    yield { ...page, items };
    if (skip + perPage >= Math.min(end, endOf(page, { skip, perPage }))) return;
    skip += perPage;
  }
  throw new RecorderdError(
    "SITE_LIST_TOO_LONG",
    `The list does not end within ${SITE_LIMITS.listRequests} pages of ${perPage}: request more entries per page, or fewer with search, include or page`,
    { requests: SITE_LIMITS.listRequests, perPage },
  );
}

/** The number of entries of the list, as far as the page reveals it. */
function endOf(
  { items, total, totalPages }: SitePage<unknown>,
  { skip, perPage }: { readonly skip: number; readonly perPage: number },
): number {
  if (total !== undefined) return total;
  if (totalPages !== undefined) return totalPages * perPage;
  return items.length < perPage ? skip + items.length : Number.POSITIVE_INFINITY;
}
