import { z } from "zod";
import { isJsonObject } from "../kit/text/parse-json.ts";

/*
 * The answers of a content site, with schemas for the fields that are used; all other fields are kept.
 */

/** An empty object often arrives as `[]`. */
function objectOf<S extends z.ZodType>(entry: S) {
  return z.preprocess(
    (value) => (Array.isArray(value) && value.length === 0 ? {} : value),
    z.record(z.string(), entry),
  );
}

const Method = z.string();

const Route = z.looseObject({
  namespace: z.string().default(""),
  methods: z.array(Method).default([]),
  endpoints: z
    .array(z.looseObject({ methods: z.array(Method).default([]), args: objectOf(z.unknown()).default({}) }))
    .default([]),
});

export const SiteIndex = z.looseObject({
  name: z.string().default(""),
  description: z.string().default(""),
  url: z.string().default(""),
  namespaces: z.array(z.string()),
  authentication: objectOf(z.unknown()).default({}),
  routes: objectOf(Route),
});
export type SiteIndex = z.infer<typeof SiteIndex>;

export const ApplicationPasswords = z.looseObject({
  endpoints: z.looseObject({ authorization: z.url({ protocol: /^https?$/ }) }),
});

const Id = z.union([z.int(), z.string().min(1)]);

/** Identifiers with other names: types and statuses, plugins, themes, settings. */
const OTHER_IDS = ["plugin", "stylesheet", "slug", "name"] as const;

function withId(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "id" in value) return value;
  const id = OTHER_IDS.map((name) => Reflect.get(value, name)).find((each) => Id.safeParse(each).success);
  return id === undefined ? value : { id, ...value };
}

export const SiteItem = z.preprocess(withId, z.looseObject({ id: Id }));
export type SiteItem = z.infer<typeof SiteItem>;

/** A list; collections keyed by name (types, taxonomies, statuses) become one. */
export const SiteItems = z.preprocess((value) => {
  const named = isJsonObject(value) ? Object.entries(value) : [];
  const isNamed = named.length > 0 && named.every(([, each]) => isJsonObject(each));
  return isNamed ? named.map(([id, each]) => ({ id, ...Object(each) })) : value;
}, z.array(SiteItem));

/** The settings are a single object without an identifier. */
export const SettingsItems = z
  .looseObject({})
  .transform((settings): SiteItem[] => [{ id: "settings", ...settings }]);

export const Redirect = z.looseObject({ id: Id, url: z.string() });
export type Redirect = z.infer<typeof Redirect>;

const Count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

export const RedirectList = z.looseObject({ items: z.array(Redirect), total: Count });

/** The outcome of a deletion: in the trash (the item with that status), or gone for good. */
export const Deleted = z.looseObject({ deleted: z.boolean().optional(), status: z.string().optional() });
export type Deleted = z.infer<typeof Deleted>;

const BatchResponse = z.looseObject({ status: z.int(), body: z.unknown() });

export const BatchAnswer = z.looseObject({
  /** `validation`: a request was invalid, so none was carried out. */
  failed: z.string().optional(),
  /** In the order of the requests; `null` for a valid one that was not carried out. */
  responses: z.array(BatchResponse.nullable()),
});
export type BatchAnswer = z.infer<typeof BatchAnswer>;

export const SiteFailure = z.looseObject({ code: z.union([z.string(), z.number()]), message: z.string() });
