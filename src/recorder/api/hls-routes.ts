import { z } from "zod";
import type { WebAnswer, WebRequest } from "../../kit/http/web-server.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { Name } from "../../web/schemas.ts";
import type { DaemonApi, HlsApi, Watched } from "./daemon-api.ts";
import { ServiceId } from "./service-id.ts";

const SegmentNumber = z
  .string()
  .regex(/^\d{1,6}\.ts$/, "expected the number of a segment with .ts")
  .transform((name) => Number.parseInt(name, 10));

/** Recordings and live services by HTTP Live Streaming (RFC 8216). */
export function hlsRoutes(api: Pick<DaemonApi, "playing">): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/recordings/:id/hls/index.m3u8",
      summary: "HLS playlist of a recording; an EVENT playlist while the recording grows",
      params: z.strictObject({ id: Name }),
      answer: "application/vnd.apple.mpegurl",
      handle: ({ params }) => playlistAnswer(api.playing.hls, { recordingId: params.id }),
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/hls/:segment",
      summary:
        "A segment of that playlist: PAT and PMT, and a part of the recording as it was broadcast, without damaged pictures and sound",
      params: z.strictObject({ id: Name, segment: SegmentNumber }),
      answer: "video/mp2t",
      handle: ({ params: { id, segment }, request }) =>
        segmentAnswer(api.playing.hls, { watched: { recordingId: id }, segment, request }),
    }),
    route({
      method: "GET",
      path: "/v1/live/:service/hls/index.m3u8",
      summary:
        "HLS playlist of a live service with its last minutes. The first request opens a tuner, which a recording may take: the playlist then ends",
      params: z.strictObject({ service: ServiceId }),
      answer: "application/vnd.apple.mpegurl",
      handle: ({ params }) => playlistAnswer(api.playing.hls, params),
    }),
    route({
      method: "GET",
      path: "/v1/live/:service/hls/:segment",
      summary: "A segment of that playlist, while it is in the buffer",
      params: z.strictObject({ service: ServiceId, segment: SegmentNumber }),
      answer: "video/mp2t",
      handle: ({ params: { service, segment }, request }) =>
        segmentAnswer(api.playing.hls, { watched: { service }, segment, request }),
    }),
  ];
}

async function playlistAnswer(hls: HlsApi, watched: Watched): Promise<WebAnswer> {
  return {
    status: 200,
    headers: { "content-type": "application/vnd.apple.mpegurl", "cache-control": "no-cache" },
    body: await hls.playlist(watched),
  };
}

interface SegmentRequest {
  readonly watched: Watched;
  readonly segment: number;
  readonly request: WebRequest;
}

async function segmentAnswer(hls: HlsApi, { watched, segment, request }: SegmentRequest): Promise<WebAnswer> {
  const { bytes, read } = await hls.segment(watched, segment);
  const headers = { "content-type": "video/mp2t", "content-length": String(bytes) };
  return request.method === "HEAD" ? { status: 200, headers } : { status: 200, headers, body: read() };
}
