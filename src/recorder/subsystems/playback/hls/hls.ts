import { Readable } from "node:stream";
import { RecorderdError } from "../../../../model/errors.ts";
import { playerTables } from "../../../../mpeg-ts/tables/player-tables.ts";
import type { HlsApi, Watched } from "../../../api/daemon-api.ts";
import { createSubtitles } from "../subtitles/subtitles.ts";
import { mediaPlaylist } from "./playlist.ts";
import { decodablePackets } from "./segment-packets.ts";
import type { Segment } from "./segments.ts";
import type { HlsSource } from "./source.ts";

/** HTTP Live Streaming: playlists from an index, segments from the file that was recorded (docs/dev/decisions/0050). */
export function createHls(sourceOf: (watched: Watched) => HlsSource): HlsApi {
  return {
    playlist: async (watched) => {
      const uriOf = ({ number }: Segment) => `${number}.ts`;
      const { segments, ...rest } = await sourceOf(watched).parts();
      return mediaPlaylist(segments, { ...rest, uriOf });
    },
    segment: async (watched, number) => {
      const source = sourceOf(watched);
      const { segments, tables: all } = await source.parts();
      const segment = segments[number - (segments[0]?.number ?? 0)];
      const tables = segment === undefined ? undefined : all[segment.tables];
      if (segment === undefined || tables === undefined)
        throw new RecorderdError("RECORDING_UNKNOWN", `There is no part ${number} of this stream.`);
      const own = playerTables(tables);
      const { first, end } = segment;
      const packets = () => decodablePackets(segment, source.read({ first, last: end - 1 }));
      return { bytes: own.length + end - first, read: () => Readable.from(withTables(own, packets())) };
    },
    subtitles: createSubtitles(sourceOf),
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
