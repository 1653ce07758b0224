import { PLAYBACK_LIMITS } from "../limits.ts";
import type { Encoder } from "./encoder.ts";
import type { ConvertedStreams } from "./orders.ts";

/** PIDs of the output: ffmpeg counts them from here, in the order of the maps. */
export const FIRST_PID = 0x100;
export const MAP_PID = 0x1000;

/**
 * Arguments of ffmpeg that convert a transport stream from standard input to standard output. The time stamps of the broadcast stay
 * as they are, and each key frame of the broadcast becomes one: the output can be cut where the segments of the input begin.
 */
export function conversionArguments({ video, audio }: ConvertedStreams, encoder: Encoder): readonly string[] {
  return [
    ...["-hide_banner", "-nostdin", "-v", "error", "-filter_threads", "1"],
    ...(video?.isConverted === true ? encoder.device : []),
    // Known from the PMT: ffmpeg must not wait for more.
    ...["-f", "mpegts", "-probesize", "1M", "-analyzeduration", "1M", "-threads", "1"],
    ...["-copyts", "-i", "pipe:0"],
    ...[video, audio].flatMap((stream) => (stream === undefined ? [] : ["-map", `0:i:${stream.pid}`])),
    ...(video === undefined ? [] : video.isConverted ? videoArguments(encoder) : ["-c:v", "copy"]),
    ...(audio === undefined ? [] : audio.isConverted ? AUDIO_ARGUMENTS : ["-c:a", "copy"]),
    ...["-threads", `${PLAYBACK_LIMITS.convertThreads}`, "-max_muxing_queue_size", "4096"],
    ...["-mpegts_copyts", "1", "-avoid_negative_ts", "disabled"],
    ...["-mpegts_start_pid", `${FIRST_PID}`, "-mpegts_pmt_start_pid", `${MAP_PID}`],
    // One frame of sound in each unit, so that sound can be cut at any frame.
    ...["-pes_payload_size", "0", "-flush_packets", "1", "-f", "mpegts", "pipe:1"],
  ];
}

const { convertWidth, convertHeight, convertVideoRate, convertAudioRate } = PLAYBACK_LIMITS;

const FILTERS = [
  "yadif=mode=send_frame:deint=interlaced",
  [
    `scale=w='min(${convertWidth},iw)':h='min(${convertHeight},ih)'`,
    "force_original_aspect_ratio=decrease:force_divisible_by=2",
  ].join(":"),
];

function videoArguments({ name, options, filters }: Encoder): readonly string[] {
  return [
    ...["-vf", [...FILTERS, ...filters].join(","), "-c:v", name, ...options],
    ...["-force_key_frames", "source", "-bf", "0", "-g", "250"],
    ...["-maxrate:v", `${convertVideoRate}`, "-bufsize:v", `${2 * convertVideoRate}`],
    // A coarser time base would move pictures.
    ...["-fps_mode", "passthrough", "-enc_time_base:v", "1/90000"],
  ];
}

/** Missing sound becomes silence, so that picture and sound stay together. */
const AUDIO_ARGUMENTS = [
  ...["-af", "aresample=async=1", "-c:a", "aac", "-ac", "2", "-ar", "48000"],
  ...["-b:a", `${convertAudioRate}`],
];
