import type { GuideBlock } from "../../model/broadcast-guide.ts";
import type { AnnouncedEvent } from "../../model/inspection.ts";
import { type Triplet, tripletKey } from "../../model/service.ts";
import { type DurationMs, HOUR, SECOND } from "../../model/time.ts";
import type { NetworkCoding } from "./networks.ts";
import type { ReadEvent } from "./tables.ts";

/** EIT present/following of this and of other streams, then schedule of both, 16 tables each. */
export const FOLLOWING_ACTUAL = 0x4e;
const FOLLOWING_OTHER = 0x4f;
const SCHEDULE_OTHER = 0x60;
export const SCHEDULE_LAST = 0x6f;
/**
 * Eight sections of a schedule table form a segment, with the events that begin within three hours; a table has 32 (ETSI TS 101
 * 211 §4.1.4).
 */
const SEGMENT_MS = 3 * HOUR;
const SEGMENTS = 32;

interface TableSection {
  readonly segmentLast: number;
  readonly events: readonly ReadEvent[];
}

export interface Table {
  readonly version: number;
  readonly sections: Map<number, TableSection>;
}

export interface Service {
  readonly triplet: Triplet;
  /** The coding that its tables were read with. */
  readonly coding: NetworkCoding;
  /** By table id. */
  readonly tables: Map<number, Table>;
}

export function isActual(tableId: number): boolean {
  return tableId !== FOLLOWING_OTHER && tableId < SCHEDULE_OTHER;
}

function isFollowing(tableId: number): boolean {
  return tableId === FOLLOWING_ACTUAL || tableId === FOLLOWING_OTHER;
}

/** Least exact first: schedules, other streams first; present/following last. */
function byExactness(a: number, b: number): number {
  const rank = (id: number) => (isFollowing(id) ? 2 : 0) + (isActual(id) ? 1 : 0);
  return rank(a) - rank(b) || a - b;
}

/** Each event once, by id. Tables repeat events without texts; those do not replace texts. */
export function mergedEvents(
  { triplet, tables }: Service,
  authorities: ReadonlyMap<string, string>,
): ReadonlyMap<number, AnnouncedEvent> {
  const authority = authorities.get(tripletKey(triplet));
  const events = new Map<number, AnnouncedEvent>();
  for (const tableId of [...tables.keys()].sort(byExactness)) {
    for (const { events: some } of tables.get(tableId)?.sections.values() ?? []) {
      for (const read of some) {
        const event = withCrids(read, authority);
        const known = events.get(event.eventId);
        if (known === undefined || event.title !== "") events.set(event.eventId, mergedTexts(event, known));
      }
    }
  }
  return events;
}

/** Combines texts: the schedule has long texts that present/following lacks, and vice versa. */
function mergedTexts(event: AnnouncedEvent, known: AnnouncedEvent | undefined): AnnouncedEvent {
  const keepsText =
    known !== undefined && known.title === event.title && known.text.length > event.text.length;
  return keepsText ? { ...event, text: known.text } : event;
}

function withCrids({ crids, ...event }: ReadEvent, authority: string | undefined): AnnouncedEvent {
  const of = (wanted: "programme" | "series") => {
    const found = crids.find(({ kind }) => kind === wanted);
    return found === undefined ? undefined : wholeCrid(found.text, authority);
  };
  const [programmeCrid, seriesCrid] = [of("programme"), of("series")];
  return {
    ...event,
    ...(programmeCrid === undefined ? {} : { programmeCrid }),
    ...(seriesCrid === undefined ? {} : { seriesCrid }),
  };
}

/**
 * With the authority, and without the part that identifies one broadcast; none if the authority is unknown (ETSI TS 102 323
 * §6.3).
 */
function wholeCrid(text: string, authority: string | undefined): string | undefined {
  const crid = text.replace(/#.*$/, "");
  if (/^crid:\/\//i.test(crid)) return crid;
  if (!crid.startsWith("/")) return `crid://${crid}`;
  return authority === undefined ? undefined : `crid://${authority}${crid}`;
}

export function blocksOf(
  { tables, coding }: Service,
  events: ReadonlyMap<number, AnnouncedEvent>,
): readonly GuideBlock[] {
  const merged = (some: readonly ReadEvent[]) =>
    [...new Set(some.map(({ eventId }) => eventId))].flatMap((id) => events.get(id) ?? []);
  return [...tables.keys()]
    .sort((a, b) => byExactness(b, a) || a - b)
    .flatMap((id) => {
      const table = tables.get(id) ?? { version: 0, sections: new Map<number, TableSection>() };
      const blocks = isFollowing(id)
        ? [followingBlock(table)]
        : scheduleBlocks(table, { tableId: id, utcOffsetMs: coding.utcOffsetMs });
      return blocks.map(({ span, events: some }) => ({
        ...(span === undefined ? {} : { span }),
        events: merged(some),
      }));
    })
    .filter(({ span, events: some }) => span !== undefined || some.length > 0);
}

interface ReadBlock {
  readonly span?: GuideBlock["span"];
  readonly events: readonly ReadEvent[];
}

/** No event begins between the present and the following one. */
function followingBlock({ sections }: Table): ReadBlock {
  const [present] = sections.get(0)?.events ?? [];
  const [following] = sections.get(1)?.events ?? [];
  const events = [present, following].filter((event) => event !== undefined);
  return present === undefined || following === undefined || following.start <= present.start
    ? { events }
    : { span: { start: present.start, stop: following.start + SECOND }, events };
}

/**
 * A block per segment; with its span if all sections are present and every event starts within its segment. Segments begin at
 * midnight of the network's clock.
 */
function scheduleBlocks(
  { sections }: Table,
  { tableId, utcOffsetMs }: { readonly tableId: number; readonly utcOffsetMs: DurationMs },
): readonly ReadBlock[] {
  const first = (tableId & 0x0f) * SEGMENTS;
  const bases = new Set(
    [...sections].flatMap(([number, { events }]) =>
      events.map(({ start }) => Math.floor((start + utcOffsetMs) / SEGMENT_MS) - first - (number >> 3)),
    ),
  );
  const [base] = bases;
  const segments = new Set([...sections.keys()].map((number) => number >> 3));
  return [...segments]
    .sort((a, b) => a - b)
    .map((segment): ReadBlock => {
      const numbers = Array.from({ length: 8 }, (_, at) => segment * 8 + at);
      const there = numbers.flatMap((number) => sections.get(number) ?? []);
      const last = there[0]?.segmentLast ?? 0;
      const isWhole = numbers.every((number) => number > last || sections.has(number));
      const events = there.flatMap((each) => each.events);
      if (base === undefined || bases.size > 1 || !isWhole) return { events };
      const start = (base + first + segment) * SEGMENT_MS - utcOffsetMs;
      return { span: { start, stop: start + SEGMENT_MS }, events };
    });
}
