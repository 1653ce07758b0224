import { CHANNEL_LISTS_LIMITS } from "./limits.ts";
import {
  BadLine,
  type ChannelList,
  type DeliverySystem,
  defined,
  ListBuilder,
  type ListedService,
  linesOf,
  numberFrom,
  type Tuning,
} from "./list.ts";

/*
 * VDR's channels.conf (vdr(5)), which w_scan writes too. Thirteen fields, by colons:
 *
 * name[,short][;provider]  kept; "|" in a name stands for ":"
 * frequency                kept
 * parameters               kept: B bandwidth, C and D FEC, G guard, H V L R polarization, I inversion, M modulation, N pilot,
 *                          O roll-off, P stream id, S system, T transmission mode, Y hierarchy;
 *                          not kept: Q (T2 system id), X (MISO): receivers find them out
 * source                   kept: T, C, A, S19.2E; others (V, I, P: not received by DVB) are passed over
 * symbol rate              kept for satellite and cable; of terrestrial it means nothing
 * VPID, APIDs, TPID        kept as PIDs; stream types and languages are the stream's own to say
 * CA                       kept from 0x100 up; below that it names a device of that VDR
 * SID, NID, TID            kept; the NID is the original network id
 * RID                      not kept: tells apart what is the same to VDR only
 *
 * Lines that begin with ":" are groups: their name is kept with what follows, "@number" as channel number.
 */

export function parseVdr(text: string): ChannelList {
  const builder = new ListBuilder();
  let group: string | undefined;
  let number = 0;
  /** The services of a multiplex share four fields, which are parsed once. */
  const tunings = new Map<string, Tuning>();
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    if (line.startsWith(":")) {
      const [, at, name] = /^:(?:@(\d+))?\s*(.*)$/.exec(line) ?? [];
      if (at !== undefined) number = Number(at) - 1;
      if (name !== undefined && name !== "") group = name.replaceAll("|", ":");
      continue;
    }
    number += 1;
    builder.try(index + 1, () => serviceOf(line, { line: index + 1, group, lcn: number, tunings }));
  }
  return builder.list("vdr");
}

function serviceOf(
  text: string,
  {
    line,
    group,
    lcn,
    tunings,
  }: {
    readonly line: number;
    readonly group: string | undefined;
    readonly lcn: number;
    readonly tunings: Map<string, Tuning>;
  },
): ListedService | undefined {
  const fields = text.split(":");
  if (fields.length !== 13)
    throw new BadLine(`expected 13 fields with colons between, found ${fields.length}`);
  const [names = "", frequency = "", parameters = "", source = "", symbolRate = ""] = fields;
  const [video = "", audio = "", teletext = "", ca = "", sid, nid, tid] = fields.slice(5);
  if (!/^(T|C|A|S)/.test(source)) return undefined;
  const key = fields.slice(1, 5).join(":");
  const tuning =
    tunings.get(key) ?? tuningOf({ frequency, parameters: parametersOf(parameters), source, symbolRate });
  tunings.set(key, tuning);
  const { name, shortName, provider } = namesOf(names);
  const onid = numberFrom(nid, { what: "a network id" });
  const tsid = numberFrom(tid, { what: "a TSID" });
  const serviceId = numberFrom(sid, { what: "a SID" });
  return defined<ListedService>({
    line,
    name,
    shortName,
    provider,
    // VDR writes 0 for both if neither is known.
    ids: onid === 0 && tsid === 0 ? { sid: serviceId } : { onid, tsid, sid: serviceId },
    lcn,
    group,
    tuning,
    pids: pidsOf([video, audio, teletext]),
    caIds: caIdsOf(ca),
  });
}

interface Names {
  readonly name: string;
  readonly shortName: string | undefined;
  readonly provider: string | undefined;
}

function namesOf(text: string): Names {
  const colons = text.includes("|") ? text.replaceAll("|", ":") : text;
  const semicolon = colons.lastIndexOf(";");
  const [whole, provider] =
    semicolon < 0 ? [colons, ""] : [colons.slice(0, semicolon), colons.slice(semicolon + 1)];
  // The short name follows the last comma: names may contain commas.
  const comma = whole.lastIndexOf(",");
  const [name, shortName] = comma < 0 ? [whole, ""] : [whole.slice(0, comma), whole.slice(comma + 1)];
  return {
    name: name.trim(),
    shortName: shortName.trim() || undefined,
    provider: provider.trim() || undefined,
  };
}

type Parameters = ReadonlyMap<string, number | undefined>;

/** Letters with numbers: `B7C34D0G16I999M64S0T8Y0`. 999 means automatic. */
function parametersOf(text: string): Parameters {
  if (!/^(?:[A-Za-z]\d*)*$/.test(text)) {
    throw new BadLine(`expected parameters such as B7C34M64, found "${text.slice(0, 40)}"`);
  }
  const pairs = [...text.matchAll(/([A-Za-z])(\d*)/g)].map(([, letter = "", digits = ""]) => {
    const value = digits === "" || digits === "999" ? undefined : Number(digits);
    return [letter.toUpperCase(), value] as const;
  });
  return new Map(pairs);
}

