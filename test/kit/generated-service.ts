import type { Triplet } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { PacketSheet, pesPacket } from "./packet-sheet.ts";
import {
  FORMATS,
  isLost,
  isSent,
  jumpedMs,
  type MapScript,
  mapAt,
  ON_AIR_AT,
  PMT_PID,
  type ServiceScript,
  type StreamScript,
  unitAt,
} from "./service-script.ts";
import { ascii, counted, descriptor, pat, pmt, section, sixteen } from "./ts-builder.ts";

/** Whole packets that are sent together. */
export interface Portion {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** The payload of a PES packet; requested for each unit of a stream, by its place in that stream. */
export type Content = (stream: StreamScript, count: number) => Uint8Array;

/** A sender that has something to send again and again. */
interface Sender {
  readonly atMs: number;
  send(sheet: PacketSheet): void;
}

/** The transport stream of a script. */
export function generateService(script: ServiceScript, content: Content = emptyContent): Uint8Array {
  const sheet = new PacketSheet();
  for (const _ of sending(script, { sheet, content })) {
    // All of it.
  }
  return sheet.take();
}

/** The same in the portions of each instant, for senders in real time. */
export function* portionsOf(script: ServiceScript, content: Content = emptyContent): Generator<Portion> {
  const sheet = new PacketSheet();
  let from = 0;
  for (const atMs of sending(script, { sheet, content })) {
    if (sheet.length > from) yield { atMs, bytes: sheet.take().slice(from) };
    from = sheet.length;
  }
}

/** One instant after the other; what belongs to it is on the sheet. */
function* sending(
  script: ServiceScript,
  { sheet, content }: { readonly sheet: PacketSheet; readonly content: Content },
): Generator<number> {
  const senders = sendersOf(script, content);
  for (;;) {
    const next = senders.reduce((first, each) => (each.atMs < first.atMs ? each : first));
    const { atMs } = next;
    if (atMs >= script.durationMs) return;
    const from = sheet.length;
    next.send(sheet);
    if (isLost(script, atMs)) sheet.lose(from);
    yield atMs;
  }
}

/** Those that are first at an instant send first: tables, then PCRs, then streams. */
function sendersOf(script: ServiceScript, content: Content): readonly Sender[] {
  const { timeEveryMs } = script;
  const pictures = new Set<number>();
  return [
    ...script.maps.map((map, version) => mapSender(script, map, version)),
    regular(SDT_EVERY_MS, 0, (sheet) => sheet.section(0x11, sdtOf(script.service))),
    ...(timeEveryMs === undefined
      ? []
      : [regular(timeEveryMs, 0, (sheet, atMs) => sheet.section(0x14, timeSection(ON_AIR_AT + atMs)))]),
    pcrSender(script, pictures),
    ...script.streams.map((stream, index) => streamSender(script, { stream, index, content, pictures })),
  ];
}

const SDT_EVERY_MS = 2 * SECOND;

/** @param everyMs the step to the next one, or several in turn */
function regular(
  everyMs: number | readonly number[],
  fromMs: number,
  send: (sheet: PacketSheet, atMs: number) => void,
): Sender {
  const stepsMs = typeof everyMs === "number" ? [everyMs] : everyMs;
  let count = 0;
  let atMs = fromMs;
  return {
    get atMs() {
      return atMs;
    },
    send(sheet) {
      send(sheet, atMs);
      atMs += stepsMs[count % stepsMs.length] ?? 0;
      count += 1;
    },
  };
}

function mapSender(script: ServiceScript, map: MapScript, version: number): Sender {
  const until = script.maps[version + 1]?.fromMs ?? script.durationMs;
  const { tsid, sid } = script.service;
  const tables = [
    { pid: 0, bytes: pat(tsid, { programmes: [[sid, PMT_PID]] }) },
    { pid: PMT_PID, bytes: pmtOf(script, map, version) },
  ];
  const every = regular(script.tablesEveryMs, Math.max(map.fromMs, script.tablesFromMs), (sheet) => {
    for (const { pid, bytes } of tables) sheet.section(pid, bytes);
  });
  return {
    get atMs() {
      return every.atMs < until ? every.atMs : Number.POSITIVE_INFINITY;
    },
    send: (sheet) => every.send(sheet),
  };
}

function pmtOf(script: ServiceScript, { streams, pcrPid }: MapScript, version: number): Uint8Array {
  const listed = streams.flatMap((index) => script.streams[index] ?? []);
  return pmt({
    sid: script.service.sid,
    pcrPid,
    version: version % 32,
    streams: listed.map((stream) => ({
      pid: stream.pid,
      type: FORMATS[stream.format].type,
      info: descriptorsOf(stream),
    })),
  });
}

/** audio_type "visual impaired commentary". ISO/IEC 13818-1 §2.6.18. */
const DESCRIPTION = 3;

function descriptorsOf(stream: StreamScript): readonly number[] {
  const { format, language = "und", saysStill, isDescription = false } = stream;
  const code = ascii(language);
  const audioType = isDescription ? DESCRIPTION : 0;
  switch (format) {
    case "mp2":
    case "aac":
      return descriptor(0x0a, [...code, audioType]);
    case "ac3":
      return [...descriptor(0x0a, [...code, audioType]), ...descriptor(0x6a, [0])];
    case "subtitles":
      return descriptor(0x59, [...code, 0x10, 0, 1, 0, 1]);
    case "teletext":
      return descriptor(0x56, [...code, 0x09, 0x00]);
    // AVC_still_present, still_picture_flag and HEVC_still_present_flag. ISO/IEC 13818-1 §2.6.64, §2.6.2, §2.6.95.
    case "h264":
      return saysStill ? descriptor(0x28, [100, 0, 40, 0x80]) : [];
    case "mpeg2":
      return saysStill ? descriptor(0x02, [0x1b, 0x48, 0x5f]) : [];
    case "hevc":
      return saysStill ? descriptor(0x38, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 93, 0x40]) : [];
  }
}

