import {
  type Arguments,
  BATCH_ARGUMENTS,
  DELETE_ARGUMENTS,
  type GivenValues,
  ITEM_ARGUMENTS,
  LIST_ARGUMENTS,
  REDIRECT_ARGUMENTS,
  refusal,
  type SiteReply,
  WRITE_ARGUMENTS,
} from "./site-arguments.ts";

/** An entry of a collection. */
export interface SiteEntry {
  readonly id: number;
  /** HTML. */
  readonly title: string;
  /** `2026-11-20T09:00:00`, UTC. */
  readonly date: string;
  readonly status?: string;
}

export interface SiteRedirect {
  readonly id: number;
  readonly from: string;
  readonly to: string;
}

/** The site's current content. */
export interface SiteContent {
  readonly url: string;
  collections: Readonly<Record<string, readonly SiteEntry[]>>;
  redirects: readonly SiteRedirect[];
}

interface SiteCall {
  readonly content: SiteContent;
  readonly signedIn: boolean;
  readonly values: GivenValues;
  /** Collection and identifier from the path. */
  readonly collection: string;
  readonly id: number;
}

export interface SiteRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The regular expression that the index shows. */
  readonly path: string;
  readonly collection?: string;
  readonly parameters: Arguments;
  /** Allowed in a batch. */
  readonly batch?: true;
  readonly run: (call: SiteCall) => SiteReply;
}

/** A collection without a trash deletes permanently or not at all, and takes no batches. */
const WITHOUT_TRASH = "media";

export function routesOf({ collections }: SiteContent): readonly SiteRoute[] {
  const redirects: SiteRoute = {
    method: "GET",
    path: "/redirection/v1/redirect",
    parameters: REDIRECT_ARGUMENTS,
    run: redirectList,
  };
  return [...Object.keys(collections).flatMap(collectionRoutes), redirects];
}

function collectionRoutes(collection: string): readonly SiteRoute[] {
  const path = `/wp/v2/${collection}`;
  const one = `${path}/(?P<id>[\\d]+)`;
  const batch = collection === WITHOUT_TRASH ? {} : ({ batch: true } as const);
  const write = { collection, parameters: WRITE_ARGUMENTS, ...batch };
  return [
    { method: "GET", path, collection, parameters: LIST_ARGUMENTS, run: list },
    { ...write, method: "POST", path, run: create },
    { method: "GET", path: one, collection, parameters: ITEM_ARGUMENTS, run: get },
    ...(["POST", "PUT", "PATCH"] as const).map((method) => ({ ...write, method, path: one, run: update })),
    { ...write, method: "DELETE", path: one, parameters: DELETE_ARGUMENTS, run: remove },
  ];
}

/** The index; it is the same for everybody. */
export function indexOf(content: SiteContent): SiteReply {
  const batch = { method: "POST", path: "/batch/v1", parameters: BATCH_ARGUMENTS } as const;
  const routes: Record<string, { namespace: string; methods: string[]; endpoints: unknown[] }> = {};
  for (const { method, path, parameters } of [batch, ...routesOf(content)]) {
    const namespace = path === batch.path ? "" : path.split("/").slice(1, 3).join("/");
    routes[path] ??= { namespace, methods: [], endpoints: [] };
    routes[path].methods.push(method);
    routes[path].endpoints.push({ methods: [method], args: parameters });
  }
  const authorization = `${content.url}/wp-admin/authorize-application.php`;
  return {
    status: 200,
    body: {
      name: "Simulated Guide News",
      description: "News of a guide that is not there",
      url: content.url,
      namespaces: ["wp/v2", "redirection/v1"],
      authentication: { "application-passwords": { endpoints: { authorization } } },
      routes,
    },
  };
}

function list({ content, collection, signedIn, values }: SiteCall): SiteReply {
  if (values["context"] === "edit" && !signedIn) return forbidden("rest_forbidden_context");
  const { page, per_page, offset, search = "", include, exclude, order, orderby } = values;
  const includes = (include as readonly unknown[]).map(Number);
  const excludes = (exclude as readonly unknown[]).map(Number);
  const wanted = entriesOf(content, collection).filter(
    ({ id, title, status = "publish" }) =>
      status === "publish" &&
      title.toLowerCase().includes(String(search).toLowerCase()) &&
      (includes.length === 0 || includes.includes(id)) &&
      !excludes.includes(id),
  );
  const sorted = [...wanted].sort((a, b) => compare(a, b, String(orderby)) * (order === "asc" ? 1 : -1));
  const size = Number(per_page);
  const pages = Math.ceil(sorted.length / size);
  if (offset === undefined && Number(page) > Math.max(1, pages)) {
    return refusal(400, "rest_post_invalid_page_number", "The list has fewer pages than that.");
  }
  const from = offset === undefined ? (Number(page) - 1) * size : Number(offset);
  return {
    status: 200,
    headers: { "x-wp-total": String(sorted.length), "x-wp-totalpages": String(pages) },
    body: sorted.slice(from, from + size).map((entry) => answered(content, collection, entry)),
  };
}

