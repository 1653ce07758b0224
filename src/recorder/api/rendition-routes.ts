import { z } from "zod";
import type { WebAnswer, WebRequest } from "../../kit/http/web-server.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { list, Name, named } from "../../web/schemas.ts";
import {
  AUDIO_CODECS,
  type DaemonApi,
  type PlayerClient,
  type SegmentAnswer,
  VIDEO_CODECS,
  type Watched,
} from "./daemon-api.ts";

const PLAYLIST = "application/vnd.apple.mpegurl";
const SEGMENT = "video/mp2t";

/** Names that this version does not know are ignored: a page may be newer or older than the recorder. */
const codecs = <T extends string>(known: readonly T[], usual: readonly T[]) =>
  z
    .string()
    .regex(/^[a-z0-9,-]{0,200}$/, "expected names of codecs, separated by commas")
    .transform((text) => known.filter((name) => text.split(",").includes(name)))
    .default([...usual]);

const Client = z.strictObject({
  video: codecs(VIDEO_CODECS, ["h264"]).describe(
    "Video codecs that the device decodes, such as `h264,hevc`.",
  ),
  audio: codecs(AUDIO_CODECS, ["aac"]).describe("Audio codecs that the device decodes, such as `aac,ac3`."),
  viewer: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,36}$/, "expected 8 to 36 letters, digits, _ or -")
    .optional()
    .describe("Chosen by the device, one for each player."),
});

const Pid = z
  .string()
  .regex(/^\d{1,4}$/, "expected a PID")
  .transform(Number);
const Number6 = z
  .string()
  .regex(/^\d{1,6}$/, "expected the number of a segment")
  .transform(Number);
const SegmentName = z
  .string()
  .regex(/^\d{1,6}\.ts$/, "expected the number of a segment with .ts")
  .transform((name) => Number.parseInt(name, 10));

const Track = z.object({ pid: z.int(), codec: z.enum(AUDIO_CODECS) });

const TracksAnswer = named(
  "Tracks",
  z.object({
    video: z.object({ pid: z.int(), codec: z.enum(VIDEO_CODECS) }).optional(),
    audio: list(
      Track.extend({
        language: z.string().optional().describe("RFC 5646, such as `de`."),
        name: z.string(),
        isDefault: z.boolean(),
        isDescription: z.boolean().describe("Audio description."),
      }),
    ),
    gaps: list(z.object({ startSeconds: z.number(), lengthSeconds: z.number() })).describe(
      "Missing data: its place in the time of the playlist, which has no room for it, and its length.",
    ),
    isGrowing: z.boolean(),
    isLive: z.boolean(),
    startedAt: z.number().optional().describe("Instant of its beginning: UTC milliseconds since 1970-01-01."),
  }),
);

/** A family of addresses: those of recordings, or those of live services. */
interface Family<P extends z.ZodRawShape> {
  /** For example `/v1/recordings/:id/hls`. */
  readonly base: string;
  /** In summaries, such as `a recording`. */
  readonly what: string;
  readonly params: z.ZodObject<P>;
  readonly watchedOf: (params: z.output<z.ZodObject<P>>) => Watched;
}

export const RECORDING_HLS: Family<{ readonly id: typeof Name }> = {
  base: "/v1/recordings/:id/hls",
  what: "a recording",
  params: z.strictObject({ id: Name }),
  watchedOf: ({ id }) => ({ recordingId: id }),
};

