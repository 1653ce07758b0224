import { fileURLToPath } from "node:url";
import { RecorderdError } from "../../model/errors.ts";
import type { CaptureOrder, Source } from "../../model/ports.ts";
import { SOURCE_SCHEMES, type SourceScheme, type SourceShape, schemeOf } from "../../model/source.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";

export interface FfmpegLimits {
  /** Time after which ffmpeg gives up a silent source. Longer than all limits of the supervisor, so it matters only without one. */
  readonly inputTimeoutMs: DurationMs;
}

/**
 * The arguments of ffmpeg for one capture, including those that keep it quiet and harmless.
 *
 * `verbatim`, for a source with one service over HTTP or UDP: the bytes as received, with tables, subtitles and continuity
 * counters. `remux` otherwise: the service extracted from its multiplex, ids unchanged. RTP and RTSP are always remuxed, because
 * ffmpeg's byte copy would leave the RTP headers between the packets.
 *
 * `discreet`: the address redirects to one that must not be logged.
 *
 * @throws RecorderdError CAPTURE_NOT_STARTED for a source that ffmpeg does not read
 */
export function ffmpegArguments(
  order: CaptureOrder,
  { discreet = false, ...limits }: FfmpegLimits & { readonly discreet?: boolean },
): readonly string[] {
  return [
    "-n",
    ...(discreet ? DISCREET : ["-loglevel", "level+info"]),
    ...copying(order, limits),
    // Data goes to the file at once, not up to 256 KiB later: a killed process loses next to nothing.
    ...["-flush_packets", "1", `file:${order.file}`],
  ];
}

/** The arguments of ffmpeg for a viewer: the same bytes on its output, without a log. */
export function viewArguments(
  order: Pick<CaptureOrder, "source" | "service">,
  limits: FfmpegLimits,
): readonly string[] {
  return ["-loglevel", "quiet", ...copying(order, limits), "-flush_packets", "1", "pipe:1"];
}

