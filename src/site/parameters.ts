import { z } from "zod";
import { RecorderdError } from "../model/errors.ts";
import { SITE_LIMITS } from "./limits.ts";

/*
 * Parameters of requests to a content site, with their names from the site's index. All of them are checked before
 * sending.
 */

export const PER_PAGE_MAX = 100;
export const REDIRECTS_PER_PAGE_MAX = 200;
const BATCH_REQUESTS_MAX = 25;

const Direction = z.enum(["asc", "desc"], { error: "must be asc or desc" });
const OrderBy = text(/^\w{1,64}$/, "must be the name of a field, as in date or title");
const IDS = `must be a list of 1 to ${SITE_LIMITS.ids} identifiers`;
const Ids = z.array(integer(1), { error: IDS }).min(1, { error: IDS }).max(SITE_LIMITS.ids, { error: IDS });
const Search = text(
  new RegExp(`^.{1,${SITE_LIMITS.searchLength}}$`, "s"),
  `must be a text of 1 to ${SITE_LIMITS.searchLength} characters`,
);

const Context = z.enum(["view", "embed", "edit"], { error: "must be view, embed or edit" });

const FIELDS = "must be a list of 1 to 50 names of fields, as in id,title";
const Fields = z
  .array(text(/^[\w.]{1,64}$/, FIELDS), { error: FIELDS })
  .min(1, { error: FIELDS })
  .max(50, { error: FIELDS });

export const CollectionQuery = z.strictObject({
  page: integer(1).default(1),
  per_page: integer(1, PER_PAGE_MAX).default(10),
  /** The site's default is desc. */
  order: Direction.optional(),
  orderby: OrderBy.optional(),
  search: Search.optional(),
  include: Ids.optional(),
  exclude: Ids.optional(),
  /** The number of entries to skip. The site then ignores `page`. */
  offset: integer(0).optional(),
  /** The site's default is view; edit needs credentials. */
  context: Context.optional(),
  /** The requested fields of each entry, always with `id`; absent: all. */
  _fields: Fields.optional(),
});
export type CollectionQuery = z.input<typeof CollectionQuery>;

export const RedirectsQuery = z.strictObject({
  /** The first page is 0. */
  page: integer(0).default(0),
  per_page: integer(5, REDIRECTS_PER_PAGE_MAX).default(25),
  /** The site's default is desc. */
  direction: Direction.optional(),
  orderby: OrderBy.optional(),
});
export type RedirectsQuery = z.input<typeof RedirectsQuery>;

const NAME = /^[A-Za-z0-9_-]{1,100}$/;
/** Ids of plugins and templates have several parts: `akismet/akismet`, `twentytwentyfour//404`. */
const ID = /^[\w-]{1,100}(\/[A-Za-z_-][\w.-]{0,99}){0,2}$|^[\w-]{1,100}\/\/[\w-]{1,100}$/;

export const ItemAddress = z.strictObject({
  collection: text(NAME, "must be the name of a collection, as in posts or pages"),
  id: text(ID, "must be one identifier, as in 42 or akismet/akismet"),
});
export type ItemAddress = z.input<typeof ItemAddress>;

/** The fields of a new entry, or the fields to change. */
export const Fieldset = z.record(z.string(), z.unknown(), { error: "the file must contain an object" });
export type Fieldset = z.infer<typeof Fieldset>;

export const RemoveQuery = z.strictObject({
  /** Deletes instead of moving to the trash. */
  force: z.boolean().default(false),
  /** For a deleted user: the new owner of the user's content; `none` deletes the content too. */
  reassign: z
    .union([integer(1), z.literal("none")], { error: "must be the identifier of a user, or none" })
    .optional(),
});
export type RemoveQuery = z.input<typeof RemoveQuery>;

export const CollectionAddress = ItemAddress.pick({ collection: true });
export const ItemQuery = z.strictObject({ context: Context.optional() });
export type ItemQuery = z.input<typeof ItemQuery>;

const Header = z.union([z.string(), z.array(z.string())], { error: "must be a text or a list of texts" });

const BatchRequest = z.strictObject({
  method: z
    .enum(["POST", "PUT", "PATCH", "DELETE"], { error: "must be POST, PUT, PATCH or DELETE" })
    .default("POST"),
  path: text(/^\/(?!\/)/, "must be a path below /wp-json, beginning with /, as in /wp/v2/posts/42"),
  body: z.record(z.string(), z.unknown(), { error: "must be an object" }).optional(),
  headers: z.record(z.string(), Header, { error: "must be an object" }).optional(),
});

export const Batch = z.strictObject({
  /** With require-all-validate the site carries out all requests, or none if one is invalid. */
  validation: z
    .enum(["require-all-validate", "normal"], { error: "must be normal or require-all-validate" })
    .default("normal"),
  requests: z
    .array(BatchRequest, { error: "must be a list" })
    .min(1, { error: "must contain at least one request" })
    .max(BATCH_REQUESTS_MAX, { error: `must contain at most ${BATCH_REQUESTS_MAX} requests` }),
});
export type Batch = z.input<typeof Batch>;

function text(pattern: RegExp, error: string) {
  return z.string({ error }).regex(pattern, { error });
}

function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `must be a whole number ${range}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** @throws RecorderdError SITE_PARAMETER_INVALID with the parameter's name (`facts.parameter`) and its valid values */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const parameter = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join(".");
  const text = unknown === undefined ? issue?.message : "is not known";
  throw new RecorderdError(
    "SITE_PARAMETER_INVALID",
    `Nothing was sent to the content site: ${parameter === "" ? "the request" : parameter} ${text}`,
    { parameter },
  );
}
