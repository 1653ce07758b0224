import { Readable } from "node:stream";
import { playerTables } from "../../../../mpeg-ts/tables/player-tables.ts";
import type { HlsApi, Watched } from "../../../api/daemon-api.ts";
import { chosenSegment, pidsWithSound } from "./chosen-segment.ts";
import { mediaPlaylist } from "./playlist.ts";
import { decodablePackets } from "./segment-packets.ts";
import type { Segment } from "./segments.ts";
import type { HlsSource } from "./source.ts";
import { segmentOf, tablesAt } from "./source-tracks.ts";

/** HTTP Live Streaming: playlists from an index, segments from the file that was recorded (docs/dev/decisions/0050). */
export function createHls(sourceOf: (watched: Watched) => HlsSource): HlsApi {
  return {
    playlist: async (watched, audio) => {
      const query = audio === undefined ? "" : `?audio=${audio}`;
      const uriOf = ({ number }: Segment) => `${number}.ts${query}`;
      const { segments, ...rest } = await sourceOf(watched).parts();
      return mediaPlaylist(segments, { ...rest, uriOf });
    },
    segment: async (watched, number, audio) => {
      const source = sourceOf(watched);
      const known = await source.parts("segment");
      const segment = segmentOf(known, number);
      const pids = audio === undefined ? undefined : pidsWithSound(known, segment, audio);
      if (pids !== undefined) return chosenSegment(source, known, { segment, pids });
      const own = playerTables(tablesAt(known, segment));
      const { first, end } = segment;
      const packets = () => decodablePackets(segment, { bytes: source.read({ first, last: end - 1 }) });
      return { bytes: own.length + end - first, read: () => Readable.from(withTables(own, packets())) };
    },
  };
}

/** A player begins anywhere: each segment has the tables that a decoder needs first. */
async function* withTables(
  tables: Uint8Array,
  packets: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield tables;
  yield* packets;
}
