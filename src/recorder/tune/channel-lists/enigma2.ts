import { CHANNEL_LISTS_LIMITS } from "./limits.ts";
import {
  BadLine,
  type ChannelList,
  defined,
  ListBuilder,
  type ListedService,
  linesOf,
  numberFrom,
  type Tuning,
} from "./list.ts";

/*
 * enigma2's lamedb, versions 4 and 5: what is read and what is not.
 *
 * transponder  namespace, TSID, ONID (hex)     kept: they join services to their tuning
 *   s          frequency kHz, symbol rate, polarization, FEC, orbit, inversion, system, modulation, roll-off, pilot, stream id
 *              flags, PLS mode and code, T2-MI: not kept, no driver has a use for them
 *   t          frequency Hz, bandwidth, FEC twice, modulation, transmission mode, guard, hierarchy, inversion, system, PLP; flags not kept
 *   c          frequency kHz, symbol rate, inversion, modulation, FEC; flags and annex not kept
 *   a          frequency Hz, inversion, modulation; flags and system not kept
 * service      SID, namespace, TSID, ONID (hex), type (decimal): kept; channel number and source id: of that box alone, not kept
 *   p:         provider, kept      c: cached PIDs, kept      C: conditional access, kept
 *   f:         flags: bit 1 (do not show) leaves the service out, the others are the box's own affair
 */

/** Tunings by namespace, TSID and ONID, which join services to them. */
interface Transponders {
  readonly tunings: Map<string, Tuning>;
  /** Maps written keys, which differ in zeros and case, to normal ones: each is parsed once. */
  readonly keys: Map<string, string>;
}

const DO_NOT_SHOW = 0x02;

/** Reads a lamedb of version 4 or 5; anything else is one mistake. */
export function parseLamedb(text: string): ChannelList {
  const lines = linesOf(text);
  const version = /^eDVB services \/([45])\//.exec(lines[0] ?? "")?.[1];
  const builder = new ListBuilder();
  if (version === undefined) builder.mistake(1, 'expected "eDVB services /4/" or "/5/"');
  else if (version === "4") readFour(lines, builder);
  else readFive(lines, builder);
  return builder.list("enigma2");
}

function readFour(lines: readonly string[], builder: ListBuilder): void {
  const transponders: Transponders = { tunings: new Map(), keys: new Map() };
  let at = lines.indexOf("transponders") + 1;
  for (; at > 0 && at < lines.length && lines[at] !== "end"; at += 1) {
    const head = at;
    const end = lines.indexOf("/", head);
    if (end < 0) break;
    builder.try(head + 1, () => {
      addTransponder(transponders, (lines[head] ?? "").split(":"), (lines[head + 1] ?? "").trim());
      return undefined;
    });
    at = end;
  }
  const start = lines.indexOf("services", Math.max(at, 1)) + 1;
  for (at = start; start > 0 && at < lines.length && lines[at] !== "end"; ) {
    const head = at;
    if (!isServiceHead(lines[head])) {
      if (lines[head] !== "") builder.mistake(head + 1, "expected sid:namespace:tsid:onid:type:number");
      at += 1;
      continue;
    }
    builder.try(head + 1, () => {
      if (lines[head + 2] === undefined) throw new BadLine("expected a name and a provider after this line");
      const ids = (lines[head] ?? "").split(":");
      return serviceOf(
        { ids, name: lines[head + 1] ?? "", data: lines[head + 2] ?? "", line: head + 1 },
        transponders,
      );
    });
    at += 3;
  }
  if (start === 0) builder.mistake(lines.length, 'expected a section "services"');
}

function isServiceHead(line: string | undefined): boolean {
  return line !== undefined && /^[0-9a-f]+(:[0-9a-f]+){5,6}$/i.test(line);
}

function readFive(lines: readonly string[], builder: ListBuilder): void {
  const transponders: Transponders = { tunings: new Map(), keys: new Map() };
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === "" || line.startsWith("#")) continue;
    builder.try(index + 1, () => readFiveLine(line, index + 1, transponders));
  }
}