export function sdtOf({ onid, tsid, sid }: Triplet): Uint8Array {
  const named = descriptor(0x48, [1, ...counted([]), ...counted(ascii("Generated"))]);
  const service = [...sixteen(sid), 0xfc, 0x80, named.length, ...named];
  return section({ tableId: 0x42, extension: tsid, body: [...sixteen(onid), 0xff, ...service] });
}

/** A TDT: MJD and six digits. EN 300 468 §5.2.5. */
function timeSection(utc: number): Uint8Array {
  const at = new Date(Math.floor(utc / SECOND) * SECOND);
  const mjd = Math.floor(utc / (86_400 * SECOND)) + 40_587;
  const digits = (value: number) => Math.floor(value / 10) * 16 + (value % 10);
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(digits);
  return Uint8Array.from([0x70, 0x70, 5, ...sixteen(mjd), ...time]);
}

/** @param pictures PIDs of pictures that are being sent: a PCR may lie within one */
function pcrSender(script: ServiceScript, pictures: ReadonlySet<number>): Sender {
  let jumps = 0;
  return regular(script.pcrStepsMs ?? script.pcrEveryMs, 0, (sheet, atMs) => {
    const pid = mapAt(script, atMs)?.pcrsOn;
    if (pid === undefined) return;
    const passed = script.jumps.filter((jump) => jump.atMs <= atMs);
    const discontinuity = passed.length > jumps && passed.at(-1)?.signalled === true;
    jumps = passed.length;
    sheet.packet({
      pid,
      pcrMs: script.clockMs + atMs + jumpedMs(script, atMs),
      discontinuity,
      ...(script.pcrsInPictures && pictures.has(pid) ? { payload: MORE_PICTURE } : {}),
    });
  });
}

const MORE_PICTURE = new Uint8Array(170).fill(0x55);

function streamSender(
  script: ServiceScript,
  {
    stream,
    index,
    content,
    pictures,
  }: {
    readonly stream: StreamScript;
    readonly index: number;
    readonly content: Content;
    readonly pictures: Set<number>;
  },
): Sender {
  const { pid, format, unitMs, reorders } = stream;
  const { streamId, kind } = FORMATS[format];
  let count = 0;
  let unit = unitAt(stream, count);
  return {
    get atMs() {
      return unit.sentMs;
    },
    send(sheet) {
      const { sentMs, dtsMs: airMs } = unit;
      if (kind === "video") pictures.delete(pid);
      if (isSent(script, index, unit)) {
        const dtsMs = script.clockMs + jumpedMs(script, sentMs) + airMs;
        const ptsMs = dtsMs + (reorders ? delayOf(count) * unitMs : 0);
        sheet.unit(pid, pesPacket({ streamId, ptsMs, dtsMs, content: content(stream, count) }));
        if (kind === "video") pictures.add(pid);
      }
      count += 1;
      unit = unitAt(stream, count);
    },
  };
}

/** By how many pictures one is shown later than it is decoded: I B B P, sent as I P B B. */
function delayOf(count: number): number {
  if (count === 0) return 1;
  return count % 3 === 1 ? 3 : 0;
}

/** Room of the header in a first packet. */
const HEADER_BYTES = 19;
const EMPTY = new Uint8Array(64 * 184).fill(0x55);

function emptyContent({ packets }: StreamScript): Uint8Array {
  return EMPTY.subarray(0, packets * 184 - HEADER_BYTES);
}