/** Whether the address contains a password, which must not appear in arguments. */
export function hasPassword(url: string): boolean {
  return /^(https?|rtsp):\/\/[^/?#]*@/i.test(url);
}

/** Whether ffmpeg copies the bytes as received. It remuxes any other stream, and drops its event tables (EN 300 468 §5.2.4). */
export function copiesBytes({ scheme, programme }: SourceShape): boolean {
  return programme === "single" && READING[scheme].bytesAreStream;
}

function copying(
  order: Pick<CaptureOrder, "source" | "service" | "serviceName">,
  limits: FfmpegLimits,
): readonly string[] {
  const { url, programme } = order.source;
  const scheme = schemeOf(url);
  if (scheme === undefined) {
    const found = url.slice(0, Math.max(0, url.indexOf(":")));
    throw new RecorderdError(
      "CAPTURE_NOT_STARTED",
      `No capture profile reads "${found}:" addresses; give one of ${SOURCE_SCHEMES.join(", ")}.`,
      { scheme: found },
    );
  }
  const reading = READING[scheme];
  const timeoutUs = String(limits.inputTimeoutMs * 1000);
  const verbatim = copiesBytes({ scheme, programme });
  return [
    ...["-hide_banner", "-nostdin", "-nostats"],
    ...reading.options(timeoutUs),
    ...headerOptions(order.source.headers),
    ...(verbatim ? (reading.verbatimInput ?? VERBATIM_INPUT) : reading.remuxInput),
    ...["-i", reading.input?.(url) ?? url],
    ...(verbatim ? VERBATIM_OUTPUT : remuxOutput(order)),
  ];
}

/**
 * Logs warnings only: information messages contain the redirect's address with its password. The last progress report shows
 * instead that the output was closed.
 */
const DISCREET = ["-loglevel", "level+warning", "-stats_period", "86400", "-progress", "pipe:1"] as const;

interface Reading {
  /** The address delivers the transport stream itself, without framing. */
  readonly bytesAreStream: boolean;
  readonly options: (timeoutUs: string) => readonly string[];
  readonly remuxInput: readonly string[];
  /** Input options for a byte copy, where the data demuxer is not used. */
  readonly verbatimInput?: readonly string[];
  /** Converts the address to ffmpeg's spelling, if that differs. */
  readonly input?: (url: string) => string;
}

/** 100 packets at a time: a third less work than ffmpeg's default of 1024 bytes. */
const VERBATIM_INPUT = ["-f", "data", "-raw_packet_size", "18800"] as const;
const VERBATIM_OUTPUT = ["-map", "0", "-c", "copy", "-f", "data"] as const;

/**
 * Probes the streams for 1.5 s instead of 5 s; less misses streams of a real multiplex. `-fflags nobuffer` would discard the
 * probed data.
 */
const PROBING = ["-analyzeduration", String(1.5 * SECOND * 1000)] as const;
const REMUX_INPUT = [...PROBING, "-f", "mpegts"] as const;

/** The kernel's default of some 200 KiB loses packets when the process has to wait for 120 ms. */
export const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;
const RECEIVE_BUFFER = ["-buffer_size", String(RECEIVE_BUFFER_BYTES)] as const;

const HTTP: Reading = {
  bytesAreStream: true,
  // Live streams have no ranges; a server asked for one may answer 206 with other content.
  options: (timeoutUs) => ["-rw_timeout", timeoutUs, "-seekable", "0"],
  remuxInput: REMUX_INPUT,
};

const READING: Readonly<Record<SourceScheme, Reading>> = {
  http: HTTP,
  https: HTTP,
  udp: {
    bytesAreStream: true,
    // The FIFO covers three seconds without an answer of the disk; without the last option, an overflow would end ffmpeg.
    options: (timeoutUs) => [
      ...["-timeout", timeoutUs],
      ...RECEIVE_BUFFER,
      ...["-fifo_size", "100000", "-overrun_nonfatal", "1"],
    ],
    remuxInput: REMUX_INPUT,
  },
  rtp: {
    bytesAreStream: false,
    // The mpegts demuxer skips RTP headers. The rtp demuxer would wait for a first packet without limit, and lose the last one.
    options: (timeoutUs) => ["-timeout", timeoutUs, ...RECEIVE_BUFFER],
    remuxInput: REMUX_INPUT,
  },
  rtsp: {
    bytesAreStream: false,
    options: (timeoutUs) => ["-timeout", timeoutUs, "-rtsp_flags", "prefer_tcp", ...RECEIVE_BUFFER],
    remuxInput: PROBING,
  },
  satip: {
    bytesAreStream: true,
    options: (timeoutUs) => ["-timeout", timeoutUs, ...RECEIVE_BUFFER],
    remuxInput: PROBING,
    verbatimInput: ["-rtsp_flags", "satip_raw"],
  },
  file: {
    // Remuxed: otherwise old event tables and an old clock would pass for current ones.
    bytesAreStream: false,
    options: () => ["-stream_loop", "-1", "-re"],
    remuxInput: REMUX_INPUT,
    input: (url) => `file:${fileURLToPath(url)}`,
  },
};

function headerOptions(headers: Source["headers"] = {}): readonly string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return lines.length === 0 ? [] : ["-headers", lines.join("")];
}

function remuxOutput({
  source: { programme },
  service,
  serviceName,
}: Pick<CaptureOrder, "source" | "service" | "serviceName">): readonly string[] {
  return [
    // Mandatory (no "?"): otherwise ffmpeg would take another service if this one is missing.
    ...["-map", programme === "sole" ? "0" : `0:p:${service.sid}`],
    // HbbTV services have streams that no muxer supports.
    "-ignore_unknown",
    // Keeps the picture from the first packet on, not from the first key frame.
    "-copyinkf",
    ...["-c", "copy"],
    ...["-mpegts_service_id", String(service.sid)],
    ...["-mpegts_transport_stream_id", String(service.tsid)],
    ...["-mpegts_original_network_id", String(service.onid)],
    ...(serviceName === undefined ? [] : ["-metadata", `service_name=${serviceName}`]),
    ...["-f", "mpegts"],
  ];
}
