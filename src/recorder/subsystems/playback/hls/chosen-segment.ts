import { Readable } from "node:stream";
import { chosenPackets } from "../../../../mpeg-ts/streams/chosen-packets.ts";
import { mapSection, playerTables } from "../../../../mpeg-ts/tables/player-tables.ts";
import { readPmt } from "../../../../mpeg-ts/tables/tables.ts";
import type { SegmentAnswer } from "../../../api/daemon-api.ts";
import { decodablePackets } from "./segment-packets.ts";
import type { Segment } from "./segments.ts";
import type { HlsParts, HlsSource } from "./source.ts";
import { mapAt, tablesAt } from "./source-tracks.ts";

interface Chosen {
  readonly segment: Segment;
  readonly pids: ReadonlySet<number>;
}

/** A segment with some of its streams alone, and a PMT that lists them alone. */
export function chosenSegment(source: HlsSource, parts: HlsParts, { segment, pids }: Chosen): SegmentAnswer {
  const { pcrPid } = readPmt(mapAt(parts, segment));
  const own = playerTables(tablesAt(parts, segment), pids);
  async function* chosen() {
    yield own;
    for await (const some of decodablePackets(source, segment)) {
      const left = chosenPackets(some, { pids, pcrPid });
      if (left.length > 0) yield left;
    }
  }
  return { read: () => Readable.from(chosen()) };
}

/** The PIDs of the picture and of one sound track; `undefined` if the tables of the segment have no such track. */
export function pidsWithSound(
  parts: HlsParts,
  segment: Segment,
  audio: number,
): ReadonlySet<number> | undefined {
  const section = mapSection(tablesAt(parts, segment));
  const streams = section === undefined ? [] : readPmt(section).streams;
  if (!streams.some(({ pid }) => pid === audio)) return undefined;
  return new Set([audio, ...streams.filter(({ kind }) => kind === "video").map(({ pid }) => pid)]);
}
