import { LIMITS } from "../../../model/limits.ts";
import type { Triplet } from "../../../model/service.ts";
import { textsWithinWire } from "../../../model/wire-text.ts";

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

/** How a multiplex is tuned. What is absent is found out by the receiver ("auto"). */
export interface Tuning {
  readonly system: DeliverySystem;
  /** Of the carrier; of a satellite on the downlink, before any LNB. */
  readonly frequencyHz: number;
  readonly bandwidthHz?: number;
  /** Symbols per second. */
  readonly symbolRate?: number;
  /** `QPSK`, `8PSK`, `16APSK`, `QAM64`, `VSB8`, … */
  readonly modulation?: string;
  readonly polarization?: "H" | "V" | "L" | "R";
  /** Tenths of a degree, east positive, west negative. */
  readonly orbit?: number;
  /** `3/4`; the high-priority stream's where there are two. */
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

/** One service as a list has it. Which of the ids are known depends on the format. */
export interface ListedService {
  /** Where it stands, from 1; 0 where there are no lines. */
  readonly line: number;
  readonly name: string;
  readonly shortName?: string;
  readonly provider?: string;
  readonly lcn?: number;
  readonly ids: Partial<Triplet>;
  /** EN 300 468 table 89. */
  readonly serviceType?: number;
  readonly tuning?: Tuning;
  /** PIDs of picture, sound, teletext, subtitles and clock, as far as the list names them; they may be old. */
  readonly pids?: readonly number[];
  /** Conditional access systems (CA_system_id); empty or absent: free to air. */
  readonly caIds?: readonly number[];
  /** enigma2's third coordinate beside TSID and ONID. */
  readonly namespace?: number;
  /** Where it can be read as it is. */
  readonly url?: string;
  readonly group?: string;
}

/** A line that is not used, and what was expected of it. */
export interface ListMistake {
  readonly line: number;
  readonly text: string;
}

export interface ChannelList {
  readonly format: string;
  readonly services: readonly ListedService[];
  /** Multiplexes that the list names without their services; they have `tuning`, no ids and no name. Absent: none. */
  readonly multiplexes?: readonly ListedService[];
  readonly mistakes: readonly ListMistake[];
}

/** Gathers what a parser finds, line by line: one bad line never costs the others. */
export class ListBuilder {
  readonly #services: ListedService[] = [];
  readonly #multiplexes: ListedService[] = [];
  readonly #mistakes: ListMistake[] = [];

  add(service: ListedService): void {
    const flaw = flawOf(service);
    if (flaw !== undefined) this.mistake(service.line, flaw);
    else if (this.#services.length < LIMITS.channelListServices) this.#services.push(this.#bounded(service));
    else this.mistake(service.line, `more than ${LIMITS.channelListServices} services: this one is not used`);
  }

  /** A line that says how a multiplex is tuned and names no service. */
  addMultiplex(line: number, tuning: Tuning): void {
    const flaw = outsideRange<TuningNumber>(tuning, TUNING_RANGES);
    if (flaw !== undefined) this.mistake(line, flaw);
    else if (this.#multiplexes.length < LIMITS.channelListServices)
      this.#multiplexes.push({ line, name: "", ids: {}, tuning });
  }

  #bounded(service: ListedService): ListedService {
    const { line, url } = service;
    if (url !== undefined && url.length > LIMITS.wireTextLength) {
      this.mistake(line, `an address of more than ${LIMITS.wireTextLength} characters is not used`);
      const { url: _tooLong, ...rest } = service;
      return this.#bounded(rest);
    }
    const { value, changed } = textsWithinWire(withFewPids(service));
    if (changed > 0)
      this.mistake(
        line,
        `a text that holds a NUL or is longer than ${LIMITS.wireTextLength} characters was cut`,
      );
    return value;
  }

  mistake(line: number, text: string): void {
    if (this.#mistakes.length < LIMITS.channelListMistakes) this.#mistakes.push({ line, text });
  }

  /** Runs `read` for a line; what it throws as a `BadLine` becomes a mistake. */
  try(line: number, read: () => ListedService | undefined): void {
    this.tryLine(line, () => {
      const service = read();
      if (service !== undefined) this.add(service);
    });
  }

  /** Runs `read` for a line that may be no service; what it throws as a `BadLine` becomes a mistake. */
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

/** Whatever the format, drivers and the list that `tuners import` writes take whole numbers in these ranges for granted. */
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
  const { channelListPids: count } = LIMITS;
  const { pids, caIds } = service;
  if ((pids?.length ?? 0) <= count && (caIds?.length ?? 0) <= count) return service;
  return known<ListedService>({ ...service, pids: pids?.slice(0, count), caIds: caIds?.slice(0, count) });
}

/** Says what was expected of a line. Never leaves a parser. */
export class BadLine extends Error {}

/** Lines from 1, without their ends. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
}

/** A whole number from 0 up. @throws BadLine */
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

/** Digits with blanks around them; -1 where it is anything else. Runs ten times for every service: no expression is as fast. */
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

/** Leaves out what is not known, so that "absent" has one form. Runs for every service: a plain loop is the fastest way. */
export function known<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const present: Partial<T> = {};
  for (const key in fields) {
    if (fields[key] !== undefined) present[key] = fields[key];
  }
  return present as T;
}
