import { Decodable } from "../../../../mpeg-ts/streams/decodable.ts";
import { WholePackets } from "../../../../mpeg-ts/whole-packets.ts";
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
  const whole = new WholePackets();
  for await (const portion of bytes) yield* decodable.push(whole.push(portion));
  yield* decodable.end();
  yield whole.rest;
}
