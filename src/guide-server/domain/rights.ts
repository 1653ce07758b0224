import type { Rights } from "../data/tables.ts";

/** What a request does to a household: look, change what it has, or say who its users are. */
export type Right = "read" | "write" | "govern";

/** The whole of it. A recorder tells what it does with its timers, so its session is an owner's or a member's. */
const ALLOWED_RIGHTS: Readonly<Record<Rights, readonly Right[]>> = {
  owner: ["read", "write", "govern"],
  member: ["read", "write"],
  viewer: ["read"],
};

export function isAllowed(rights: Rights, right: Right): boolean {
  return ALLOWED_RIGHTS[rights].includes(right);
}