function compare(a: SiteEntry, b: SiteEntry, orderby: string): number {
  const by = orderby === "date" ? a.date.localeCompare(b.date) : 0;
  const named = orderby === "title" ? a.title.localeCompare(b.title) : by;
  return named === 0 ? a.id - b.id : named;
}

function answered({ url }: SiteContent, collection: string, { id, title, date, status }: SiteEntry) {
  return {
    id,
    date,
    date_gmt: date,
    status: status ?? "publish",
    link: `${url}/${collection}/${id}/`,
    title: { rendered: title },
  };
}

function get({ content, collection, id, signedIn, values }: SiteCall): SiteReply {
  if (values["context"] === "edit" && !signedIn) return forbidden("rest_forbidden_context");
  const entry = entriesOf(content, collection).find((each) => each.id === id);
  return entry === undefined ? unknownId() : { status: 200, body: answered(content, collection, entry) };
}

function create({ content, collection, signedIn, values }: SiteCall): SiteReply {
  if (!signedIn) return forbidden("rest_cannot_create");
  const entries = entriesOf(content, collection);
  const id = Math.max(0, ...entries.map((each) => each.id)) + 1;
  const status = String(values["status"] ?? "draft");
  const entry = { id, title: String(values["title"] ?? ""), date: "2026-11-20T09:00:00", status };
  keep(content, collection, [...entries, entry]);
  return { status: 201, body: answered(content, collection, entry) };
}

function update(call: SiteCall): SiteReply {
  const { content, collection, id, signedIn, values } = call;
  const entries = entriesOf(content, collection);
  const entry = entries.find((each) => each.id === id);
  if (entry === undefined) return unknownId();
  if (!signedIn) return forbidden("rest_cannot_edit");
  const { title = entry.title, status = entry.status ?? "publish" } = values;
  const changed = { ...entry, title: String(title), status: String(status) };
  keep(
    content,
    collection,
    entries.map((each) => (each.id === id ? changed : each)),
  );
  return { status: 200, body: answered(content, collection, changed) };
}

function remove({ content, collection, id, signedIn, values }: SiteCall): SiteReply {
  const entries = entriesOf(content, collection);
  const entry = entries.find((each) => each.id === id);
  if (entry === undefined) return unknownId();
  if (!signedIn) return forbidden("rest_cannot_delete");
  if (values["force"] === true) {
    keep(
      content,
      collection,
      entries.filter((each) => each.id !== id),
    );
    return { status: 200, body: { deleted: true, previous: answered(content, collection, entry) } };
  }
  if (collection === WITHOUT_TRASH) {
    return refusal(501, "rest_trash_not_supported", "This has no trash. Set 'force=true' to delete.");
  }
  if (entry.status === "trash") return refusal(410, "rest_already_trashed", "It is in the trash already.");
  const trashed = { ...entry, status: "trash" };
  keep(
    content,
    collection,
    entries.map((each) => (each.id === id ? trashed : each)),
  );
  return { status: 200, body: answered(content, collection, trashed) };
}

function redirectList({ content, signedIn, values }: SiteCall): SiteReply {
  if (!signedIn) return forbidden("rest_forbidden");
  const sorted = [...content.redirects].sort((a, b) =>
    values["direction"] === "asc" ? a.id - b.id : b.id - a.id,
  );
  const size = Number(values["per_page"]);
  const from = Number(values["page"]) * size;
  const items = sorted.slice(from, from + size).map((redirect) => ({
    id: redirect.id,
    url: redirect.from,
    action_code: 301,
    action_type: "url",
    action_data: { url: redirect.to },
    hits: 0,
    enabled: true,
  }));
  return { status: 200, body: { items, total: sorted.length } };
}

function entriesOf({ collections }: SiteContent, collection: string): readonly SiteEntry[] {
  return collections[collection] ?? [];
}

function keep(content: SiteContent, collection: string, entries: readonly SiteEntry[]): void {
  content.collections = { ...content.collections, [collection]: entries };
}

function unknownId(): SiteReply {
  return refusal(404, "rest_post_invalid_id", "Invalid post ID.");
}

function forbidden(code: string): SiteReply {
  return refusal(401, code, "Sorry, you are not allowed to do that.");
}
