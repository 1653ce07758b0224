import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { Triplet } from "../../../model/service.ts";
import { textsWithinWire } from "../../../model/wire-text.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { CHANNEL_LISTS_LIMITS } from "./limits.ts";

export type DeliverySystem =
  | "DVB-T"
  | "DVB-T2"
  | "DVB-C"
  | "DVB-S"
  | "DVB-S2"
  | "ATSC"
  | "ISDB-T"
  | "ISDB-S"
  | "DTMB";

/** The tuning parameters of a multiplex. The receiver determines absent ones ("auto"). */
export interface Tuning {
  readonly system: DeliverySystem;
  /** Carrier frequency; for satellites on the downlink, before any LNB. */
  readonly frequencyHz: number;
  readonly bandwidthHz?: number;
  /** Symbols per second. */
  readonly symbolRate?: number;
  /** `QPSK`, `8PSK`, `16APSK`, `QAM64`, `VSB8`, … */
  readonly modulation?: string;
  readonly polarization?: "H" | "V" | "L" | "R";
  /** Tenths of a degree, east positive, west negative. */
  readonly orbit?: number;
  /** `3/4`; for two streams, that of the high-priority one. */
  readonly fec?: string;
  readonly fecLow?: string;
  /** `8K` */
  readonly transmissionMode?: string;
  /** `1/16` */
  readonly guardInterval?: string;
  /** `none`, `1`, `2`, `4` */
  readonly hierarchy?: string;
  readonly inversion?: boolean;
  /** Per cent: 20, 25 or 35. */
  readonly rollOff?: number;
  readonly pilot?: boolean;
  /** PLP of DVB-T2, input stream of DVB-S2. */
  readonly streamId?: number;
}

/** One service of a list. The format determines which ids are known. */
export interface ListedService {
  /** Line number, from 1; 0 if there are no lines. */
  readonly line: number;
  readonly name: string;
  readonly shortName?: string;
  readonly provider?: string;
  readonly lcn?: number;
  readonly ids: Partial<Triplet>;
  /** EN 300 468 table 89. */
  readonly serviceType?: number;
  readonly tuning?: Tuning;
  /** PIDs of picture, sound, teletext, subtitles and clock that the list names; may be outdated. */
  readonly pids?: readonly number[];
  /** Conditional access systems (CA_system_id); empty or absent: free to air. */
  readonly caIds?: readonly number[];
  /** enigma2's third coordinate, besides TSID and ONID. */
  readonly namespace?: number;
  /** Address of the stream, if the service can be read directly. */
  readonly url?: string;
  /** Fields that the request for `url` must have. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly group?: string;
}

/** An unusable line, with the expected content. */
export interface ListMistake {
  readonly line: number;
  readonly text: string;
}

export interface ChannelList {
  readonly format: string;
  readonly services: readonly ListedService[];
  /** Multiplexes listed without services; they have `tuning`, but no ids and no name. Absent: none. */
  readonly multiplexes?: readonly ListedService[];
  readonly mistakes: readonly ListMistake[];
}

/** Collects the results of a parser line by line: a bad line does not affect the others. */
export class ListBuilder {
  readonly #services: ListedService[] = [];
  readonly #multiplexes: ListedService[] = [];
  readonly #mistakes: ListMistake[] = [];

