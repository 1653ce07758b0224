import { RecorderdError } from "../../../../model/errors.ts";

export type Container = "ts" | "mkv" | "mp4";
export type StreamKind = "video" | "audio" | "subtitles";
export type Codec = "h264" | "hevc" | "av1";

/** The form of a finished recording. It is always captured as broadcast; other forms are jobs after that. */
export type Profile =
  | { readonly kind: "verbatim" }
  | { readonly kind: "remux"; readonly container: Container; readonly streams: readonly StreamKind[] }
  | {
      readonly kind: "transcode";
      readonly container: Container;
      readonly streams: readonly StreamKind[];
      readonly codec: Codec;
      /** ffmpeg's name; `auto`: the software encoder. */
      readonly encoder: string;
      /** CRF, or the encoder's closest option. */
      readonly quality: number;
    };

export interface Abilities {
  /** Video encoders by ffmpeg's names. */
  readonly encoders: ReadonlySet<string>;
}

/** In order of preference. Hardware encoders are used by name only: a listed one may not work on the machine. */
const SOFTWARE: Readonly<Record<Codec, readonly string[]>> = {
  h264: ["libx264", "libopenh264"],
  hevc: ["libx265"],
  av1: ["libsvtav1", "libaom-av1", "librav1e"],
};
const BELONGS: Readonly<Record<Codec, RegExp>> = { h264: /h264|x264/, hevc: /hevc|x265/, av1: /av1/ };
const MUXERS: Readonly<Record<Container, string>> = { ts: "mpegts", mkv: "matroska", mp4: "mp4" };
const TYPES: Readonly<Record<string, StreamKind>> = { video: "video", audio: "audio", subtitle: "subtitles" };

/** The names of video encoders in the output of `ffmpeg -encoders`. */
export function encodersIn(answer: string): ReadonlySet<string> {
  return new Set(
    [...answer.matchAll(/^ V\S{5} (\S+)/gm)].flatMap(([, name]) => (name === undefined ? [] : [name])),
  );
}

/** @throws RecorderdError CONFIG_INVALID when ffmpeg lacks the encoder, naming it and the available ones */
export function encoderOf(
  { codec, encoder }: { readonly codec: Codec; readonly encoder: string },
  { encoders }: Abilities,
): string {
  const wanted = encoder === "auto" ? SOFTWARE[codec] : [encoder];
  const found = wanted.find((name) => encoders.has(name) && BELONGS[codec].test(name));
  if (found !== undefined) return found;
  const others = [...encoders].filter((name) => BELONGS[codec].test(name)).sort();
  const there = others.length === 0 ? `it has none for ${codec}` : `for ${codec} it has ${others.join(", ")}`;
  const message = `profile: the installed ffmpeg has no encoder ${wanted.join(" or ")}; ${there}.`;
  throw new RecorderdError("CONFIG_INVALID", message, { codec, encoder });
}

interface Stream {
  readonly index: number;
  readonly type: string;
  readonly codec: string;
}

/** The streams to convert: those of the requested kinds that the container can hold. */
export function chosenStreams<T extends Stream>(
  streams: readonly T[],
  { streams: kinds, container }: Pick<Extract<Profile, { readonly kind: "remux" }>, "streams" | "container">,
): readonly T[] {
  return streams.filter(({ type, codec }) => {
    const kind = TYPES[type];
    // An unrecognised stream has no codec. MPEG-TS holds all subtitles, Matroska all but teletext, MP4 none.
    if (kind === undefined || codec === "" || !kinds.includes(kind)) return false;
    if (kind !== "subtitles" || container === "ts") return true;
    return container === "mkv" && codec !== "dvb_teletext";
  });
}

/** ffmpeg's output options for these streams of the one input. */
export function convertOptions(
  profile: Exclude<Profile, { readonly kind: "verbatim" }>,
  { encoder, streams }: { readonly encoder: string; readonly streams: readonly Stream[] },
): readonly string[] {
  const maps = streams.flatMap(({ index }) => ["-map", `0:${index}`]);
  const copied = ["-c", "copy"];
  const video =
    profile.kind === "remux" ? [] : ["-c:v", encoder, ...qualityOptions(encoder, profile.quality)];
  // MP4 holds no broadcast subtitles; its index goes first, so that playback can start early.
  const more = profile.container === "mp4" ? ["-movflags", "+faststart"] : [];
  return [...maps, ...copied, ...video, ...more, "-f", MUXERS[profile.container]];
}

function qualityOptions(encoder: string, quality: number): readonly string[] {
  if (encoder.endsWith("_nvenc")) return ["-cq", String(quality)];
  if (encoder.endsWith("_qsv")) return ["-global_quality", String(quality)];
  if (encoder.endsWith("_vaapi")) return ["-qp", String(quality)];
  if (/_(v4l2m2m|omx)$/.test(encoder)) return [];
  return ["-crf", String(quality)];
}

/** Options before the input and the filter for encoders on the graphics card. */
export function deviceOptions(encoder: string): {
  readonly input: readonly string[];
  readonly filter: string;
} {
  if (!encoder.endsWith("_vaapi")) return { input: [], filter: "" };
  return { input: ["-vaapi_device", "/dev/dri/renderD128"], filter: "format=nv12,hwupload" };
}
