import { RecorderdError } from "../../../../model/errors.ts";
import { type DurationMs, SECOND } from "../../../../model/time.ts";
import { BitmapPage } from "../../../../mpeg-ts/bitmap-subtitles/bitmap-page.ts";
import { stampStepMs } from "../../../../mpeg-ts/streams/pes.ts";
import { type PesPacket, PesPackets } from "../../../../mpeg-ts/streams/pes-packets.ts";
import type { SubtitleTrack } from "../../../../mpeg-ts/tables/subtitle-tracks.ts";
import { regionOf } from "../../../../mpeg-ts/teletext/characters.ts";
import { TeletextPage } from "../../../../mpeg-ts/teletext/page.ts";
import { WholePackets } from "../../../../mpeg-ts/whole-packets.ts";
import type { SubtitlePart, SubtitlesApi, Watched } from "../../../api/daemon-api.ts";
import { mediaPlaylist } from "../hls/playlist.ts";
import type { Segment } from "../hls/segments.ts";
import type { HlsParts, HlsSource } from "../hls/source.ts";
import { segmentOf } from "../hls/source-tracks.ts";
import { bitmapCues } from "./bitmap-cues.ts";
import { sourceTracks } from "./choices.ts";
import { subtitledSegments, subtitleRange } from "./range.ts";
import { type Shown, shownWithin } from "./shown.ts";
import { webVttSegment } from "./web-vtt.ts";

/** A page that began in the segment is whole in the stream at most this long after its end. */
const TAIL_MS = SECOND;

/** Subtitles from the bytes of a recording or live service (docs/dev/decisions/0054). */
export function createSubtitles(sourceOf: (watched: Watched) => HlsSource): SubtitlesApi {
  return {
    playlist: async (watched, trackId) => {
      const parts = await sourceOf(watched).parts();
      const { id } = trackOf(parts, { id: trackId, kind: "teletext" });
      const uriOf = ({ number }: Segment) => `subtitles-${id}-${number}.vtt`;
      return mediaPlaylist(subtitledSegments(parts), { ...parts, uriOf });
    },
    webVtt: async (watched, part) => {
      const { track, segment, packets } = await opened(sourceOf(watched), { ...part, kind: "teletext" });
      const page = new TeletextPage({ page: track.teletextPage ?? "", region: regionOf(track.language) });
      const cues = await shownIn(segment, packets, page);
      return webVttSegment(cues, segment.pts);
    },
    bitmaps: async (watched, part) => {
      const { track, segment, packets } = await opened(sourceOf(watched), { ...part, kind: "bitmap" });
      const page = new BitmapPage(track.bitmapPages ?? { composition: 0, ancillary: 0 });
      return await bitmapCues(await shownIn(segment, packets, page));
    },
  };
}

interface SubtitleReader<S> {
  push(packet: PesPacket): readonly S[];
  end(): readonly S[];
}

interface SubtitledSegment {
  readonly pts: number;
  readonly durationMs: DurationMs;
}

async function shownIn<S extends { readonly pts: number }>(
  { pts, durationMs }: SubtitledSegment,
  packets: AsyncIterable<PesPacket>,
  reader: SubtitleReader<S>,
): Promise<readonly Shown<S>[]> {
  const screens: S[] = [];
  for await (const packet of packets) {
    screens.push(...reader.push(packet));
    if (packet.pts !== undefined && stampStepMs(pts, packet.pts) > durationMs + TAIL_MS) break;
  }
  screens.push(...reader.end());
  return shownWithin(screens, { pts, durationMs });
}

interface Wanted extends SubtitlePart {
  readonly kind: SubtitleTrack["kind"];
}

/** @throws RecorderdError RECORDING_UNKNOWN if there is no such segment, or no such track */
async function opened(
  source: HlsSource,
  { trackId, number, kind }: Wanted,
): Promise<{
  readonly track: SubtitleTrack;
  readonly segment: SubtitledSegment;
  readonly packets: AsyncIterable<PesPacket>;
}> {
  const parts = await source.parts("segment");
  const track = trackOf(parts, { id: trackId, kind });
  const { segments } = parts;
  const segment = segmentOf(parts, number);
  const at = segments.indexOf(segment);
  const { firstAt, endAt } = subtitleRange(segments, at);
  const packets = pesPacketsOf(source.read({ first: firstAt, last: endAt - 1 }), track.pid);
  return { track, segment: { pts: segment.pts, durationMs: lengthMs(segment, segments[at + 1]) }, packets };
}

/** Up to the next segment by its PTS, so that a text that goes on in it has no gap. */
function lengthMs({ pts, durationMs }: Segment, next: Segment | undefined): DurationMs {
  return next === undefined || next.isBreak ? durationMs : stampStepMs(pts, next.pts);
}

function trackOf(
  parts: Pick<HlsParts, "tables">,
  { id, kind }: Pick<SubtitleTrack, "id" | "kind">,
): SubtitleTrack {
  const found = sourceTracks(parts).find((track) => track.id === id && track.kind === kind);
  if (found !== undefined) return found;
  throw new RecorderdError("RECORDING_UNKNOWN", `This stream has no subtitles ${id} as ${NAMES[kind]}.`);
}

const NAMES: Readonly<Record<SubtitleTrack["kind"], string>> = { teletext: "text", bitmap: "bitmaps" };

/** The PES packets of a PID in bytes that begin with a whole transport packet. */
async function* pesPacketsOf(bytes: AsyncIterable<Buffer>, pid: number): AsyncGenerator<PesPacket> {
  const packets = new PesPackets(pid);
  const whole = new WholePackets();
  for await (const portion of bytes) yield* packets.push(whole.push(portion));
}
