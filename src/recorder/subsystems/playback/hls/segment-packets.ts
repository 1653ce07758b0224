import { PACKET_BYTES } from "../../../../mpeg-ts/packets.ts";
import { Decodable } from "../../../../mpeg-ts/streams/decodable.ts";
import type { Segment } from "./segments.ts";

interface SegmentBytes {
  /** Those of the segment. */
  readonly bytes: AsyncIterable<Buffer>;
  /** The decoder has the pictures before the segment; absent: if there are any. */
  readonly continues?: boolean;
}

/**
 * The packets of a segment as a player can decode them: damaged units and the tables of the broadcast are null packets.
 *
 * @returns as many bytes, in portions of whole packets
 */
export async function* decodablePackets(
  { number, accessPoints, isBreak, isCut }: Segment,
  { bytes, continues = number > 0 && !isBreak }: SegmentBytes,
): AsyncGenerator<Uint8Array> {
  const decodable = new Decodable({
    accessPoints: new Set(accessPoints),
    continues,
    isCut,
  });
  let rest: Buffer = Buffer.alloc(0);
  for await (const portion of bytes) {
    const joined = rest.length === 0 ? portion : Buffer.concat([rest, portion]);
    const end = joined.length - (joined.length % PACKET_BYTES);
    yield* decodable.push(joined.subarray(0, end));
    rest = joined.subarray(end);
  }
  yield* decodable.end();
  yield rest;
}
