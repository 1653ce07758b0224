import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { list, Ms, named } from "../../web/schemas.ts";
import type { DaemonApi, SubtitlePart } from "./daemon-api.ts";
import { type HlsFamily, PLAYLIST_TYPE, playlistAnswer, SegmentNumber } from "./hls-family.ts";

/** PID and page: the number of a page of teletext, or the composition page id of bitmaps. */
const Track = {
  pid: z.string().regex(/^\d{1,4}$/, "expected a PID, decimal"),
  page: z.string().regex(/^[0-9a-f]{1,5}$/, "expected the page of subtitles"),
};
const Part = { ...Track, number: SegmentNumber };

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

/** Subtitles beside the segments of HLS. */
export function subtitleRoutes<P extends z.ZodRawShape>(
  api: Pick<DaemonApi, "playing">,
  { base, name, params, watchedOf }: HlsFamily<P>,
): readonly ApiRoute[] {
  const watched = (given: unknown) => watchedOf(given as z.output<z.ZodObject<P>>);
  return [
    route({
      method: "GET",
      path: `${base}/subtitles-:pid-:page.m3u8`,
      summary: `HLS playlist of a page of teletext subtitles of ${name}`,
      params: params.extend(Track),
      answer: PLAYLIST_TYPE,
      handle: async ({ params: given }) =>
        playlistAnswer(await api.playing.subtitles.playlist(watched(given), trackOf(given))),
    }),
    route({
      method: "GET",
      path: `${base}/subtitles-:pid-:page-:number.vtt`,
      summary: "A segment of that playlist in WebVTT",
      params: params.extend(Part),
      answer: "text/vtt",
      handle: async ({ params: given }) => ({
        status: 200,
        headers: { "content-type": "text/vtt; charset=utf-8" },
        body: await api.playing.subtitles.webVtt(watched(given), partOf(given)),
      }),
    }),
    route({
      method: "GET",
      path: `${base}/bitmaps-:pid-:page-:number.json`,
      summary: `DVB bitmap subtitles that are shown during a segment of ${name}`,
      params: params.extend(Part),
      answer: BitmapCues,
      handle: ({ params: given }) => api.playing.subtitles.bitmaps(watched(given), partOf(given)),
    }),
  ];
}

/** The compiler cannot see the fields that `extend` adds to unknown ones. */
function trackOf(given: unknown): string {
  const { pid, page } = given as { readonly pid: string; readonly page: string };
  return `${pid}-${page}`;
}

function partOf(given: unknown): SubtitlePart {
  return { trackId: trackOf(given), number: (given as { readonly number: number }).number };
}
