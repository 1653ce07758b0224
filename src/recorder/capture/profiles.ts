import { fileURLToPath } from "node:url";
import { RecorderdError } from "../../model/errors.ts";
import type { CaptureOrder, Source } from "../../model/ports.ts";
import { SOURCE_SCHEMES, type SourceScheme, type SourceShape, schemeOf } from "../../model/source.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";

export interface ProfileLimits {
  /** ffmpeg gives up a silent source after this long. Longer than any limit of the supervisor: it speaks only where that is away. */
  readonly inputTimeoutMs: DurationMs;
}

/**
 * The arguments of ffmpeg for one capture, those that keep it quiet and harmless included.
 *
 * `verbatim`, for a source that carries one service over HTTP or UDP: the bytes as they come, tables, subtitles and
 * continuity counters included. `remux` for everything else: the service taken out of its multiplex, its ids kept. RTP and RTSP
 * are always remuxed, because ffmpeg's byte copy would leave the RTP headers between the packets.
 *
 * `discreet`: the address leads to one that is not to be written down.
 *
 * @throws RecorderdError CAPTURE_NOT_STARTED for a source that no profile reads
 */
export function ffmpegArguments(
  order: CaptureOrder,
  { discreet = false, ...limits }: ProfileLimits & { readonly discreet?: boolean },
): readonly string[] {
  return [
    "-n",
    ...(discreet ? DISCREET : ["-loglevel", "level+info"]),
    ...copying(order, limits),
    // What was received is in the file at once, not up to 256 KiB later: a killed process loses next to nothing.
    ...["-flush_packets", "1", `file:${order.file}`],
  ];
}

/** The arguments of ffmpeg for somebody who watches: the same bytes on its output, and not a word. */
export function viewArguments(
  order: Pick<CaptureOrder, "source" | "service">,
  limits: ProfileLimits,
): readonly string[] {
  return ["-loglevel", "quiet", ...copying(order, limits), "-flush_packets", "1", "pipe:1"];
}

/** Whether there is a password in it, which is not for arguments. */
export function leadsElsewhere(url: string): boolean {
  return /^(https?|rtsp):\/\/[^/?#]*@/i.test(url);
}

/** Whether ffmpeg copies the bytes as they come. It makes any other stream anew, without event tables (EN 300 468 §5.2.4). */
export function copiesBytes({ scheme, programme }: SourceShape): boolean {
  return programme === "single" && READING[scheme].bytesAreStream;
}

function copying(
  order: Pick<CaptureOrder, "source" | "service" | "serviceName">,
  limits: ProfileLimits,
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
 * It says where it is led to, password and all, with what it says for information: only warnings then. That it closed its output,
 * which it says there too, it says by its last progress.
 */
const DISCREET = ["-loglevel", "level+warning", "-stats_period", "86400", "-progress", "pipe:1"] as const;

interface Reading {
  /** What is read from the address is the transport stream itself, with nothing around it. */
  readonly bytesAreStream: boolean;
  readonly options: (timeoutUs: string) => readonly string[];
  readonly remuxInput: readonly string[];
  /** Where bytes are to be had as they are by other means than the data demuxer. */
  readonly verbatimInput?: readonly string[];
  /** The address in ffmpeg's own spelling, where that differs. */
  readonly input?: (url: string) => string;
}

/** 100 packets at a time: a third less work than ffmpeg's own 1024 bytes. */
const VERBATIM_INPUT = ["-f", "data", "-raw_packet_size", "18800"] as const;
const VERBATIM_OUTPUT = ["-map", "0", "-c", "copy", "-f", "data"] as const;

/**
 * A second and a half of looking at the streams instead of five; less does not find every stream of a real multiplex.
 * `-fflags nobuffer` would throw away what was looked at.
 */
const PROBING = ["-analyzeduration", String(1.5 * SECOND * 1000)] as const;
const REMUX_INPUT = [...PROBING, "-f", "mpegts"] as const;

/** With the kernel's default of some 200 KiB packets are lost when the process has to wait for 120 ms. */
export const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;
const RECEIVE_BUFFER = ["-buffer_size", String(RECEIVE_BUFFER_BYTES)] as const;

const HTTP: Reading = {
  bytesAreStream: true,
  // A live stream has no ranges, and a server that is asked for one may answer 206 with something else.
  options: (timeoutUs) => ["-rw_timeout", timeoutUs, "-seekable", "0"],
  remuxInput: REMUX_INPUT,
};

const READING: Readonly<Record<SourceScheme, Reading>> = {
  http: HTTP,
  https: HTTP,
  udp: {
    bytesAreStream: true,
    // The FIFO holds three seconds in which the disk does not answer; without the last option its overflow would be the end.
    options: (timeoutUs) => [
      ...["-timeout", timeoutUs],
      ...RECEIVE_BUFFER,
      ...["-fifo_size", "100000", "-overrun_nonfatal", "1"],
    ],
    remuxInput: REMUX_INPUT,
  },
  rtp: {
    bytesAreStream: false,
    // The mpegts demuxer steps over RTP headers. The rtp demuxer would wait for a first packet without end, and lose the last.
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
    // Made anew: old event tables and an old clock would pass for those of the broadcast.
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
  service,
  serviceName,
}: Pick<CaptureOrder, "service" | "serviceName">): readonly string[] {
  return [
    // Not optional ("?"): where the service is missing, ffmpeg would then take another one.
    ...["-map", `0:p:${service.sid}`],
    // HbbTV services have streams that no muxer takes.
    "-ignore_unknown",
    // The picture from the first packet on, not from the first key frame.
    "-copyinkf",
    ...["-c", "copy"],
    ...["-mpegts_service_id", String(service.sid)],
    ...["-mpegts_transport_stream_id", String(service.tsid)],
    ...["-mpegts_original_network_id", String(service.onid)],
    ...(serviceName === undefined ? [] : ["-metadata", `service_name=${serviceName}`]),
    ...["-f", "mpegts"],
  ];
}