function readFiveLine(line: string, number: number, transponders: Transponders): ListedService | undefined {
  if (line.startsWith("t:")) {
    const [ids = "", ...parameters] = line.slice(2).split(",");
    addTransponder(transponders, ids.split(":"), parameters.join(",").replace(":", " "));
    return undefined;
  }
  if (!line.startsWith("s:")) throw new BadLine('expected "t:", "s:" or "#" at the beginning');
  // Names may contain commas and quotes, so a name ends at the last quote before a known field.
  const from = line.indexOf(',"');
  const to = Math.max(line.lastIndexOf('",'), line.endsWith('"') ? line.length - 1 : -1);
  if (from < 0 || to < from + 2) throw new BadLine("expected a name in quotes after the ids");
  const ids = line.slice(2, from).split(":");
  return serviceOf(
    { ids, name: line.slice(from + 2, to), data: line.slice(to + 2), line: number },
    transponders,
  );
}

function addTransponder(transponders: Transponders, ids: readonly string[], parameters: string): void {
  transponders.tunings.set(transponderKey(ids, transponders), tuningOf(parameters));
}

function transponderKey([namespace, tsid, onid]: readonly string[], { keys }: Transponders): string {
  const written = `${namespace}:${tsid}:${onid}`;
  const known = keys.get(written);
  if (known !== undefined) return known;
  const key = [
    numberFrom(namespace, { what: "a namespace", base: 16, max: 0xffffffff }),
    numberFrom(tsid, { what: "a TSID", base: 16 }),
    numberFrom(onid, { what: "an ONID", base: 16 }),
  ].join(":");
  keys.set(written, key);
  return key;
}

function serviceOf(
  { ids, name, data, line }: { ids: readonly string[]; name: string; data: string; line: number },
  transponders: Transponders,
): ListedService | undefined {
  const [sid, namespace, tsid, onid, type] = ids;
  const key = transponderKey([namespace ?? "", tsid ?? "", onid ?? ""], transponders);
  const { provider, pids, caIds, flags } = dataOf(data);
  if ((flags & DO_NOT_SHOW) !== 0) return undefined;
  return defined<ListedService>({
    line,
    name: plainName(name),
    ids: {
      onid: numberFrom(onid, { what: "an ONID", base: 16 }),
      tsid: numberFrom(tsid, { what: "a TSID", base: 16 }),
      sid: numberFrom(sid, { what: "a SID", base: 16 }),
    },
    serviceType: numberFrom(type, { what: "a service type", max: 0xff }),
    provider,
    tuning: transponders.tunings.get(key),
    pids: pids.length === 0 ? undefined : pids,
    caIds: caIds.length === 0 ? undefined : caIds,
    namespace: numberFrom(namespace, { what: "a namespace", base: 16, max: 0xffffffff }),
  });
}

interface Data {
  readonly provider: string | undefined;
  readonly pids: readonly number[];
  readonly caIds: readonly number[];
  readonly flags: number;
}

/** `p:Provider,c:0013ef,C:1830,f:40`: tags and values, separated by commas. */
function dataOf(text: string): Data {
  const pids: number[] = [];
  const caIds: number[] = [];
  let provider: string | undefined;
  let flags = 0;
  for (const entry of text.split(",")) {
    if (entry.charCodeAt(1) !== COLON) continue;
    const value = entry.slice(2);
    switch (entry[0]) {
      case "p":
        if (value !== "") provider ??= value;
        break;
      case "c":
        addNew(pids, pidOf(value));
        break;
      case "C":
        addNew(caIds, numberFrom(value, { what: "a CA system id", base: 16 }));
        break;
      case "f":
        flags = Number.parseInt(value, 16);
    }
  }
  return { provider, pids, caIds, flags };
}

const COLON = 0x3a;

function addNew(numbers: number[], value: number | undefined): void {
  const isFull = numbers.length >= CHANNEL_LISTS_LIMITS.pids;
  if (value !== undefined && !isFull && !numbers.includes(value)) numbers.push(value);
}

/** Removes the DVB marks for the short form of a name (U+0086, U+0087). */
function plainName(name: string): string {
  return name.replace(/[\u0080-\u009f]/g, "").trim();
}

/** Two digits name the stream, the rest is its hexadecimal PID; an audio delay has the same form but is no PID. */
function pidOf(text: string): number | undefined {
  const kind = Number.parseInt(text.slice(0, 2), 10);
  const isDelay = kind === 8 || kind === 9;
  const pid = numberFrom(text.slice(2), { what: "a PID", base: 16, max: 0xffffffff });
  return isDelay || pid < 0x10 || pid > 0x1fff ? undefined : pid;
}

