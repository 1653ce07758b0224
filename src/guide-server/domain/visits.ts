import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/decision.ts";
import { type GuideTables, put, remove, type User } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";

/** The password and the rights of a user as one text: after every change it is another one, and the user's sessions end. */
export function proofOf({ rights, password }: User): string {
  return `${rights} ${password}`;
}

interface Arrival {
  /** The SHA-256 of the cookie. */
  readonly id: string;
  readonly user: string;
  /** That of the user when the password was checked. */
  readonly proof: string;
  readonly now: EpochMs;
  readonly until: EpochMs;
}

/** Begins a browser's session. The oldest one ends if the user has too many. @returns false if the user has changed */
export function addVisit(
  tables: GuideTables,
  { id, user: userId, proof, now, until }: Arrival,
): Decision<boolean> {
  const user = tables.users.get(userId);
  if (user === undefined || proofOf(user) !== proof) return { changes: [], value: false };
  const own = [...tables.visits.values()].filter((visit) => visit.userId === userId);
  const ended = own
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .slice(0, Math.max(0, own.length + 1 - SERVER_LIMITS.visitsPerUser));
  const visit = { id, accountId: user.accountId, userId, createdAt: now, expiresAt: until };
  return {
    changes: [...ended.map((one) => remove("visits", one.id)), put("visits", visit)],
    value: true,
  };
}
