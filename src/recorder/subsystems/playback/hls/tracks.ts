import { firstOf, type StreamFacts } from "../../../../model/inspection.ts";
import { type PictureFormat, pictureFormat } from "../../../../mpeg-ts/streams/picture-format.ts";
import { audioPurpose } from "../../../../mpeg-ts/tables/audio-purpose.ts";
import type { Section } from "../../../../mpeg-ts/tables/sections.ts";
import { mapEntries, readPmt } from "../../../../mpeg-ts/tables/tables.ts";
import type { AudioCodec, VideoCodec } from "../../../api/daemon-api.ts";
import { languageName, languageTag } from "./languages.ts";

export interface VideoTrack {
  readonly pid: number;
  readonly codec: VideoCodec;
  readonly format?: PictureFormat;
}

export interface AudioTrack {
  readonly pid: number;
  readonly codec: AudioCodec;
  /** RFC 5646, such as `de`. */
  readonly language?: string;
  /** For people, in English; differs from the names of the other tracks. */
  readonly name: string;
  readonly isDescription: boolean;
}

/** Picture and sound of a service, in the order of its PMT. */
export interface Tracks {
  readonly video?: VideoTrack;
  readonly audio: readonly AudioTrack[];
  readonly pcrPid: number;
}

const VIDEO_CODECS: Readonly<Record<string, VideoCodec>> = {
  "MPEG-1 video": "mpeg2",
  "MPEG-2 video": "mpeg2",
  "H.264": "h264",
  "H.265": "hevc",
};

const AUDIO_CODECS: Readonly<Record<string, AudioCodec>> = {
  "MPEG-1 audio": "mp2",
  "MPEG-2 audio": "mp2",
  AAC: "aac",
  "AAC LATM": "aac-latm",
  "AC-3": "ac3",
  "E-AC-3": "eac3",
};

/** MPEG audio: 12 bits of syncword, then ID, layer and protection_bit. ISO/IEC 11172-3 §2.4.1.3. */
const LAYER_III = 0b01;

/**
 * @param section a PMT
 * @param heads beginnings of the streams, as far as they are known
 */
export function tracksOf(section: Section, heads: ReadonlyMap<number, Uint8Array>): Tracks {
  const { streams, pcrPid } = readPmt(section);
  const entries = new Map([...mapEntries(section)].map((entry) => [entry.pid, entry]));
  const video = firstOf(streams, "video");
  const named = streams
    .filter(({ kind }) => kind === "audio")
    .map((stream) => {
      const { language: supplementary, isDescription } = audioPurpose(
        entries.get(stream.pid) ?? { ...stream, descriptors: [] },
      );
      const language = languageTag(supplementary ?? stream.language);
      const codec = audioCodec(stream, heads.get(stream.pid));
      return { pid: stream.pid, codec, ...(language === undefined ? {} : { language }), isDescription };
    });
  return {
    pcrPid,
    audio: withNames(named),
    ...(video === undefined ? {} : { video: videoTrack(video, heads) }),
  };
}

function videoTrack({ pid, codec }: StreamFacts, heads: ReadonlyMap<number, Uint8Array>): VideoTrack {
  const head = heads.get(pid);
  const format = head === undefined ? undefined : pictureFormat(codec, head);
  return { pid, codec: VIDEO_CODECS[codec] ?? "other", ...(format === undefined ? {} : { format }) };
}

/** The PMT does not tell the layers of MPEG audio apart. */
function audioCodec({ codec }: StreamFacts, head: Uint8Array | undefined): AudioCodec {
  const known = AUDIO_CODECS[codec] ?? "other";
  const [first = 0, second = 0] = head ?? [];
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0;
  return known === "mp2" && isFrame && ((second >> 1) & 3) === LAYER_III ? "mp3" : known;
}

/** Each track has the name of its language. Further tracks of one name say more, or count. */
function withNames(tracks: readonly Omit<AudioTrack, "name">[]): readonly AudioTrack[] {
  const used = new Set<string>();
  return tracks.map((track, index) => {
    const language = languageName(track.language) ?? `Audio ${index + 1}`;
    const base = track.isDescription ? `${language} (audio description)` : language;
    const candidates = [base, `${base} (${CODEC_NAMES[track.codec]})`];
    const free = candidates.find((each) => !used.has(each)) ?? `${base} ${index + 1}`;
    used.add(free);
    return { ...track, name: free };
  });
}

const CODEC_NAMES: Readonly<Record<AudioCodec, string>> = {
  aac: "AAC",
  "aac-latm": "AAC",
  mp2: "MP2",
  mp3: "MP3",
  ac3: "AC-3",
  eac3: "E-AC-3",
  other: "other",
};
