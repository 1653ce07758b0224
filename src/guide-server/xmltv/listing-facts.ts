import { z } from "zod";
import type { GuideStore } from "../data/store.ts";

const FlawsSchema = z.object({
  kind: z.string(),
  count: z.int(),
  leftOut: z.int(),
  first: z.array(z.object({ line: z.int(), reason: z.string() })),
});

/** What is kept of a source of listings. */
export const Facts = z.object({
  programmes: z.int(),
  /** Without what might be secret in it. */
  name: z.string().default(""),
  /** When it was read last, and what was wrong with it then. */
  readAt: z.int().optional(),
  flaws: z.array(FlawsSchema).default([]),
  /** It could not be read since then: what it said before counts. */
  failure: z.object({ at: z.int(), code: z.string(), text: z.string() }).optional(),
  /** IANA name of the zone that somebody said its times are of. */
  zone: z.string().optional(),
  /** It is to be read with what was said of it, though it is what it was before. */
  isPending: z.boolean().optional(),
  /** Far fewer programmes than before have come since then. */
  shrunkenSince: z.int().optional(),
  version: z.object({
    etag: z.string().optional(),
    lastModified: z.string().optional(),
    mtimeMs: z.number().optional(),
    bytes: z.number().optional(),
  }),
});
export type Facts = z.infer<typeof Facts>;

/** Under which the facts of a source at that place are kept. */
export function factsId(sourceId: string, rank: number): string {
  return `${sourceId} ${rank}`;
}

export interface ListingState {
  readonly id: string;
  readonly rank: number;
  readonly facts: Facts;
}

/** The listings that are read, by rank: what is kept of others stays too. */
export function listingStates({ shows, tables }: GuideStore): readonly ListingState[] {
  const read = new Set([...tables.listed.values()].map(({ rank }) => rank));
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

/** Keeps of which zone all times of a listing are. @returns whether there is such a listing */
export function setListingZone({ shows }: GuideStore, id: string, zone: string | undefined): boolean {
  const facts = Facts.safeParse(shows.source(id)).data;
  if (facts === undefined) return false;
  const { zone: _before, ...rest } = facts;
  shows.keepSource(id, { ...rest, ...(zone === undefined ? {} : { zone }), isPending: true });
  return true;
}
