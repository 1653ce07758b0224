import type { Triplet } from "../../model/service.ts";
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import { section, shortSection, sixteen } from "./section.ts";
import { encodeText } from "./text.ts";

/** PIDs that the norms fix. ISO/IEC 13818-1 table 2-3, EN 300 468 table 1. */
export const PAT_PID = 0x00;
export const NIT_PID = 0x10;
export const SDT_PID = 0x11;
export const EIT_PID = 0x12;
export const TDT_PID = 0x14;

const STREAM_H264 = 0x1b;
const STREAM_AAC = 0x0f;
const TAG_LANGUAGE = 0x0a;
const TAG_NETWORK_NAME = 0x40;
const TAG_SERVICE_LIST = 0x41;
const TAG_SERVICE = 0x48;
const TAG_SHORT_EVENT = 0x4d;
/** Digital television with an advanced codec, standard definition. EN 300 468 table 89. */
const SERVICE_TYPE = 0x16;
const RUNNING = 4;
const NOT_RUNNING = 1;
const PROVIDER = "recorderd";
const NAME_BYTES_MAX = 100;
const TITLE_BYTES_MAX = 120;
/** A descriptor has at most 255 bytes; language and the two lengths take 5. */
const EVENT_TEXTS_BYTES_MAX = 250;
/** 1970-01-01 as Modified Julian Date. */
const MJD_OF_EPOCH = 40_587;

interface ServicePids {
  readonly pmt: number;
  /** Also carries the PCR. */
  readonly picture: number;
  readonly sound: number;
}

export interface AiredService {
  readonly triplet: Triplet;
  readonly name: string;
  readonly pids: ServicePids;
}

export interface ScheduledEvent {
  /** 16 bits; identifies the event within its service. */
  readonly eventId: number;
  /** Fractions of a second are not sent. */
  readonly start: EpochMs;
  readonly durationMs: DurationMs;
  /** Title and text together are cut to the size of one descriptor (EN 300 468 §6.2.37), the title to 120 bytes. */
  readonly title: string;
  readonly text: string;
}

/** ISO/IEC 13818-1 §2.4.4.3. @param version of the tables, 0 to 31: another one where a service has moved */
export function patSection(
  { tsid, version }: { readonly tsid: number; readonly version: number },
  services: readonly AiredService[],
): Buffer {
  const programmes = services.flatMap(({ triplet, pids }) => [
    ...sixteen(triplet.sid),
    ...sixteen(0xe000 | pids.pmt),
  ]);
  const body = [...sixteen(0), ...sixteen(0xe000 | NIT_PID), ...programmes];
  return section({ tableId: 0x00, extension: tsid, version, number: 0, lastNumber: 0, body });
}

/** ISO/IEC 13818-1 §2.4.4.8. */
export function pmtSection({ triplet, pids }: AiredService, version: number): Buffer {
  const language = [TAG_LANGUAGE, 4, ...Buffer.from("eng"), 0];
  const streams = [
    ...[STREAM_H264, ...sixteen(0xe000 | pids.picture), ...sixteen(0xf000)],
    ...[STREAM_AAC, ...sixteen(0xe000 | pids.sound), ...sixteen(0xf000 | language.length), ...language],
  ];
  const body = [...sixteen(0xe000 | pids.picture), ...sixteen(0xf000), ...streams];
  return section({ tableId: 0x02, extension: triplet.sid, version, number: 0, lastNumber: 0, body });
}

/**
 * A network of this multiplex alone, whose id is the original network id. EN 300 468 §5.2.1.
 *
 * @param services of one multiplex, at most 32
 */
export function nitSection(
  { onid, tsid, version }: { readonly onid: number; readonly tsid: number; readonly version: number },
  services: readonly AiredService[],
): Buffer {
  const name = encodeText(PROVIDER, NAME_BYTES_MAX);
  const network = [TAG_NETWORK_NAME, name.length, ...name];
  const list = services.flatMap(({ triplet }) => [...sixteen(triplet.sid), SERVICE_TYPE]);
  const described = [TAG_SERVICE_LIST, list.length, ...list];
  const stream = [...sixteen(tsid), ...sixteen(onid), ...sixteen(0xf000 | described.length), ...described];
  const body = [
    ...[...sixteen(0xf000 | network.length), ...network],
    ...[...sixteen(0xf000 | stream.length), ...stream],
  ];
  return section({ tableId: 0x40, extension: onid, version, number: 0, lastNumber: 0, body });
}

/** Section `index` of the SDT of this stream: it describes service `index`. EN 300 468 §5.2.3. */
export function sdtSection(
  services: readonly AiredService[],
  { index, version }: { readonly index: number; readonly version: number },
): Buffer {
  const described = services.slice(index, index + 1);
  const body = described.flatMap(({ triplet, name }) => {
    const provider = encodeText(PROVIDER, NAME_BYTES_MAX);
    const called = encodeText(name, NAME_BYTES_MAX);
    const descriptor = [SERVICE_TYPE, provider.length, ...provider, called.length, ...called];
    const loop = [TAG_SERVICE, descriptor.length, ...descriptor];
    // 0xfd: EIT present/following is sent, EIT schedule is not.
    const head = [...sixteen(triplet.sid), 0xfd, ...sixteen((RUNNING << 13) | loop.length), ...loop];
    return [...sixteen(triplet.onid), 0xff, ...head];
  });
  const tsid = described[0]?.triplet.tsid ?? 0;
  return section({
    tableId: 0x42,
    extension: tsid,
    version,
    number: index,
    lastNumber: services.length - 1,
    body,
  });
}

/** EN 300 468 §5.2.5. @param at fractions of a second are not sent */
export function tdtSection(at: EpochMs): Buffer {
  return shortSection(0x70, utcTime(at));
}

/** The present (section 0) or following event (section 1) of EIT present/following. EN 300 468 §5.2.4. */
export function eitSection(
  triplet: Triplet,
  {
    which,
    version,
    event,
  }: {
    readonly which: "present" | "following";
    readonly version: number;
    readonly event: ScheduledEvent | undefined;
  },
): Buffer {
  const number = which === "present" ? 0 : 1;
  const status = which === "present" ? RUNNING : NOT_RUNNING;
  const head = [...sixteen(triplet.tsid), ...sixteen(triplet.onid), 1, 0x4e];
  const body = event === undefined ? head : [...head, ...eventEntry(event, status)];
  return section({ tableId: 0x4e, extension: triplet.sid, version, number, lastNumber: 1, body });
}

function eventEntry(event: ScheduledEvent, status: number): readonly number[] {
  const title = encodeText(event.title, TITLE_BYTES_MAX);
  const text = encodeText(event.text, EVENT_TEXTS_BYTES_MAX - title.length);
  const short = [...Buffer.from("eng"), title.length, ...title, text.length, ...text];
  const loop = [TAG_SHORT_EVENT, short.length, ...short];
  return [
    ...sixteen(event.eventId),
    ...utcTime(event.start),
    ...timeOfDay(event.durationMs),
    ...sixteen((status << 13) | loop.length),
    ...loop,
  ];
}

/** MJD and BCD. EN 300 468 annex C. */
function utcTime(at: EpochMs): readonly number[] {
  const day = Math.floor(at / DAY);
  return [...sixteen(MJD_OF_EPOCH + day), ...timeOfDay(at - day * DAY)];
}

function timeOfDay(ms: DurationMs): readonly number[] {
  const parts = [ms / HOUR, (ms % HOUR) / MINUTE, (ms % MINUTE) / SECOND];
  return parts.map(Math.floor).map((part) => (Math.floor(part / 10) << 4) | (part % 10));
}
