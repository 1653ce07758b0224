import { z } from "zod";
import type { GuideStore } from "../data/store.ts";

const FlawsSchema = z.object({
  kind: z.string(),
  count: z.int(),
  leftOut: z.int(),
  first: z.array(z.object({ line: z.int(), reason: z.string() })),
});

/** The stored facts of a source of listings. */
export const Facts = z.object({
  programmes: z.int(),
  /** Without parts that may be secret. */
  name: z.string().default(""),
  /** The last reading, and its flaws. */
  readAt: z.int().optional(),
  flaws: z.array(FlawsSchema).default([]),
  /** The latest reading failed: the earlier data stays in effect. */
  failure: z.object({ at: z.int(), code: z.string(), text: z.string() }).optional(),
  /** IANA name of the zone that a person chose for its times. */
  zone: z.string().optional(),
  /** The listing must be read with a new setting even if it is unchanged. */
  isPending: z.boolean().optional(),
  /** Since then, readings have had far fewer programmes than before. */
  shrunkenSince: z.int().optional(),
  version: z.object({
    etag: z.string().optional(),
    lastModified: z.string().optional(),
    mtimeMs: z.number().optional(),
    bytes: z.number().optional(),
  }),
});
export type Facts = z.infer<typeof Facts>;

/** The id of the facts of a source at this rank. */
export function factsId(sourceId: string, rank: number): string {
  return `${sourceId} ${rank}`;
}

export interface ListingState {
  readonly id: string;
  readonly rank: number;
  readonly facts: Facts;
}

/** The current listings by rank; facts of other listings stay stored. */
export function listingStates({ shows, catalogue }: GuideStore): readonly ListingState[] {
  const read = new Set([...catalogue.listed.values()].map(({ rank }) => rank));
  const kept = shows.sourceIds("").flatMap((id): readonly ListingState[] => {
    const [, rank] = / (\d{1,4})$/.exec(id) ?? [];
    const facts = rank === undefined ? undefined : Facts.safeParse(shows.source(id)).data;
    if (facts === undefined || facts.name === "") return [];
    return facts.readAt === undefined || read.has(Number(rank)) ? [{ id, rank: Number(rank), facts }] : [];
  });
  const latest = new Map<number, ListingState>();
  for (const one of kept) {
    const other = latest.get(one.rank);
    if (other === undefined || lastAttempt(other) < lastAttempt(one)) latest.set(one.rank, one);
  }
  return [...latest.values()].toSorted((a, b) => a.rank - b.rank);
}

function lastAttempt({ facts: { readAt = 0, failure } }: ListingState): number {
  return Math.max(readAt, failure?.at ?? 0);
}

/** Stores the zone for all times of a listing. @returns whether the listing exists */
export async function setListingZone(
  { shows }: GuideStore,
  id: string,
  zone: string | undefined,
): Promise<boolean> {
  const facts = Facts.safeParse(shows.source(id)).data;
  if (facts === undefined) return false;
  const { zone: _before, ...rest } = facts;
  await shows.keepSource(id, { ...rest, ...(zone === undefined ? {} : { zone }), isPending: true });
  return true;
}
