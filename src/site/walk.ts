import { RecorderdError } from "../model/errors.ts";
import { LIMITS } from "../model/limits.ts";

/** One page of a list. The totals are those of the whole list, as the site last said them. */
export interface SitePage<T> {
  readonly items: readonly T[];
  readonly total?: number;
  readonly totalPages?: number;
}

export interface Walk<T> {
  /** Entries to leave out at the beginning. */
  readonly skip: number;
  readonly perPage: number;
  /** The page after `skip` entries; `undefined` when the list is not that long any more. */
  readonly pageAt: (skip: number) => Promise<SitePage<T> | undefined>;
}

/** So often the end of the list may move away under the reader; then the site promises more than it has. */
const REFUSALS_MAX = 3;

/**
 * All pages of a list, to the end that the site's totals name, each entry once. A list changes while it is read: entries that
 * come push others on to a page that is still to be read, which then shows them twice; entries that go pull others on to one
 * that has been read. So when the total has shrunk, as many entries before the page are read first, and it again.
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
  for (let requests = 0; requests < LIMITS.siteListRequests; requests += 1) {
    const page = await pageAt(skip);
    if (page === undefined) {
      refusals += refused ? 0 : 1;
      refused = true;
      // Where the site says no total, it promises nothing.
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
    // One that says no totals and tells the same again has no pages.
    if (items.length === 0 && page.items.length > 0 && known === 0) return;
    yield { ...page, items };
    if (skip + perPage >= Math.min(end, endOf(page, { skip, perPage }))) return;
    skip += perPage;
  }
  throw new RecorderdError(
    "SITE_LIST_TOO_LONG",
    `The list does not end within ${LIMITS.siteListRequests} pages of ${perPage}: ask for more per page, or for less by search, include or page`,
    { requests: LIMITS.siteListRequests, perPage },
  );
}

/** How many entries the list has, as far as the page says. */
function endOf(
  { items, total, totalPages }: SitePage<unknown>,
  { skip, perPage }: { readonly skip: number; readonly perPage: number },
): number {
  if (total !== undefined) return total;
  if (totalPages !== undefined) return totalPages * perPage;
  return items.length < perPage ? skip + items.length : Number.POSITIVE_INFINITY;
}
