import { SCOPES, type Scope, scopeOfAddress } from "./address-scope.ts";
import { isHomeName } from "./house-name.ts";

/**
 * Whether a server may send a client from one address to another. A server elsewhere must not make this machine ask a router, a
 * service of its own or the metadata of a cloud. A name that resolves to such an address is not noticed.
 */
export function mayRedirect(from: URL, to: URL): boolean {
  const [before, after] = [scopeOf(from), scopeOf(to)];
  if (after === "link") return before === "link";
  return SCOPES.indexOf(after) <= SCOPES.indexOf(before);
}

function scopeOf({ hostname }: URL): Scope {
  return scopeOfAddress(hostname.replace(/^\[(.*)\]$/, "$1")) ?? scopeOfName(hostname);
}

function scopeOfName(name: string): Scope {
  if (/(?:^|\.)localhost\.?$/.test(name)) return "machine";
  return isHomeName(name) ? "house" : "everywhere";
}
