import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { list, named } from "../../web/schemas.ts";
import { AUDIO_CODECS, type DaemonApi, type PlayerClient, VIDEO_CODECS } from "./daemon-api.ts";
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
    subtitles: list(
      z.object({
        id: z.string(),
        kind: z.enum(["teletext", "bitmap"]),
        language: z.string().optional().describe("RFC 5646, such as `de`."),
        name: z.string(),
        isForHardOfHearing: z.boolean(),
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

/** Multivariant playlists, sound tracks and converted streams (RFC 8216). */
export function renditionRoutes<P extends z.ZodRawShape>(
  api: Pick<DaemonApi, "playing">,
  { base, name, params, watchedOf }: HlsFamily<P>,
): readonly ApiRoute[] {
  const watched = (given: unknown) => watchedOf(given as z.output<z.ZodObject<P>>);
  const get = { method: "GET" as const, query: Client };
  return [
    route({
      ...get,
      path: `${base}/master.m3u8`,
      summary: `Multivariant HLS playlist of ${name} for a device: converted where the device cannot decode it`,
      params,
      answer: PLAYLIST_TYPE,
      handle: async ({ params: given, query }) =>
        playlistAnswer(await api.playing.renditions.master(watched(given), clientOf(query))),
    }),
    route({
      method: "GET",
      path: `${base}/tracks`,
      summary: `Picture, sound tracks and gaps of ${name}`,
      params,
      answer: TracksAnswer,
      handle: async ({ params: given }) => await api.playing.renditions.tracks(watched(given)),
    }),
    route({
      method: "GET",
      path: `${base}/audio-:pid.m3u8`,
      summary: `HLS playlist of one sound track of ${name}`,
      params: params.extend({ pid: Pid }),
      answer: PLAYLIST_TYPE,
      handle: async ({ params: given }) =>
        playlistAnswer(await api.playing.renditions.audioPlaylist(watched(given), pidOf(given))),
    }),
    route({
      method: "GET",
      path: `${base}/audio-:pid-:number.ts`,
      summary: "A segment of that playlist",
      params: params.extend({ pid: Pid, number: SegmentNumber }),
      answer: SEGMENT_TYPE,
      handle: async ({ params: given, request }) => {
        const part = { pid: pidOf(given), number: numberOf(given) };
        return segmentAnswer(await api.playing.renditions.audioSegment(watched(given), part), request);
      },
    }),
    route({
      ...get,
      path: `${base}/converted/index.m3u8`,
      summary: `HLS playlist of ${name}, converted for a device; its segments have the numbers and times of index.m3u8`,
      params,
      answer: PLAYLIST_TYPE,
      handle: async ({ params: given, query }) =>
        playlistAnswer(
          await api.playing.renditions.convertedPlaylist(watched(given), "main", clientOf(query)),
        ),
    }),
    route({
      ...get,
      path: `${base}/converted/audio-:pid.m3u8`,
      summary: `HLS playlist of one sound track of ${name}, converted for a device`,
      params: params.extend({ pid: Pid }),
      answer: PLAYLIST_TYPE,
      handle: async ({ params: given, query }) =>
        playlistAnswer(
          await api.playing.renditions.convertedPlaylist(watched(given), pidOf(given), clientOf(query)),
        ),
    }),
    route({
      ...get,
      path: `${base}/converted/audio-:pid-:number.ts`,
      summary: "A segment of that playlist",
      params: params.extend({ pid: Pid, number: SegmentNumber }),
      answer: SEGMENT_TYPE,
      handle: async ({ params: given, query, request }) => {
        const part = { rendition: pidOf(given), number: numberOf(given) };
        return segmentAnswer(
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
      answer: SEGMENT_TYPE,
      handle: async ({ params: given, query, request }) => {
        const part = { rendition: "main" as const, number: (given as { readonly segment: number }).segment };
        return segmentAnswer(
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
