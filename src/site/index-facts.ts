import { RecorderdError } from "../model/errors.ts";
import { ApplicationPasswords, type SiteIndex } from "./documents.ts";

export interface SiteCollection {
  readonly name: string;
  readonly methods: readonly string[];
  /** Whether it has pages. */
  readonly paged: boolean;
}

/** The collections below wp/v2, in the order of the index. */
export function collectionsOf({ routes }: SiteIndex): readonly SiteCollection[] {
  return Object.entries(routes).flatMap(([route, { methods, endpoints }]) => {
    const [, name] = /^\/wp\/v2\/([A-Za-z0-9_-]+)$/.exec(route) ?? [];
    if (name === undefined || !methods.includes("GET")) return [];
    const get = endpoints.find((endpoint) => endpoint.methods.includes("GET"));
    return [{ name, methods, paged: Object.hasOwn(get?.args ?? {}, "per_page") }];
  });
}

/** The page on which a person lets the site create an application password; `undefined` if the site has none. */
export function authorizationEndpointOf({ authentication }: SiteIndex): string | undefined {
  return ApplicationPasswords.safeParse(authentication["application-passwords"]).data?.endpoints
    .authorization;
}

/**
 * The path of the list of redirections, below /wp-json/. It belongs to an extension of the site, so the index
 * determines its version.
 *
 * @throws RecorderdError SITE_NOT_FOUND if the site has none
 */
export function redirectRouteOf({ routes }: SiteIndex): readonly string[] {
  const route = Object.entries(routes).find(
    ([path, { methods }]) => /^\/redirection\/v\d+\/redirect$/.test(path) && methods.includes("GET"),
  )?.[0];
  if (route !== undefined) return route.split("/").slice(1);
  throw new RecorderdError(
    "SITE_NOT_FOUND",
    "The content site has no list of redirections: its index names no route redirect in a namespace redirection/v…",
  );
}
