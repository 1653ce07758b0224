import type { z } from "zod";
import type { HttpAnswer } from "../kit/http/http.ts";
import { RecorderdError } from "../model/errors.ts";
import {
  BatchAnswer,
  Deleted,
  type Redirect,
  RedirectList,
  SettingsItems,
  SiteIndex,
  SiteItem,
  SiteItems,
} from "./documents.ts";
import { exchange, type SiteOptions, type SiteOrder, siteOf } from "./exchange.ts";
import { redirectRouteOf } from "./index-facts.ts";
import {
  Batch,
  CollectionAddress,
  CollectionQuery,
  checked,
  Fieldset,
  ItemAddress,
  ItemQuery,
  RedirectsQuery,
  RemoveQuery,
} from "./parameters.ts";
import { type SitePage, walk } from "./walk.ts";

/**
 * The requests of a content site. Each method sends one request (redirects: one more, for the index; the first: up
 * to two more, if the API is not at /wp-json/), follows no redirection, retries nothing, and fails with a
 * RecorderdError:
 *
 * - SITE_PARAMETER_INVALID for a parameter out of its range, before sending
 * - SITE_UNREACHABLE, SITE_UNAVAILABLE, SITE_SIGN_IN_NEEDED, SITE_NOT_FOUND, SITE_REFUSED
 * - SITE_ANSWER_INVALID for an answer of another form
 *
 * Its facts name `method`, `endpoint` (the path in the API) and, with an answer, `status` and the site's own
 * `siteCode`.
 */
export interface SiteClient {
  index(signal: AbortSignal): Promise<SiteIndex>;
  list(request: CollectionRequest, signal: AbortSignal): Promise<SitePage<SiteItem>>;
  /**
   * Reads from the requested page or offset to the end, each entry once.
   *
   * @throws RecorderdError SITE_LIST_TOO_LONG if it does not end within the limit
   */
  walk(request: CollectionRequest, signal: AbortSignal): AsyncIterable<SitePage<SiteItem>>;
  item(request: ItemAddress & { readonly query?: ItemQuery }, signal: AbortSignal): Promise<SiteItem>;
  /** @returns the entry as the site created it */
  create(
    request: { readonly collection: string; readonly fields: Fieldset },
    signal: AbortSignal,
  ): Promise<SiteItem>;
  /** Other fields stay. @returns the changed entry */
  update(request: ItemAddress & { readonly fields: Fieldset }, signal: AbortSignal): Promise<SiteItem>;
  /** Moves the entry to the trash, or deletes it with `force`. */
  remove(request: ItemAddress & RemoveQuery, signal: AbortSignal): Promise<Deleted>;
  /** At most 25 requests in one. The answer contains individual failures; they do not throw. */
  batch(batch: Batch, signal: AbortSignal): Promise<BatchAnswer>;
  /** One page. Sites show redirects only to administrators. */
  redirects(query: RedirectsQuery, signal: AbortSignal): Promise<SitePage<Redirect>>;
  /** Like `walk`. */
  walkRedirects(query: RedirectsQuery, signal: AbortSignal): AsyncIterable<SitePage<Redirect>>;
}

interface CollectionRequest {
  /** `posts`, `pages`, `media` … */
  readonly collection: string;
  readonly query?: CollectionQuery;
}

