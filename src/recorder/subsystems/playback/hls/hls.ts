import { Readable } from "node:stream";
import type { Clock } from "../../../../kit/time/clock.ts";
import { playerTables } from "../../../../mpeg-ts/tables/player-tables.ts";
import type { HlsApi, Watched } from "../../../api/daemon-api.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import { chosenSegment, pidsWithSound } from "./chosen-segment.ts";
import { mediaPlaylist } from "./playlist.ts";
import { decodablePackets } from "./segment-packets.ts";
import type { Segment } from "./segments.ts";
import type { HlsParts, HlsSource } from "./source.ts";
import { segmentOf, tablesAt } from "./source-tracks.ts";

interface HlsApiParts {
  readonly sourceOf: (watched: Watched) => HlsSource;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** HTTP Live Streaming: playlists from an index, segments from the file that was recorded (docs/dev/decisions/0050). */
export function createHls({ sourceOf, clock }: HlsApiParts): HlsApi {
  /** A player need not ask again and again: it gets its answer with the next segment. */
  async function partsUntil(source: HlsSource, number: number): Promise<HlsParts> {
    const untilMs = clock.monotonicMs() + PLAYBACK_LIMITS.reloadWaitMs;
    for (;;) {
      const known = await source.parts();
      const next = (known.segments.at(-1)?.number ?? -1) + 1;
      const leftMs = untilMs - clock.monotonicMs();
      if (source.grown === undefined || !known.isGrowing || number !== next || leftMs <= 0) return known;
      await source.grown(leftMs);
    }
  }

  return {
    playlist: async (watched, { audio, until } = {}) => {
      const query = audio === undefined ? "" : `?audio=${audio}`;
      const uriOf = ({ number }: Segment) => `${number}.ts${query}`;
      const source = sourceOf(watched);
      const { segments, ...rest } = await (until === undefined ? source.parts() : partsUntil(source, until));
      return mediaPlaylist(segments, { ...rest, uriOf, canWait: rest.live !== undefined });
    },
    segment: async (watched, number, audio) => {
      const source = sourceOf(watched);
      const known = await source.parts("segment");
      const segment = segmentOf(known, number);
      const pids = audio === undefined ? undefined : pidsWithSound(known, segment, audio);
      if (pids !== undefined) return chosenSegment(source, known, { segment, pids });
      const own = playerTables(tablesAt(known, segment));
      const { first, end } = segment;
      const packets = () => decodablePackets(source, segment);
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
