import { Readable } from "node:stream";
import type { AccessIndex } from "../../../../model/access-index.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import type { EpochMs } from "../../../../model/time.ts";
import type { HlsApi, Playable } from "../../../api/daemon-api.ts";
import { mediaPlaylist } from "./playlist.ts";
import { type Segment, segmentsOf } from "./segments.ts";

interface HlsParts {
  readonly index: (recordingId: string) => Promise<AccessIndex>;
  readonly open: (recordingId: string) => Promise<Playable>;
  /** The time of day at the beginning of a recording's timeline, if it is known. */
  readonly startedAt: (recordingId: string) => EpochMs | undefined;
}

/** Recordings by HTTP Live Streaming: playlists from the index, segments from the recording itself (docs/dev/decisions/0050). */
export function createHls({ index, open, startedAt }: HlsParts): HlsApi {
  return {
    playlist: async (id) => {
      const known = await index(id);
      const { isGrowing } = known;
      const uriOf = ({ number }: Segment) => `${number}.ts`;
      return mediaPlaylist(segmentsOf(known), { isGrowing, startedAt: startedAt(id), uriOf });
    },
    segment: async (id, number) => {
      const known = await index(id);
      const segment = segmentsOf(known)[number];
      const tables = segment === undefined ? undefined : known.tables[segment.tables];
      if (segment === undefined || tables === undefined)
        throw new RecorderdError("RECORDING_UNKNOWN", `The recording ${id} has no part ${number}.`);
      const { first, end } = segment;
      const playable = await open(id);
      return {
        bytes: tables.length + end - first,
        read: () => Readable.from(withTables(tables, playable.read({ first, last: end - 1 }))),
      };
    },
  };
}

/** A player begins anywhere: each segment has the tables that a decoder needs first. */
async function* withTables(tables: Uint8Array, part: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  yield tables;
  yield* part;
}
