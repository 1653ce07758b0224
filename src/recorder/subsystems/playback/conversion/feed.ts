import type { Clock } from "../../../../kit/time/clock.ts";
import { chosenPackets } from "../../../../mpeg-ts/streams/chosen-packets.ts";
import { playerTables } from "../../../../mpeg-ts/tables/player-tables.ts";
import { decodablePackets, firstDecodablePackets } from "../hls/segment-packets.ts";
import type { Segment } from "../hls/segments.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import type { ConversionOrder } from "./orders.ts";

interface FeedParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Resolves when this segment may be read. */
  readonly isWanted: (number: number) => Promise<void>;
  readonly onSegment: (segment: Segment) => void;
}

/**
 * The packets that a conversion reads: those of its streams, from its first segment to the end of the source, or to the next break.
 * Another clock or other tables need a new conversion. A growing source is followed.
 */
export async function* feed(order: ConversionOrder, parts: FeedParts): AsyncGenerator<Uint8Array> {
  const { source, streams, pcrPid } = order;
  const pids = new Set([streams.video, streams.audio].flatMap((stream) => stream?.pid ?? []));
  for await (const { segment, tables } of segmentsFrom(order, parts)) {
    await parts.isWanted(segment.number);
    parts.onSegment(segment);
    const isFirst = segment.number === order.first.number;
    if (isFirst) yield playerTables(tables, pids);
    const packets = isFirst ? firstDecodablePackets(source, segment) : decodablePackets(source, segment);
    for await (const some of packets) yield chosenPackets(some, { pids, pcrPid });
  }
}

async function* segmentsFrom(
  { source, first }: ConversionOrder,
  { clock, signal }: FeedParts,
): AsyncGenerator<{ readonly segment: Segment; readonly tables: Uint8Array }> {
  let known = await source.parts("segment");
  for (let number = first.number; !signal.aborted; ) {
    const segment = known.segments[number - (known.segments[0]?.number ?? 0)];
    const tables = segment === undefined ? undefined : known.tables[segment.tables];
    if (segment !== undefined && tables !== undefined) {
      const isOther = segment.isBreak || segment.tables !== first.tables;
      if (number > first.number && isOther) return;
      yield { segment, tables };
      number += 1;
      continue;
    }
    // A live service may have dropped it meanwhile.
    const isGone = number < (known.segments[0]?.number ?? 0);
    if (isGone || !known.isGrowing) return;
    await clock.sleep(PLAYBACK_LIMITS.convertFollowMs, signal);
    known = await source.parts("segment");
  }
}
