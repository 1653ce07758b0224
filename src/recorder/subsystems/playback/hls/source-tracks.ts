import { RecorderdError } from "../../../../model/errors.ts";
import { PACKET_BYTES } from "../../../../mpeg-ts/packets.ts";
import { payloadHeads } from "../../../../mpeg-ts/streams/payload-heads.ts";
import { mapSection } from "../../../../mpeg-ts/tables/player-tables.ts";
import type { Section } from "../../../../mpeg-ts/tables/sections.ts";
import { readPmt } from "../../../../mpeg-ts/tables/tables.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import type { Segment } from "./segments.ts";
import type { HlsParts, HlsSource } from "./source.ts";
import { type Tracks, tracksOf } from "./tracks.ts";

/** @throws RecorderdError RECORDING_UNKNOWN if there is no such segment */
export function segmentOf({ segments }: HlsParts, number: number): Segment {
  const segment = segments[number - (segments[0]?.number ?? 0)];
  if (segment === undefined)
    throw new RecorderdError("RECORDING_UNKNOWN", `There is no part ${number} of this stream.`);
  return segment;
}

/**
 * The first segment with the tables that are in force longest: those of the event, and not those of its padding.
 *
 * @throws RecorderdError RECORDING_UNKNOWN if there is no segment
 */
export function usualSegment({ segments }: HlsParts): Segment {
  const lengths = new Map<number, number>();
  for (const { tables, durationMs } of segments) lengths.set(tables, (lengths.get(tables) ?? 0) + durationMs);
  const longest = Math.max(...lengths.values());
  const found = segments.find(({ tables }) => lengths.get(tables) === longest);
  if (found === undefined) throw new RecorderdError("RECORDING_UNKNOWN", "There is nothing to play yet.");
  return found;
}

/** The tables in force in a segment. @throws RecorderdError INDEX_UNUSABLE */
export function tablesAt({ tables }: HlsParts, segment: Segment): Uint8Array {
  const packets = tables[segment.tables];
  if (packets === undefined) throw new RecorderdError("INDEX_UNUSABLE", "The index holds no PMT.");
  return packets;
}

/** The PMT in force in a segment. @throws RecorderdError INDEX_UNUSABLE */
export function mapAt(parts: HlsParts, segment: Segment): Section {
  const section = mapSection(tablesAt(parts, segment));
  if (section === undefined) throw new RecorderdError("INDEX_UNUSABLE", "The index holds no PMT.");
  return section;
}

/** The tracks of a segment, by its PMT and the beginnings of its streams. @throws RecorderdError INDEX_UNUSABLE */
export async function tracksAt(source: HlsSource, parts: HlsParts, segment: Segment): Promise<Tracks> {
  const section = mapAt(parts, segment);
  const last = Math.min(segment.end, segment.first + PLAYBACK_LIMITS.parameterSearchBytes) - 1;
  const read: Buffer[] = [];
  for await (const bytes of source.read({ first: segment.first, last })) read.push(bytes);
  const begin = Buffer.concat(read);
  const pids = new Set(readPmt(section).streams.map(({ pid }) => pid));
  const whole = begin.subarray(0, begin.length - (begin.length % PACKET_BYTES));
  return tracksOf(section, payloadHeads(whole, { pids, bytesMax: PLAYBACK_LIMITS.parameterBytes }));
}