  add(service: ListedService): void {
    const flaw = flawOf(service);
    if (flaw !== undefined) this.mistake(service.line, flaw);
    else if (this.#services.length < CHANNEL_LISTS_LIMITS.services)
      this.#services.push(this.#bounded(service));
    else
      this.mistake(service.line, `more than ${CHANNEL_LISTS_LIMITS.services} services: this one is ignored`);
  }

  /** Adds a multiplex from a line without a service. */
  addMultiplex(line: number, tuning: Tuning): void {
    const flaw = outsideRange<TuningNumber>(tuning, TUNING_RANGES);
    if (flaw !== undefined) this.mistake(line, flaw);
    else if (this.#multiplexes.length < CHANNEL_LISTS_LIMITS.services)
      this.#multiplexes.push({ line, name: "", ids: {}, tuning });
  }

  #bounded(service: ListedService): ListedService {
    const { line, url } = service;
    if (url !== undefined && url.length > MODEL_LIMITS.wireTextLength) {
      this.mistake(line, `an address of more than ${MODEL_LIMITS.wireTextLength} characters is ignored`);
      const { url: _tooLong, ...rest } = service;
      return this.#bounded(rest);
    }
    const { value, changed } = textsWithinWire(withFewPids(service));
    if (changed > 0)
      this.mistake(
        line,
        `a text with a NUL or of more than ${MODEL_LIMITS.wireTextLength} characters was cut`,
      );
    return value;
  }

  mistake(line: number, text: string): void {
    if (this.#mistakes.length < CHANNEL_LISTS_LIMITS.mistakes) this.#mistakes.push({ line, text });
  }

  /** Calls `read` for a line with a service; turns a thrown `BadLine` into a mistake. */
  try(line: number, read: () => ListedService | undefined): void {
    this.tryLine(line, () => {
      const service = read();
      if (service !== undefined) this.add(service);
    });
  }

  /** Calls `read` for a line that may hold no service; turns a thrown `BadLine` into a mistake. */
  tryLine(line: number, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      this.mistake(line, error.message);
    }
  }

  list(format: string): ChannelList {
    const multiplexes = this.#multiplexes;
    return {
      format,
      services: this.#services,
      ...(multiplexes.length === 0 ? {} : { multiplexes }),
      mistakes: this.#mistakes,
    };
  }
}

type Range = readonly [min: number, max: number];
const SIXTEEN_BITS: Range = [0, 0xffff];
const ID_RANGES: readonly (readonly [keyof Triplet, Range])[] = [
  ["onid", SIXTEEN_BITS],
  ["tsid", SIXTEEN_BITS],
  ["sid", SIXTEEN_BITS],
];
const SERVICE_RANGES: readonly (readonly ["lcn" | "serviceType" | "namespace", Range])[] = [
  ["lcn", [0, 999_999_999]],
  ["serviceType", [0, 0xff]],
  ["namespace", [0, 0xffff_ffff]],
];
type TuningNumber = "frequencyHz" | "bandwidthHz" | "symbolRate" | "orbit" | "rollOff" | "streamId";
const TUNING_RANGES: readonly (readonly [TuningNumber, Range])[] = [
  ["frequencyHz", [1, 1e12]],
  ["bandwidthHz", [1, 1e9]],
  ["symbolRate", [1, 1e9]],
  ["orbit", [-1800, 1800]],
  ["rollOff", [0, 100]],
  ["streamId", [0, 0xff]],
];

/** Drivers and the list that `tuners import` writes rely on whole numbers in these ranges. */
function flawOf(service: ListedService): string | undefined {
  return (
    outsideRange(service.ids, ID_RANGES) ??
    outsideRange(service, SERVICE_RANGES) ??
    outsideRange<TuningNumber>(service.tuning ?? {}, TUNING_RANGES)
  );
}

function outsideRange<K extends string>(
  values: { readonly [key in K]?: number },
  ranges: readonly (readonly [K, Range])[],
): string | undefined {
  for (const [key, [min, max]] of ranges) {
    const value = values[key];
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) continue;
    return `expected ${key} to be a whole number from ${min} to ${max}`;
  }
  return undefined;
}

function withFewPids(service: ListedService): ListedService {
  const { pids: count } = CHANNEL_LISTS_LIMITS;
  const { pids, caIds } = service;
  if ((pids?.length ?? 0) <= count && (caIds?.length ?? 0) <= count) return service;
  return defined<ListedService>({ ...service, pids: pids?.slice(0, count), caIds: caIds?.slice(0, count) });
}

/** States the expected content of a line. Never leaves a parser. */
export class BadLine extends Error {}

/** The lines without their line ends; index 0 is line 1. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
}

/** Parses a whole number from 0 up. @throws BadLine */
export function numberFrom(
  text: string | undefined,
  {
    what,
    base = 10,
    max = 0xffff,
  }: { readonly what: string; readonly base?: 10 | 16; readonly max?: number },
): number {
  const value = text === undefined ? -1 : digitsOf(text, base);
  if (value >= 0 && value <= max) return value;
  throw new BadLine(`expected ${what}, a number up to ${max}, found "${(text ?? "").slice(0, 40)}"`);
}

/**
 * Parses digits with optional blanks around them; -1 for anything else. Called ten times per service, so it avoids regular
 * expressions.
 */
function digitsOf(text: string, base: 10 | 16): number {
  let value = 0;
  let count = 0;
  let isOver = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09) {
      isOver = count > 0;
      continue;
    }
    const digit = digitOf(code);
    if (isOver || digit >= base) return -1;
    value = value * base + digit;
    count += 1;
  }
  return count === 0 ? -1 : value;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.POSITIVE_INFINITY;
}

/** `withoutUndefined`, for a type with required fields. */
export function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  return withoutUndefined(fields) as T;
}