const FEC_INNER: readonly string[] = [
  "",
  "1/2",
  "2/3",
  "3/4",
  "5/6",
  "7/8",
  "8/9",
  "3/5",
  "4/5",
  "9/10",
  "6/7",
];
const FEC_T: readonly string[] = ["1/2", "2/3", "3/4", "5/6", "7/8", "", "6/7", "8/9", "3/5", "4/5"];
const BANDWIDTH_T: readonly number[] = [8e6, 7e6, 6e6, 0, 5e6, 1_712_000, 10e6];
const MODULATION_T: readonly string[] = ["QPSK", "QAM16", "QAM64", "", "QAM256"];
const MODE_T: readonly string[] = ["2K", "8K", "", "4K", "1K", "16K", "32K"];
const GUARD_T: readonly string[] = ["1/32", "1/16", "1/8", "1/4", "", "1/128", "19/128", "19/256"];
const HIERARCHY_T: readonly string[] = ["none", "1", "2", "4"];
const MODULATION_C: readonly string[] = ["", "QAM16", "QAM32", "QAM64", "QAM128", "QAM256", "VSB8", "VSB16"];
const MODULATION_S: readonly string[] = ["", "QPSK", "8PSK", "QAM16", "16APSK", "32APSK"];
const ROLL_OFF: readonly number[] = [35, 25, 20];
const POLARIZATION = ["H", "V", "L", "R"] as const;

/** The numbers are defined in enigma2's lib/dvb/frontendparms.h. */
function tuningOf(parameters: string): Tuning {
  const [plain = "", ...options] = parameters.split(",");
  const kind = plain.charAt(0);
  const values = plain.slice(1).trim().split(":").map(Number);
  /** Newer versions append the stream id. */
  const stream = options.find((option) => option.startsWith("MIS/PLS:"))?.split(":")[1];
  const value = (index: number) => values[index];
  const of = <T>(table: readonly T[], index: number) => table[value(index) ?? -1] || undefined;
  const frequency = value(0) ?? 0;
  if (!(frequency > 0)) throw new BadLine("expected a frequency above 0");
  switch (kind) {
    case "s":
      return defined<Tuning>({
        system: value(7) === 1 ? "DVB-S2" : "DVB-S",
        frequencyHz: frequency * 1000,
        symbolRate: positive(value(1)),
        polarization: POLARIZATION[value(2) ?? -1],
        fec: of(FEC_INNER, 3),
        orbit: orbitOf(value(4) ?? 0),
        inversion: onOff(value(5)),
        modulation: of(MODULATION_S, 8),
        rollOff: of(ROLL_OFF, 9),
        pilot: onOff(value(10)),
        streamId: idOf(value(11) ?? (stream === undefined ? undefined : Number(stream))),
      });
    case "t":
      return defined<Tuning>({
        system: value(10) === 1 ? "DVB-T2" : "DVB-T",
        frequencyHz: frequency,
        bandwidthHz: of(BANDWIDTH_T, 1),
        fec: of(FEC_T, 2),
        fecLow: of(FEC_T, 3),
        modulation: of(MODULATION_T, 4),
        transmissionMode: of(MODE_T, 5),
        guardInterval: of(GUARD_T, 6),
        hierarchy: of(HIERARCHY_T, 7),
        inversion: onOff(value(8)),
        streamId: value(10) === 1 ? idOf(value(11)) : undefined,
      });
    case "c":
      return defined<Tuning>({
        system: "DVB-C",
        frequencyHz: frequency * 1000,
        symbolRate: positive(value(1)),
        inversion: onOff(value(2)),
        modulation: of(MODULATION_C, 3),
        fec: of(FEC_INNER, 4),
      });
    case "a":
      return defined<Tuning>({
        system: "ATSC",
        frequencyHz: frequency,
        inversion: onOff(value(1)),
        modulation: of(MODULATION_C, 2),
      });
    default:
      throw new BadLine(`expected s, t, c or a before the tuning data, found "${kind}"`);
  }
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/** 0 off, 1 on, 2 unknown. */
function onOff(value: number | undefined): boolean | undefined {
  return value === 0 || value === 1 ? value === 1 : undefined;
}

/** enigma2 counts from 0 to 3599 eastwards: 3300 is 30° west. */
function orbitOf(value: number): number {
  return value > 1800 ? value - 3600 : value;
}

/** -1 or the largest possible value means none. */
function idOf(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= 0xff ? value : undefined;
}
