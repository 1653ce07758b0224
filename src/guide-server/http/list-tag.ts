import { createHash } from "node:crypto";
import type { EpochMs } from "../../model/time.ts";

/** Everything that an unchanged list depends on, besides the time. */
export interface ListFacts {
  /** That of the account, read before the list. */
  readonly version: string;
  /** The request, its user and the form of the answer: only an equal request gets an equal list. */
  readonly scope: readonly (string | number | null)[];
}

/** The time in which the list stays the same by itself, `until` excluded. */
export interface ListTime {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/**
 * The ETag of a list. It holds the list's time, so that nothing else need be looked up to recognise it. It is weak:
 * the answer may be compressed or not.
 */
export function listTag(facts: ListFacts, { from, until }: ListTime): string {
  return `W/"${hashOf(facts)}-${from}-${until}"`;
}

const TAG = /"([0-9a-f]{32})-(\d{1,16})-(\d{1,16})"/g;

/** The tag of If-None-Match that describes the list as it is now; `undefined`: the client needs the list. */
export function currentTag(header: string | undefined, facts: ListFacts, now: EpochMs): string | undefined {
  if (header === undefined) return undefined;
  for (const [tag, hash, from, until] of header.matchAll(TAG)) {
    const isTimely = Number(from) <= now && now < Number(until);
    if (isTimely && hash === hashOf(facts)) return `W/${tag}`;
  }
  return undefined;
}

function hashOf({ version, scope }: ListFacts): string {
  return createHash("sha256")
    .update(JSON.stringify([version, scope]))
    .digest("hex")
    .slice(0, 32);
}
