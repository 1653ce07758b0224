import { PACKET_BYTES } from "../../../../mpeg-ts/packets.ts";
import { Decodable } from "../../../../mpeg-ts/streams/decodable.ts";
import { WholePackets } from "../../../../mpeg-ts/whole-packets.ts";
import { leadInOf, type Segment } from "./segments.ts";
import type { HlsSource } from "./source.ts";

/**
 * The packets of a segment as a player can decode them: damaged units and the tables of the broadcast are null packets.
 *
 * @returns as many bytes, in portions of whole packets
 */
export async function* decodablePackets(
  source: Pick<HlsSource, "read">,
  segment: Segment,
): AsyncGenerator<Uint8Array> {
  const leadIn = leadInOf(segment);
  const continues = leadIn === 0 && segment.number > 0 && !segment.isBreak;
  // Pictures left out before the segment decide which of its own are.
  let at = -leadIn;
  for await (const bytes of fromAccessPoint(source, segment, continues)) {
    if (at + bytes.length > 0) yield bytes.subarray(Math.max(0, -at));
    at += bytes.length;
  }
}

/**
 * The same for a decoder that has nothing from before the segment.
 *
 * @returns also the bytes before the segment that it needs
 */
export function firstDecodablePackets(
  source: Pick<HlsSource, "read">,
  segment: Segment,
): AsyncGenerator<Uint8Array> {
  return fromAccessPoint(source, segment, false);
}

async function* fromAccessPoint(
  source: Pick<HlsSource, "read">,
  segment: Segment,
  continues: boolean,
): AsyncGenerator<Uint8Array> {
  const leadIn = leadInOf(segment);
  const accessPoints = new Set(segment.accessPoints.map((at) => at + leadIn));
  const { isCut, breaksOff, pts, durationMs } = segment;
  const decodable = new Decodable({
    accessPoints,
    continues,
    isCut,
    breaksOff: breaksOff ? { pts, durationMs } : undefined,
  });
  const whole = new WholePackets();
  // The first packet of the next segment shows whether the end of the last picture is missing.
  const nextBytes = isCut ? 0 : PACKET_BYTES;
  const first = segment.first - leadIn;
  let left = segment.end - first;
  const own = (all: readonly Uint8Array[]) =>
    all.map((bytes) => {
      const taken = bytes.subarray(0, Math.max(0, left));
      left -= taken.length;
      return taken;
    });
  for await (const portion of source.read({ first, last: segment.end - 1 + nextBytes }))
    yield* own(decodable.push(whole.push(portion)));
  yield* own([...decodable.end(), whole.rest]);
}
