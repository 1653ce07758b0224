import { Readable } from "node:stream";
import { RecorderdError } from "../../../../model/errors.ts";
import { chosenPackets } from "../../../../mpeg-ts/streams/chosen-packets.ts";
import { mapSection, playerTables } from "../../../../mpeg-ts/tables/player-tables.ts";
import { readPmt } from "../../../../mpeg-ts/tables/tables.ts";
import type { SegmentAnswer } from "../../../api/daemon-api.ts";
import { decodablePackets } from "./segment-packets.ts";
import type { Segment } from "./segments.ts";
import type { HlsParts, HlsSource } from "./source.ts";

interface Chosen {
  readonly segment: Segment;
  readonly pids: ReadonlySet<number>;
}

/** A segment with some of its streams alone, and a PMT that lists them alone. */
export function chosenSegment(
  source: HlsSource,
  { tables }: HlsParts,
  { segment, pids }: Chosen,
): SegmentAnswer {
  const packets = tables[segment.tables];
  const section = packets === undefined ? undefined : mapSection(packets);
  if (packets === undefined || section === undefined)
    throw new RecorderdError("INDEX_UNUSABLE", "The index holds no PMT.");
  const { pcrPid } = readPmt(section);
  async function* chosen() {
    yield playerTables(packets ?? new Uint8Array(), pids);
    const bytes = source.read({ first: segment.first, last: segment.end - 1 });
    for await (const some of decodablePackets(segment, { bytes })) {
      const left = chosenPackets(some, { pids, pcrPid });
      if (left.length > 0) yield left;
    }
  }
  return { read: () => Readable.from(chosen()) };
}

/** The PIDs of the picture and of one sound track; `undefined` if the tables of the segment have no such track. */
export function pidsWithSound(
  { tables }: HlsParts,
  segment: Segment,
  audio: number,
): ReadonlySet<number> | undefined {
  const packets = tables[segment.tables];
  const section = packets === undefined ? undefined : mapSection(packets);
  const streams = section === undefined ? [] : readPmt(section).streams;
  if (!streams.some(({ pid }) => pid === audio)) return undefined;
  return new Set([audio, ...streams.filter(({ kind }) => kind === "video").map(({ pid }) => pid)]);
}
