import type { Rights } from "../data/tables.ts";

/** The kinds of requests on a household: read it, change its data, or manage its users. */
export type Right = "read" | "write" | "govern";

/** Every right of every role. A recorder reports on its timers, so its session belongs to an owner or a member. */
const ALLOWED_RIGHTS: Readonly<Record<Rights, readonly Right[]>> = {
  owner: ["read", "write", "govern"],
  member: ["read", "write"],
  viewer: ["read"],
};

export function isAllowed(rights: Rights, right: Right): boolean {
  return ALLOWED_RIGHTS[rights].includes(right);
}
