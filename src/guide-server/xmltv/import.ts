import type { Channel } from "../../guide-wire/records.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import { XmlFlaw } from "../../kit/xml/xml-stream.ts";
import { RecorderdError } from "../../model/errors.ts";
import { DAY, type EpochMs } from "../../model/time.ts";
import type { GuideStore } from "../data/store.ts";
import { type Change, type GuideTables, put } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { isRefusal } from "../refusal.ts";
import { type ChannelMatch, type ChannelTable, matchChannels } from "./channels.ts";
import { FlawCount, type Flaws } from "./flaws.ts";
import { channelsFedBy, listingChannelChanges, taughtFields, withdrawSchedules } from "./listed-channels.ts";
import { withoutOverlaps } from "./order.ts";
import { publishSchedule } from "./publish-schedule.ts";
import { type Complaint, createXmltvReader, type ListedChannel, type ListedProgramme } from "./reader.ts";
import { Staging } from "./staging.ts";
import type { TimeRules } from "./times.ts";
import { whyNothing } from "./why-nothing.ts";

/** The changes from a listing, and its unusable parts. */
export interface ImportReport {
  readonly programmes: number;
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
  /** Programmes that are unusable, or that a better listing contradicts. */
  readonly leftOut: number;
  /** Flaws of the listing, repaired or not. */
  readonly flaws: readonly Flaws[];
  readonly channels: readonly ChannelMatch[];
}

export interface ListingImport {
  readonly store: GuideStore;
  /** The text of the listing, decompressed. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The rank among all listings, from 1: lower is better. */
  readonly rank: number;
  readonly table: ChannelTable;
  readonly times: TimeRules;
  /** The listing's times were read in another zone before: its earlier programmes are withdrawn. */
  readonly isMoved: boolean;
  /** Number of programmes at the previous reading; a far smaller listing is not accepted. */
  readonly programmesBefore: number;
  /** The folder for data that does not fit into memory. */
  readonly folder: string;
  readonly now: () => EpochMs;
  readonly signal: AbortSignal;
}

/** A listing with a larger unusable share is malformed. */
const LEFT_OUT_SHARE_MAX = 0.5;
/** A listing with a smaller share of its earlier programmes is shrunken. */
const SHRUNKEN_SHARE = 0.5;

/**
 * Reads a listing and brings the guide in line with it. Nothing changes until all of it is read and accepted.
 *
 * @throws RecorderdError LISTING_MALFORMED naming line and reason, LISTING_SHRUNKEN, STORE_WRITE_FAILED
 */
export async function importListing(order: ListingImport): Promise<ImportReport> {
  await using staging = await Staging.open(order.folder);
  const read = await readListing(order, staging);
  // A channel missing from the listing for a day keeps its earlier programmes, as after a failed reading.
  const named = new Set(read.channels.map(({ id }) => id));
  const before = channelsFedBy(order.store.catalogue, { rank: order.rank, named });
  const matches = await publishChannels(order, read.channels);
  const fed = new Set(matches.map(({ channelId }) => channelId));
  if (matches.every(({ channelId }) => channelId === undefined)) {
    const reason = "none of its channels is one of the guide: they are ignored, or a better listing has them";
    read.complain({ kind: "content", line: 0, reason, leftOut: false });
  }
  await withdrawSchedules(
    order,
    [...before].filter((channelId) => !fed.has(channelId)),
  );
  let totals = { added: 0, changed: 0, gone: 0, leftOut: read.leftOut };
  for (const { listed, channelId } of matches) {
    if (channelId === undefined) continue;
    order.signal.throwIfAborted();
    await yieldToLoop();
    const programmes = withoutOverlaps(await staging.programmesOf(listed.id), read.complain);
    const done = await order.store.withScheduleLock(() => publishListed(order, { channelId, programmes }));
    totals = {
      added: totals.added + done.added,
      changed: totals.changed + done.changed,
      gone: totals.gone + done.gone,
      leftOut: totals.leftOut + done.leftOut,
    };
  }
  const flaws = read.flaws.all();
  const duplicates = flaws.find(({ kind }) => kind === "duplicate")?.leftOut ?? 0;
  return {
    ...totals,
    leftOut: totals.leftOut + duplicates,
    programmes: staging.count,
    flaws,
    channels: matches,
  };
}

interface ReadListing {
  readonly channels: readonly ListedChannel[];
  readonly leftOut: number;
  readonly flaws: FlawCount;
  readonly complain: (complaint: Complaint) => void;
}

