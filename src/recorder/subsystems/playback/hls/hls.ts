import { Readable } from "node:stream";
import type { Clock } from "../../../../kit/time/clock.ts";
import type { AccessIndex } from "../../../../model/access-index.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import type { EpochMs } from "../../../../model/time.ts";
import { PACKET_BYTES } from "../../../../mpeg-ts/packets.ts";
import { Decodable } from "../../../../mpeg-ts/streams/decodable.ts";
import { playerTables } from "../../../../mpeg-ts/tables/player-tables.ts";
import type { HlsApi, Playable } from "../../../api/daemon-api.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import { mediaPlaylist } from "./playlist.ts";
import { type Segment, segmentsOf } from "./segments.ts";

interface HlsParts {
  readonly index: (recordingId: string) => Promise<AccessIndex>;
  readonly open: (recordingId: string) => Promise<Playable>;
  /** Its segments are still to come, or to be joined. */
  readonly isGrowing: (recordingId: string) => boolean;
  /** The time of day at the beginning of a recording's timeline, if it is known. */
  readonly startedAt: (recordingId: string) => EpochMs | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Recordings by HTTP Live Streaming: playlists from the index, segments from the recording itself (docs/dev/decisions/0050). */
export function createHls({ index, open, isGrowing, startedAt, clock, signal }: HlsParts): HlsApi {
  /** Waits for the first segment of a growing recording: players take a playlist without one for broken. */
  async function begun(id: string) {
    const waitUntilMs = clock.monotonicMs() + PLAYBACK_LIMITS.firstSegmentWaitMs;
    for (;;) {
      const mayWait = isGrowing(id) && clock.monotonicMs() < waitUntilMs;
      try {
        const known = await index(id);
        const segments = segmentsOf(known);
        if (segments.length > 0 || !mayWait) return { known, segments };
      } catch (error) {
        if (!mayWait) throw error;
      }
      await clock.sleep(PLAYBACK_LIMITS.lookMs, signal);
    }
  }

  return {
    playlist: async (id) => {
      const { known, segments } = await begun(id);
      const uriOf = ({ number }: Segment) => `${number}.ts`;
      return mediaPlaylist(segments, { isGrowing: known.isGrowing, startedAt: startedAt(id), uriOf });
    },
    segment: async (id, number) => {
      const known = await index(id);
      const segment = segmentsOf(known)[number];
      const tables = segment === undefined ? undefined : known.tables[segment.tables];
      if (segment === undefined || tables === undefined)
        throw new RecorderdError("RECORDING_UNKNOWN", `The recording ${id} has no part ${number}.`);
      const { first, end, isBreak, isCut } = segment;
      const offsets = known.points.map(({ offset }) => offset);
      const decodable = new Decodable({
        accessPoints: new Set(offsets.filter((at) => at >= first && at < end).map((at) => at - first)),
        continues: number > 0 && !isBreak,
        isCut,
      });
      const own = playerTables(tables);
      const playable = await open(id);
      return {
        bytes: own.length + end - first,
        read: () => Readable.from(forPlayer(own, playable.read({ first, last: end - 1 }), decodable)),
      };
    },
  };
}

/** A player begins anywhere: each segment has the tables that a decoder needs first, and no other. */
async function* forPlayer(
  tables: Uint8Array,
  part: AsyncIterable<Buffer>,
  decodable: Decodable,
): AsyncGenerator<Uint8Array> {
  yield tables;
  let rest: Buffer = Buffer.alloc(0);
  for await (const portion of part) {
    const bytes = rest.length === 0 ? portion : Buffer.concat([rest, portion]);
    const end = bytes.length - (bytes.length % PACKET_BYTES);
    yield* decodable.push(bytes.subarray(0, end));
    rest = bytes.subarray(end);
  }
  yield* decodable.end();
  yield rest;
}