const MODULATION: Readonly<Record<number, string>> = {
  2: "QPSK",
  5: "8PSK",
  6: "16APSK",
  7: "32APSK",
  10: "VSB8",
  11: "VSB16",
  12: "DQPSK",
  16: "QAM16",
  32: "QAM32",
  64: "QAM64",
  128: "QAM128",
  256: "QAM256",
};
const GUARD: Readonly<Record<number, string>> = {
  4: "1/4",
  8: "1/8",
  16: "1/16",
  32: "1/32",
  128: "1/128",
  19128: "19/128",
  19256: "19/256",
};
const FEC: Readonly<Record<number, string>> = {
  12: "1/2",
  23: "2/3",
  25: "2/5",
  34: "3/4",
  35: "3/5",
  45: "4/5",
  56: "5/6",
  67: "6/7",
  78: "7/8",
  89: "8/9",
  910: "9/10",
};
const ON_OFF: Readonly<Record<number, boolean>> = { 0: false, 1: true };

function tuningOf({
  frequency,
  parameters,
  source,
  symbolRate,
}: {
  readonly frequency: string;
  readonly parameters: Parameters;
  readonly source: string;
  readonly symbolRate: string;
}): Tuning {
  const of = <T>(table: Readonly<Record<number, T>>, letter: string) => table[parameters.get(letter) ?? -1];
  const system = systemOf(source, parameters);
  const isSatellite = source.startsWith("S");
  const bandwidth = parameters.get("B");
  const mode = parameters.get("T");
  const hierarchy = parameters.get("Y");
  const baud = numberFrom(symbolRate, { what: "a symbol rate", max: 100_000_000 });
  const terrestrial = source === "T";
  return defined<Tuning>({
    system,
    frequencyHz: frequencyOf(frequency, isSatellite),
    ...(isSatellite ? { orbit: orbitOf(source), polarization: polarizationOf(parameters) } : {}),
    bandwidthHz: bandwidth === undefined || !terrestrial ? undefined : bandwidthOf(bandwidth),
    symbolRate: terrestrial || source === "A" || baud === 0 ? undefined : baud * (baud < 100_000 ? 1000 : 1),
    modulation: of(MODULATION, "M"),
    fec: of(FEC, "C"),
    fecLow: of(FEC, "D"),
    guardInterval: of(GUARD, "G"),
    transmissionMode: mode === undefined ? undefined : `${mode}K`,
    hierarchy: hierarchy === undefined ? undefined : hierarchy === 0 ? "none" : String(hierarchy),
    inversion: of(ON_OFF, "I"),
    rollOff: parameters.get("O") || undefined,
    pilot: of(ON_OFF, "N"),
    streamId: system === "DVB-T2" || system === "DVB-S2" ? parameters.get("P") : undefined,
  });
}

function systemOf(source: string, parameters: Parameters): DeliverySystem {
  const second = parameters.get("S") === 1;
  if (source.startsWith("S")) return second ? "DVB-S2" : "DVB-S";
  if (source.startsWith("T")) return second ? "DVB-T2" : "DVB-T";
  return source.startsWith("A") ? "ATSC" : "DVB-C";
}

/** Satellites in MHz; others in MHz, kHz or Hz, depending on the size. */
function frequencyOf(text: string, isSatellite: boolean): number {
  let value = numberFrom(text, { what: "a frequency", max: 100_000_000_000 });
  if (value === 0) throw new BadLine("expected a frequency above 0");
  if (isSatellite) return value * (value > 20_000 ? 1000 : 1_000_000);
  while (value < 1_000_000) value *= 1000;
  return value;
}

/** 7 or 8 MHz; 1712 is 1.712 MHz. */
function bandwidthOf(value: number): number {
  return value > 100 ? value * 1000 : value * 1_000_000;
}

/** Some programs omit the satellite. */
function orbitOf(source: string): number | undefined {
  if (source === "S") return undefined;
  const [, degrees, side] = /^S(\d+(?:\.\d)?)([EW])$/.exec(source) ?? [];
  if (degrees === undefined)
    throw new BadLine(`expected a source such as S19.2E, found "${source.slice(0, 20)}"`);
  return Math.round(Number(degrees) * 10) * (side === "W" ? -1 : 1);
}

function polarizationOf(parameters: Parameters): Tuning["polarization"] {
  return (["H", "V", "L", "R"] as const).find((letter) => parameters.has(letter));
}

/** `257+258=27`, `259=deu@3,260;261`, `32;33=deu`: every number in the place of a PID. */
function pidsOf(fields: readonly string[]): readonly number[] | undefined {
  const pids: number[] = [];
  for (const field of fields) addPids(pids, field);
  return pids.length === 0 ? undefined : pids;
}

/** Parses character by character: splitting took most of the time for a list. */
function addPids(pids: number[], field: string): void {
  let pid = 0;
  let isHere = true;
  for (let at = 0; at <= field.length && pids.length < CHANNEL_LISTS_LIMITS.pids; at += 1) {
    const code = at < field.length ? field.charCodeAt(at) : COMMA;
    if (isHere && code >= 0x30 && code <= 0x39) {
      pid = pid * 10 + code - 0x30;
      continue;
    }
    if (isHere && pid > 0x0f && pid < 0x1fff && !pids.includes(pid)) pids.push(pid);
    pid = 0;
    isHere = code === COMMA || code === SEMICOLON || code === PLUS;
  }
}

const PLUS = 0x2b;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;

function caIdsOf(text: string): readonly number[] | undefined {
  if (text === "0") return undefined;
  const ids = text
    .split(",")
    .map((id) => numberFrom(id === "" ? "0" : id, { what: "a CA system id", base: 16 }))
    .filter((id) => id >= 0x100);
  return ids.length === 0 ? undefined : ids;
}