async function readListing(
  { bytes, times, programmesBefore, now, signal }: ListingImport,
  staging: Staging,
): Promise<ReadListing> {
  const channels = new Map<string, ListedChannel>();
  const flaws = new FlawCount();
  let firstLeftOut: Complaint | undefined;
  let [leftOut, end] = [0, 0];
  const complain = (complaint: Complaint) => {
    flaws.add(complaint);
    if (!complaint.leftOut) return;
    leftOut += 1;
    firstLeftOut ??= complaint;
  };
  const reader = createXmltvReader(
    {
      channel: (channel) => channels.set(channel.id, channel),
      programme: (programme) => {
        staging.add(programme);
        end = Math.max(end, programme.stop ?? programme.start);
      },
      complain,
    },
    times,
  );
  try {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      reader.write(chunk);
      await yieldToLoop();
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof XmlFlaw)) throw error;
    throw malformed(error.line, error.message);
  }
  if (firstLeftOut !== undefined && leftOut > LEFT_OUT_SHARE_MAX * (leftOut + staging.count)) {
    throw malformed(firstLeftOut.line, `most of it cannot be used: ${firstLeftOut.reason}`);
  }
  const nothing = whyNothing({ channels: channels.size, programmes: staging.count, end }, now());
  if (staging.count < SHRUNKEN_SHARE * programmesBefore || staging.count === 0)
    throw shrunken({ programmes: staging.count, programmesBefore }, nothing);
  if (nothing !== undefined) complain({ kind: "content", line: 0, reason: nothing, leftOut: false });
  return { channels: [...channels.values()], leftOut, flaws, complain };
}

function shrunken(
  facts: { readonly programmes: number; readonly programmesBefore: number },
  nothing: string | undefined,
): RecorderdError {
  const { programmes, programmesBefore } = facts;
  const text =
    nothing === undefined || programmes > 0
      ? `The listing has only ${programmes} programmes instead of ${programmesBefore}: it is not accepted yet.`
      : `The listing is not accepted: ${nothing}.`;
  return new RecorderdError("LISTING_SHRUNKEN", text, facts);
}

function malformed(line: number, reason: string): RecorderdError {
  return new RecorderdError("LISTING_MALFORMED", `Line ${line}: ${reason}.`, { line, reason });
}

/** Creates guide channels for the unmatched ones. */
async function publishChannels(
  { store, table, rank }: ListingImport,
  listed: readonly ListedChannel[],
): Promise<readonly ChannelMatch[]> {
  const outcome = await store.commitShared((tables) => {
    const matches = matchChannels(listed, {
      channels: [...tables.channels.values()],
      before: new Map([...tables.listings.values()].map(({ id, channelId }) => [id, channelId])),
      table,
    });
    const fresh = matches.filter(({ by }) => by === "new");
    const { ids, change } = channelIds(tables, fresh.length);
    const made = new Map(fresh.map((match, index) => [match, newChannel(tables, match, ids[index] ?? 0)]));
    const placed = matches.map((match): ChannelMatch => {
      const channel = made.get(match);
      return channel === undefined ? match : { ...match, channelId: channel.id };
    });
    return {
      changes: [
        ...(fresh.length > 0 ? [change] : []),
        ...[...made.values()].map((channel) => put("channels", channel)),
        ...placed.flatMap((match) => [...listingLink(tables, match), ...taughtFields(tables, match, rank)]),
        ...listingChannelChanges(tables, placed, rank),
      ],
      value: placed,
    };
  });
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}

/** Unused channel ids, and the change that reserves them. */
export function channelIds(
  tables: GuideTables,
  count: number,
): { readonly ids: readonly number[]; readonly change: Change } {
  const next = tables.counters.get("channel")?.next ?? 1;
  const ids: number[] = [];
  let id = next;
  for (; ids.length < count; id += 1) if (!tables.channels.has(String(id))) ids.push(id);
  return { ids, change: put("counters", { id: "channel", next: id }) };
}

function newChannel(tables: GuideTables, { listed, triplet }: ChannelMatch, id: number): Channel {
  const [region] = tables.regions.values();
  const [name = listed.id, ...others] = listed.names;
  return {
    id,
    name,
    ...(region === undefined ? {} : { region_id: region.id, region_name: region.name }),
    is_hd: /\bU?HD\b/.test(name) ? 1 : 0,
    ...(listed.lcns.length > 0 ? { lcns: listed.lcns.join(",") } : {}),
    ...(listed.icon === undefined ? {} : { icon_src: listed.icon }),
    ...(triplet === undefined ? {} : { dvb: [triplet] }),
    ...(others.length > 0 ? { known_names: others } : {}),
  };
}

function listingLink(tables: GuideTables, { listed, channelId }: ChannelMatch): readonly Change[] {
  const before = tables.listings.get(listed.id)?.channelId;
  return channelId === undefined || channelId === before
    ? []
    : [put("listings", { id: listed.id, channelId })];
}

async function publishListed(
  { store, rank, isMoved, now, signal }: ListingImport,
  { channelId, programmes }: { readonly channelId: number; readonly programmes: readonly ListedProgramme[] },
) {
  const [first] = programmes;
  if (first === undefined) return { added: 0, changed: 0, gone: 0, leftOut: 0 };
  const to = programmes.reduce((latest, { start, stop }) => Math.max(latest, stop ?? start + 1), first.start);
  // No two zones are further apart.
  const marginMs = isMoved ? DAY : 0;
  const span = { from: first.start - marginMs, to: to + marginMs };
  const missingMs = isMoved ? 0 : SERVER_LIMITS.listingShrunkenMs;
  return await publishSchedule(store, { channelId, rank, programmes, span, missingMs, now: now(), signal });
}
