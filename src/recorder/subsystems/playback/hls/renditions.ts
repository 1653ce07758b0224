import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { portionsOf } from "../../../../kit/files/steady-fs.ts";
import type { Clock } from "../../../../kit/time/clock.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { SECOND } from "../../../../model/time.ts";
import type { PlayerClient, Rendition, RenditionApi, TracksView, Watched } from "../../../api/daemon-api.ts";
import type { ConversionRequest, Conversions } from "../conversion/conversions.ts";
import type { ConversionOrder, ConvertedStreams } from "../conversion/orders.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import { subtitleChoices } from "../subtitles/choices.ts";
import { chosenSegment } from "./chosen-segment.ts";
import { multivariantPlaylist } from "./multivariant.ts";
import { convertsMain, type Offer, type Offered, offerFor } from "./offer.ts";
import { mediaPlaylist } from "./playlist.ts";
import { rateOf } from "./rate.ts";
import type { Segment } from "./segments.ts";
import type { HlsParts, HlsSource } from "./source.ts";
import { segmentOf, tablesAt, tracksAt, usualSegment } from "./source-tracks.ts";
import type { AudioTrack, Tracks } from "./tracks.ts";

interface RenditionParts {
  readonly sourceOf: (watched: Watched) => HlsSource;
  readonly conversions: Conversions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A device that asks for converted segments. */
type ConvertingClient = PlayerClient & { readonly viewer: string };

/** Multivariant playlists, sound tracks and converted streams (docs/dev/decisions/0053). */
export function createRenditions({ sourceOf, conversions, clock, signal }: RenditionParts): RenditionApi {
  /** A segment of a growing source is converted when the beginning of the next one is there: it is listed only then. */
  async function listedParts(source: HlsSource): Promise<HlsParts> {
    const untilMs = clock.monotonicMs() + PLAYBACK_LIMITS.firstSegmentWaitMs;
    for (;;) {
      const known = await source.parts();
      if (!known.isGrowing) return known;
      const segments = known.segments.slice(0, -1);
      if (segments.length > 0 || clock.monotonicMs() > untilMs) return { ...known, segments };
      await clock.sleep(PLAYBACK_LIMITS.convertFollowMs, signal);
    }
  }

  /** The tracks at the beginning of a source: a player asks for them twice, and they cost reading up to a MiB. */
  const tracksKnown = new WeakMap<Uint8Array, Promise<Tracks>>();
  async function usualTracks(source: HlsSource, parts: HlsParts): Promise<Tracks> {
    const segment = usualSegment(parts);
    const tables = tablesAt(parts, segment);
    const asked = tracksKnown.get(tables) ?? tracksAt(source, parts, segment);
    tracksKnown.set(tables, asked);
    asked.catch(() => tracksKnown.delete(tables));
    return await asked;
  }

  async function orderFor(
    source: HlsSource,
    { rendition, number }: { readonly rendition: Rendition; readonly number: number },
    client: PlayerClient,
  ): Promise<ConversionOrder> {
    const known = await source.parts("segment");
    const first = segmentOf(known, number);
    const tracks = await tracksAt(source, known, first);
    const streams = streamsOf(offerFor(tracks, client), rendition);
    if (streams === undefined) throw unknownTrack(rendition);
    return { source, first, streams, pcrPid: tracks.pcrPid };
  }

  return {
    master: async (watched, client) => {
      const source = sourceOf(watched);
      const known = await source.parts();
      const tracks = await usualTracks(source, known);
      const offer = offerFor(tracks, client);
      const viewer = client.viewer ?? randomUUID();
      if (convertsMain(offer)) conversions.admit(viewer);
      const query = queryOf({ ...client, viewer });
      const rate = rateOf(known.segments, convertsMain(offer));
      const audio = ({ track: { pid }, isConverted }: Offered<AudioTrack>) =>
        isConverted ? `converted/audio-${pid}.m3u8?${query}` : `audio-${pid}.m3u8`;
      return multivariantPlaylist({
        offer,
        isIndependent: known.live === undefined,
        rate,
        uris: { variant: variantUri(offer, tracks, query), audio },
        subtitles: subtitleChoices(known)
          .filter(({ kind }) => kind === "teletext")
          .map((each) => ({ ...each, uri: `subtitles-${each.id}.m3u8` })),
      });
    },
    tracks: async (watched) => {
      const source = sourceOf(watched);
      const known = await source.parts();
      const tracks = await usualTracks(source, known);
      return viewOf(tracks, known, { isLive: !("recordingId" in watched) });
    },
    audioPlaylist: async (watched, pid) => {
      const { segments, ...rest } = await sourceOf(watched).parts();
      return mediaPlaylist(segments, { ...rest, uriOf: ({ number }) => `audio-${pid}-${number}.ts` });
    },
    audioSegment: async (watched, { pid, number }) => {
      const source = sourceOf(watched);
      const known = await source.parts("segment");
      return chosenSegment(source, known, { segment: segmentOf(known, number), pids: new Set([pid]) });
    },
    convertedPlaylist: async (watched, rendition, client) => {
      const { segments, ...rest } = await listedParts(sourceOf(watched));
      const query = queryOf({ ...client, viewer: client.viewer ?? randomUUID() });
      const name = rendition === "main" ? "" : `audio-${rendition}-`;
      return mediaPlaylist(segments, { ...rest, uriOf: ({ number }) => `${name}${number}.ts?${query}` });
    },
    convertedSegment: async (watched, part, client) => {
      const source = sourceOf(watched);
      // It may be behind the end of the source, or already gone.
      segmentOf(await source.parts("segment"), part.number);
      const viewer = client.viewer ?? randomUUID();
      const request: ConversionRequest = {
        viewer,
        lane: part.rendition === "main" ? "main" : "audio",
        key: JSON.stringify([watched, part.rendition, client.video, client.audio]),
        number: part.number,
        order: () => orderFor(source, part, client),
      };
      const file = await conversions.segment(request);
      const { size } = await stat(file).catch(() => {
        throw new RecorderdError("FFMPEG_FAILED", "The converted part was removed before it was read.");
      });
      return { bytes: size, read: () => Readable.from(portionsOf(file)) };
    },
  };
}

function streamsOf({ video, audio, others }: Offer, rendition: Rendition): ConvertedStreams | undefined {
  const streamOf = ({ track: { pid }, isConverted }: Offered<{ readonly pid: number }>) => ({
    pid,
    isConverted,
  });
  if (rendition !== "main") {
    const all = audio === undefined ? others : [audio, ...others];
    const found = all.find(({ track }) => track.pid === rendition);
    return found && { audio: streamOf(found) };
  }
  if (video === undefined && audio === undefined) return undefined;
  return {
    ...(video === undefined ? {} : { video: streamOf(video) }),
    ...(audio === undefined ? {} : { audio: streamOf(audio) }),
  };
}

/** A player takes the first sound track of a PMT: with several, the variant has its own one alone. */
function variantUri(offer: Offer, tracks: Tracks, query: string): string {
  if (convertsMain(offer)) return `converted/index.m3u8?${query}`;
  if (tracks.audio.length < 2 || offer.audio === undefined) return "index.m3u8";
  return `index.m3u8?audio=${offer.audio.track.pid}`;
}

function queryOf({ video, audio, viewer }: ConvertingClient): string {
  return `video=${video.join(",")}&audio=${audio.join(",")}&viewer=${viewer}`;
}

function viewOf(tracks: Tracks, known: HlsParts, { isLive }: Pick<TracksView, "isLive">): TracksView {
  const { segments, isGrowing, startedAt } = known;
  const offer = offerFor(tracks, { video: [], audio: [] });
  return {
    ...(tracks.video === undefined ? {} : { video: { pid: tracks.video.pid, codec: tracks.video.codec } }),
    audio: tracks.audio.map((track) => ({ ...track, isDefault: track === offer.audio?.track })),
    subtitles: subtitleChoices(known),
    gaps: gapsOf(segments),
    isGrowing,
    isLive,
    ...(startedAt === undefined ? {} : { startedAt }),
  };
}

function gapsOf(segments: readonly Segment[]): TracksView["gaps"] {
  let shownMs = 0;
  return segments.flatMap(({ isBreak, startMs, durationMs }, at) => {
    const before = segments[at - 1];
    const lengthMs = before === undefined ? 0 : startMs - before.startMs - before.durationMs;
    const gap = { startSeconds: shownMs / SECOND, lengthSeconds: lengthMs / SECOND };
    shownMs += durationMs;
    return isBreak && lengthMs > 0 ? [gap] : [];
  });
}

function unknownTrack(rendition: Rendition): RecorderdError {
  const text = rendition === "main" ? "neither picture nor sound" : `no sound track ${rendition}`;
  return new RecorderdError("RECORDING_UNKNOWN", `This part has ${text}.`);
}
