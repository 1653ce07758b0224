import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { list, Ms, Name, named } from "../../web/schemas.ts";
import type { DaemonApi, SubtitlePart, Watched } from "./daemon-api.ts";

/** PID and page: the number of a page of teletext, or the composition page id of bitmaps. */
const TRACK = {
  pid: z.string().regex(/^\d{1,4}$/, "expected a PID, decimal"),
  page: z.string().regex(/^[0-9a-f]{1,5}$/, "expected the page of subtitles"),
};
const PART = {
  ...TRACK,
  number: z
    .string()
    .regex(/^\d{1,6}$/, "expected the number of a segment")
    .transform(Number),
};

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

/** A family of addresses, such as those of recordings. */
interface Family<P extends z.ZodRawShape> {
  /** For example `/v1/recordings/:id/hls`. */
  readonly base: string;
  /** In summaries, such as `a recording`. */
  readonly what: string;
  readonly params: z.ZodObject<P>;
  readonly watchedOf: (params: z.output<z.ZodObject<P>>) => Watched;
}

export const RECORDING_SUBTITLES: Family<{ readonly id: typeof Name }> = {
  base: "/v1/recordings/:id/hls",
  what: "a recording",
  params: z.strictObject({ id: Name }),
  watchedOf: ({ id }) => ({ recordingId: id }),
};

/** Subtitles beside the segments of HLS, with the same numbers. */
export function subtitleRoutes<P extends z.ZodRawShape>(
  api: Pick<DaemonApi, "playing">,
  { base, what, params, watchedOf }: Family<P>,
): readonly ApiRoute[] {
  const subtitles = () => api.playing.hls.subtitles;
  const watched = (given: unknown) => watchedOf(given as z.output<z.ZodObject<P>>);
  return [
    route({
      method: "GET",
      path: `${base}/subtitles-:pid-:page.m3u8`,
      summary: `HLS playlist of a page of teletext subtitles of ${what}`,
      params: params.extend(TRACK),
      answer: "application/vnd.apple.mpegurl",
      handle: async ({ params: given }) => ({
        status: 200,
        headers: { "content-type": "application/vnd.apple.mpegurl", "cache-control": "no-cache" },
        body: await subtitles().playlist(watched(given), trackIdOf(given)),
      }),
    }),
    route({
      method: "GET",
      path: `${base}/subtitles-:pid-:page-:number.vtt`,
      summary: "A segment of that playlist in WebVTT",
      params: params.extend(PART),
      answer: "text/vtt",
      handle: async ({ params: given }) => ({
        status: 200,
        headers: { "content-type": "text/vtt; charset=utf-8" },
        body: await subtitles().webVtt(watched(given), partOf(given)),
      }),
    }),
    route({
      method: "GET",
      path: `${base}/bitmaps-:pid-:page-:number.json`,
      summary: `DVB bitmap subtitles that are shown during a segment of ${what}`,
      params: params.extend(PART),
      answer: BitmapCues,
      handle: ({ params: given }) => subtitles().bitmaps(watched(given), partOf(given)),
    }),
  ];
}

/** The compiler cannot see the fields that `extend` adds to unknown ones. */
function trackIdOf(given: unknown): string {
  const { pid, page } = given as { readonly pid: string; readonly page: string };
  return `${pid}-${page}`;
}

function partOf(given: unknown): SubtitlePart {
  return { trackId: trackIdOf(given), number: (given as { readonly number: number }).number };
}