/** @throws RecorderdError SITE_PARAMETER_INVALID or SITE_CREDENTIALS_INVALID, see exchange.ts */
export function createSiteClient(options: SiteOptions): SiteClient {
  const way = { site: siteOf(options), http: options.http, clock: options.clock };
  const ask = <S extends z.ZodType>(schema: S, order: SiteOrder, signal: AbortSignal) =>
    exchange(way, { schema, order }, signal);
  const index = async (signal: AbortSignal) => (await ask(SiteIndex, { path: [] }, signal)).value;

  async function list({ collection }: CollectionRequest, query: CollectionQuery, signal: AbortSignal) {
    const path = [...CONTENT, checked(CollectionAddress, { collection }).collection];
    const { _fields: fields } = query;
    const asked = fields === undefined ? query : { ...query, _fields: ["id", ...fields] };
    const { value, headers } = await ask(
      collection === "settings" ? SettingsItems : SiteItems,
      { path, query: asked },
      signal,
    );
    return { items: value, ...totalsOf(headers) };
  }
  async function* walkCollection(request: CollectionRequest, signal: AbortSignal) {
    const query = checked(CollectionQuery, request.query ?? {});
    const { page, per_page, offset, ...others } = query;
    const first = offset ?? (page - 1) * per_page;
    yield* walk({
      skip: first,
      perPage: per_page,
      pageAt: (skip) => {
        const place = offset === undefined ? { page: skip / per_page + 1 } : { offset: skip };
        const asked = list(request, { ...others, ...place, per_page }, signal);
        return skip === first ? asked : unlessPastTheEnd(asked);
      },
    });
  }

  async function redirects(path: readonly string[], query: RedirectsQuery, signal: AbortSignal) {
    const { value } = await ask(RedirectList, { path, query }, signal);
    return { items: value.items, total: value.total };
  }
  const redirectPath = async (signal: AbortSignal) => redirectRouteOf(await index(signal));
  async function* walkRedirects(query: RedirectsQuery, signal: AbortSignal) {
    const { page, per_page, ...others } = checked(RedirectsQuery, query);
    const path = await redirectPath(signal);
    const pageAt = (skip: number) => redirects(path, { ...others, page: skip / per_page, per_page }, signal);
    yield* walk({ skip: page * per_page, perPage: per_page, pageAt });
  }

  return {
    index,
    list: async (request, signal) => list(request, checked(CollectionQuery, request.query ?? {}), signal),
    walk: walkCollection,
    item: async ({ query = {}, ...address }, signal) => {
      const path = pathOf(address);
      return (await ask(SiteItem, { path, query: checked(ItemQuery, query) }, signal)).value;
    },
    create: async ({ collection, fields }, signal) => {
      const path = [...CONTENT, checked(CollectionAddress, { collection }).collection];
      return (await ask(SiteItem, { method: "POST", path, body: checked(Fieldset, fields) }, signal)).value;
    },
    update: async ({ fields, ...address }, signal) => {
      const path = pathOf(address);
      return (await ask(SiteItem, { method: "POST", path, body: checked(Fieldset, fields) }, signal)).value;
    },
    remove: async ({ collection, id, ...how }, signal) => {
      const address = { collection, id };
      const { force, reassign } = checked(RemoveQuery, how);
      const query = {
        ...(force ? { force } : {}),
        ...(reassign === undefined ? {} : { reassign: reassign === "none" ? false : reassign }),
      };
      return (await ask(Deleted, { method: "DELETE", path: pathOf(address), query }, signal)).value;
    },
    batch: async (batch, signal) => {
      const body = checked(Batch, batch);
      const asked = await ask(BatchAnswer, { method: "POST", path: BATCH, body }, signal);
      return walkAll(asked.value, body.requests.length);
    },
    redirects: async (query, signal) => {
      const whole = checked(RedirectsQuery, query);
      return redirects(await redirectPath(signal), whole, signal);
    },
    walkRedirects,
  };
}

const CONTENT = ["wp", "v2"] as const;
const BATCH = ["batch", "v1"] as const;

function pathOf(address: ItemAddress): readonly string[] {
  const { collection, id } = checked(ItemAddress, address);
  return [...CONTENT, collection, ...id.split("/")];
}

/** The site's totals of the whole list. A malformed total counts as absent. */
function totalsOf(headers: HttpAnswer["headers"]): { readonly total?: number; readonly totalPages?: number } {
  const count = (name: string) => (/^\d{1,9}$/.test(headers[name] ?? "") ? Number(headers[name]) : undefined);
  const total = count("x-wp-total");
  const totalPages = count("x-wp-totalpages");
  return { ...(total === undefined ? {} : { total }), ...(totalPages === undefined ? {} : { totalPages }) };
}

/** Sites refuse a page beyond the end of the list; for each kind of content the code has this ending. */
async function unlessPastTheEnd<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const isPast =
      error instanceof RecorderdError && String(error.facts["siteCode"]).endsWith("_invalid_page_number");
    if (isPast) return undefined;
    throw error;
  }
}

function walkAll(answer: BatchAnswer, requests: number): BatchAnswer {
  if (answer.responses.length === requests) return answer;
  throw new RecorderdError(
    "SITE_ANSWER_INVALID",
    `The content site answered ${answer.responses.length} of the ${requests} requests of the batch: check on the site what was done`,
    { requests, responses: answer.responses.length },
  );
}
