import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import type { DaemonApi } from "./daemon-api.ts";
import {
  type HlsFamily,
  Pid,
  PLAYLIST_TYPE,
  playlistAnswer,
  SEGMENT_TYPE,
  SegmentName,
  SegmentNumber,
  segmentAnswer,
} from "./hls-family.ts";

const Sound = z.strictObject({
  audio: Pid.optional().describe("PID of the only sound track; absent: all of them."),
});

const Reload = Sound.extend({
  _HLS_msn: SegmentNumber.optional().describe(
    "A playlist of a live service waits until it lists this segment.",
  ),
});

/** HTTP Live Streaming (RFC 8216) of the stream as broadcast. */
export function hlsRoutes<P extends z.ZodRawShape>(
  api: Pick<DaemonApi, "playing">,
  { base, name, params, watchedOf }: HlsFamily<P>,
): readonly ApiRoute[] {
  const watched = (given: unknown) => watchedOf(given as z.output<z.ZodObject<P>>);
  return [
    route({
      method: "GET",
      path: `${base}/index.m3u8`,
      summary: `HLS playlist of ${name} as broadcast. A playlist of a live service opens a tuner, and ends when a recording takes it`,
      params,
      query: Reload,
      answer: PLAYLIST_TYPE,
      handle: async ({ params: given, query: { audio, _HLS_msn: until } }) =>
        playlistAnswer(await api.playing.hls.playlist(watched(given), { audio, until })),
    }),
    route({
      method: "GET",
      path: `${base}/:segment`,
      summary:
        "A segment of that playlist: PAT, PMT and the packets as broadcast, without damaged pictures and sound",
      params: params.extend({ segment: SegmentName }),
      query: Sound,
      answer: SEGMENT_TYPE,
      handle: async ({ params: given, query, request }) => {
        const { segment } = given as unknown as { readonly segment: number };
        return segmentAnswer(await api.playing.hls.segment(watched(given), segment, query.audio), request);
      },
    }),
  ];
}
