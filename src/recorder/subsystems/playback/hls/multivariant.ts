import type { Offer, Offered } from "./offer.ts";
import type { AudioTrack } from "./tracks.ts";

/** Subtitles of a multivariant playlist. */
export interface SubtitleRendition {
  readonly uri: string;
  readonly name: string;
  readonly language?: string;
  readonly isForHardOfHearing: boolean;
}

interface MultivariantParts {
  readonly offer: Offer;
  /** Addresses relative to that of the playlist. */
  readonly uris: { readonly variant: string; readonly audio: (track: Offered<AudioTrack>) => string };
  readonly subtitles?: readonly SubtitleRendition[];
  /** Each segment can be decoded without those before it. */
  readonly isIndependent: boolean;
  /** Bits per second. */
  readonly rate: { readonly peak: number; readonly average: number };
}

/** The picture that `conversionArguments` makes: High profile at level 4.0. */
const CONVERTED_VIDEO = "avc1.640028";
const CONVERTED_AUDIO = "mp4a.40.2";

const AUDIO_NAMES: Readonly<Record<string, string>> = {
  aac: "mp4a.40.2",
  "aac-latm": "mp4a.40.2",
  mp2: "mp4a.40.34",
  mp3: "mp4a.40.34",
  ac3: "ac-3",
  eac3: "ec-3",
};

/** A multivariant playlist of one variant. RFC 8216 §4.3.4. */
export function multivariantPlaylist(parts: MultivariantParts): string {
  const { offer, uris, subtitles = [], isIndependent, rate } = parts;
  const hasChoice = offer.audio !== undefined && offer.others.length > 0;
  const variant = [
    `BANDWIDTH=${rate.peak}`,
    `AVERAGE-BANDWIDTH=${rate.average}`,
    ...codecsOf(offer),
    ...resolutionOf(offer),
    ...(hasChoice ? ['AUDIO="audio"'] : []),
    ...(subtitles.length > 0 ? ['SUBTITLES="subtitles"'] : []),
  ];
  return [
    "#EXTM3U",
    "#EXT-X-VERSION:4",
    ...(isIndependent ? ["#EXT-X-INDEPENDENT-SEGMENTS"] : []),
    ...(hasChoice ? audioLines(offer, uris.audio) : []),
    ...subtitles.map(subtitleLine),
    `#EXT-X-STREAM-INF:${variant.join(",")}`,
    uris.variant,
    "",
  ].join("\n");
}

function audioLines(
  { audio, others }: Offer,
  uriOf: (track: Offered<AudioTrack>) => string,
): readonly string[] {
  // The sound of the variant has no address of its own (§4.3.4.2.1).
  const main = audio === undefined ? [] : [audioLine(audio.track, ["DEFAULT=YES"])];
  return [
    ...main,
    ...others.map((each) => audioLine(each.track, ["DEFAULT=NO", `URI=${quoted(uriOf(each))}`])),
  ];
}

function audioLine({ name, language, isDescription }: AudioTrack, more: readonly string[]): string {
  return mediaLine([
    "TYPE=AUDIO",
    'GROUP-ID="audio"',
    `NAME=${quoted(name)}`,
    ...(language === undefined ? [] : [`LANGUAGE=${quoted(language)}`]),
    "AUTOSELECT=YES",
    ...(isDescription ? ['CHARACTERISTICS="public.accessibility.describes-video"'] : []),
    ...more,
  ]);
}

const HARD_OF_HEARING =
  "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound";

function subtitleLine({ uri, name, language, isForHardOfHearing }: SubtitleRendition): string {
  return mediaLine([
    "TYPE=SUBTITLES",
    'GROUP-ID="subtitles"',
    `NAME=${quoted(name)}`,
    ...(language === undefined ? [] : [`LANGUAGE=${quoted(language)}`]),
    "DEFAULT=NO",
    "AUTOSELECT=YES",
    ...(isForHardOfHearing ? [`CHARACTERISTICS=${quoted(HARD_OF_HEARING)}`] : []),
    `URI=${quoted(uri)}`,
  ]);
}

function mediaLine(attributes: readonly string[]): string {
  return `#EXT-X-MEDIA:${attributes.join(",")}`;
}

/** A quoted string holds no quotation mark and no line break (§4.2). */
function quoted(text: string): string {
  return `"${text.replace(/["\p{Cc}]/gu, " ")}"`;
}

/** All codecs of the variant, or none: a player takes a list for complete. */
function codecsOf({ video, audio }: Offer): readonly string[] {
  const picture = video?.isConverted ? CONVERTED_VIDEO : video?.track.format?.codecs;
  const sound = audio?.isConverted ? CONVERTED_AUDIO : AUDIO_NAMES[audio?.track.codec ?? ""];
  const isWhole =
    (video === undefined || picture !== undefined) && (audio === undefined || sound !== undefined);
  const names = [picture, sound].filter((name) => name !== undefined);
  return isWhole && names.length > 0 ? [`CODECS=${quoted(names.join(","))}`] : [];
}

function resolutionOf({ video }: Offer): readonly string[] {
  const format = video?.track.format;
  if (video === undefined || video.isConverted || format === undefined) return [];
  return format.width > 0 && format.height > 0 ? [`RESOLUTION=${format.width}x${format.height}`] : [];
}
