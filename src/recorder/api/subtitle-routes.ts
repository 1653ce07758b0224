import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { list, Ms, Name, named } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";

/** PID and page: the number of a page of teletext, or the composition page id of bitmaps. */
const Track = {
  id: Name,
  pid: z.string().regex(/^\d{1,4}$/, "expected a PID, decimal"),
  page: z.string().regex(/^[0-9a-f]{1,5}$/, "expected the page of subtitles"),
};

const Part = z.strictObject({
  ...Track,
  segment: z
    .string()
    .regex(/^\d{1,6}$/, "expected the number of a segment")
    .transform(Number),
});

const Pixels = z.int().min(0);
const BitmapImage = z.object({
  x: Pixels,
  y: Pixels,
  width: Pixels,
  height: Pixels,
  png: z.string().describe("Base64."),
});
const BitmapCues = named(
  "BitmapCues",
  z.object({
    width: Pixels,
    height: Pixels,
    cues: list(z.object({ fromMs: Ms, toMs: Ms, images: list(BitmapImage) })),
  }),
);

/** Subtitles of recordings, beside their segments of HLS. */
export function subtitleRoutes(api: Pick<DaemonApi, "playing">): readonly ApiRoute[] {
  const subtitles = () => api.playing.hls.subtitles;
  return [
    route({
      method: "GET",
      path: "/v1/recordings/:id/hls/subtitles-:pid-:page.m3u8",
      summary: "HLS playlist of a page of teletext subtitles",
      params: z.strictObject(Track),
      answer: "application/vnd.apple.mpegurl",
      handle: async ({ params: { id, pid, page } }) => ({
        status: 200,
        headers: { "content-type": "application/vnd.apple.mpegurl", "cache-control": "no-cache" },
        body: await subtitles().playlist({ recordingId: id }, `${pid}-${page}`),
      }),
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/hls/subtitles-:pid-:page-:segment.vtt",
      summary: "A segment of that playlist in WebVTT",
      params: Part,
      answer: "text/vtt",
      handle: async ({ params: { id, pid, page, segment } }) => ({
        status: 200,
        headers: { "content-type": "text/vtt; charset=utf-8" },
        body: await subtitles().webVtt({ recordingId: id }, { trackId: `${pid}-${page}`, number: segment }),
      }),
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/hls/bitmaps-:pid-:page-:segment.json",
      summary: "DVB bitmap subtitles that are shown during a segment",
      params: Part,
      answer: BitmapCues,
      handle: ({ params: { id, pid, page, segment } }) =>
        subtitles().bitmaps({ recordingId: id }, { trackId: `${pid}-${page}`, number: segment }),
    }),
  ];
}