/** Multivariant playlists, sound tracks and converted streams (RFC 8216). */
export function renditionRoutes<P extends z.ZodRawShape>(
  api: Pick<DaemonApi, "playing">,
  { base, what, params, watchedOf }: Family<P>,
): readonly ApiRoute[] {
  const watched = (given: unknown) => watchedOf(given as z.output<z.ZodObject<P>>);
  const get = { method: "GET" as const, query: Client };
  return [
    route({
      ...get,
      path: `${base}/master.m3u8`,
      summary: `Multivariant HLS playlist of ${what} for a device: converted where the device cannot decode it`,
      params,
      answer: PLAYLIST,
      handle: async ({ params: given, query }) =>
        playlist(await api.playing.renditions.master(watched(given), clientOf(query))),
    }),
    route({
      method: "GET",
      path: `${base}/tracks`,
      summary: `Picture, sound tracks and gaps of ${what}`,
      params,
      answer: TracksAnswer,
      handle: async ({ params: given }) => await api.playing.renditions.tracks(watched(given)),
    }),
    route({
      method: "GET",
      path: `${base}/audio-:pid.m3u8`,
      summary: `HLS playlist of one sound track of ${what}`,
      params: params.extend({ pid: Pid }),
      answer: PLAYLIST,
      handle: async ({ params: given }) =>
        playlist(await api.playing.renditions.audioPlaylist(watched(given), pidOf(given))),
    }),
    route({
      method: "GET",
      path: `${base}/audio-:pid-:number.ts`,
      summary: "A segment of that playlist",
      params: params.extend({ pid: Pid, number: Number6 }),
      answer: SEGMENT,
      handle: async ({ params: given, request }) => {
        const part = { pid: pidOf(given), number: numberOf(given) };
        return segment(await api.playing.renditions.audioSegment(watched(given), part), request);
      },
    }),
    route({
      ...get,
      path: `${base}/converted/index.m3u8`,
      summary: `HLS playlist of ${what}, converted for a device; its segments have the numbers and times of index.m3u8`,
      params,
      answer: PLAYLIST,
      handle: async ({ params: given, query }) =>
        playlist(await api.playing.renditions.convertedPlaylist(watched(given), "main", clientOf(query))),
    }),
    route({
      ...get,
      path: `${base}/converted/audio-:pid.m3u8`,
      summary: `HLS playlist of one sound track of ${what}, converted for a device`,
      params: params.extend({ pid: Pid }),
      answer: PLAYLIST,
      handle: async ({ params: given, query }) =>
        playlist(
          await api.playing.renditions.convertedPlaylist(watched(given), pidOf(given), clientOf(query)),
        ),
    }),
    route({
      ...get,
      path: `${base}/converted/audio-:pid-:number.ts`,
      summary: "A segment of that playlist",
      params: params.extend({ pid: Pid, number: Number6 }),
      answer: SEGMENT,
      handle: async ({ params: given, query, request }) => {
        const part = { rendition: pidOf(given), number: numberOf(given) };
        return segment(
          await api.playing.renditions.convertedSegment(watched(given), part, clientOf(query)),
          request,
        );
      },
    }),
    route({
      ...get,
      path: `${base}/converted/:segment`,
      summary: "A segment of converted/index.m3u8",
      params: params.extend({ segment: SegmentName }),
      answer: SEGMENT,
      handle: async ({ params: given, query, request }) => {
        const part = { rendition: "main" as const, number: (given as { readonly segment: number }).segment };
        return segment(
          await api.playing.renditions.convertedSegment(watched(given), part, clientOf(query)),
          request,
        );
      },
    }),
  ];
}

function clientOf({ viewer, ...codecsOf }: z.output<typeof Client>): PlayerClient {
  return viewer === undefined ? codecsOf : { ...codecsOf, viewer };
}

/** The compiler cannot see the fields that `extend` adds to unknown ones. */
function pidOf(given: unknown): number {
  return (given as { readonly pid: number }).pid;
}

function numberOf(given: unknown): number {
  return (given as { readonly number: number }).number;
}

function playlist(body: string): WebAnswer {
  return { status: 200, headers: { "content-type": PLAYLIST, "cache-control": "no-cache" }, body };
}

function segment({ bytes, read }: SegmentAnswer, { method }: WebRequest): WebAnswer {
  const length = bytes === undefined ? {} : { "content-length": String(bytes) };
  const headers = { "content-type": SEGMENT, ...length };
  return method === "HEAD" ? { status: 200, headers } : { status: 200, headers, body: read() };
}
