import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { Name } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";

const SegmentParams = z.strictObject({
  id: Name,
  segment: z
    .string()
    .regex(/^\d{1,6}\.ts$/, "expected the number of a segment with .ts")
    .transform((name) => Number.parseInt(name, 10)),
});

const Sound = z.strictObject({
  audio: z
    .string()
    .regex(/^\d{1,4}$/, "expected a PID")
    .transform(Number)
    .optional()
    .describe("PID of the only sound track; absent: all of them."),
});

/** Recordings by HTTP Live Streaming (RFC 8216). */
export function hlsRoutes(api: Pick<DaemonApi, "playing">): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/recordings/:id/hls/index.m3u8",
      summary: "HLS playlist of a recording; an EVENT playlist while the recording grows",
      params: z.strictObject({ id: Name }),
      query: Sound,
      answer: "application/vnd.apple.mpegurl",
      handle: async ({ params, query }) => ({
        status: 200,
        headers: { "content-type": "application/vnd.apple.mpegurl", "cache-control": "no-cache" },
        body: await api.playing.hls.playlist({ recordingId: params.id }, query.audio),
      }),
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/hls/:segment",
      summary:
        "A segment of that playlist: PAT and PMT, and a part of the recording as it was broadcast, without damaged pictures and sound",
      params: SegmentParams,
      query: Sound,
      answer: "video/mp2t",
      handle: async ({ params: { id, segment }, query, request }) => {
        const { bytes, read } = await api.playing.hls.segment({ recordingId: id }, segment, query.audio);
        const length = bytes === undefined ? {} : { "content-length": String(bytes) };
        const headers = { "content-type": "video/mp2t", ...length };
        return request.method === "HEAD" ? { status: 200, headers } : { status: 200, headers, body: read() };
      },
    }),
  ];
}
