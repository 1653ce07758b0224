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
 * Channel files of libdvbv5 (dvbv5-scan): a section per service, `KEY = value` in it.
 *
 * [name], SERVICE_ID, TRANSPORT_ID, NETWORK_ID         kept; the NETWORK_ID is the original network id
 * VCHANNEL                                             kept as channel number
 * VIDEO_PID, AUDIO_PID, PID_xx                         kept; several with spaces between
 * DELIVERY_SYSTEM, FREQUENCY, BANDWIDTH_HZ, SYMBOL_RATE, MODULATION, INNER_FEC, CODE_RATE_HP, CODE_RATE_LP, GUARD_INTERVAL,
 * TRANSMISSION_MODE, HIERARCHY, INVERSION, POLARIZATION, ROLLOFF, PILOT, STREAM_ID    kept
 * LNB, SAT_NUMBER, FREQ_BPF, DISEQC_WAIT               not kept: they are the receiver's, not the multiplex's
 * ISDBT_…, COUNTRY and all other keys                  not kept: receivers find them out
 *
 * Sections without a SERVICE_ID (the initial tuning data of a scan) are multiplexes.
 */

export function parseDvbv5(text: string): ChannelList {
  const builder = new ListBuilder();
  let name: string | undefined;
  let line = 0;
  let keys = new Map<string, string>();
  const close = () => {
    const section = { name: name ?? "", line, keys };
    if (name === undefined) return;
    if (keys.has("SERVICE_ID")) builder.try(line, () => serviceOf(section));
    else if (keys.has("FREQUENCY"))
      builder.tryLine(line, () => builder.addMultiplex(section.line, tuningOf(section.keys)));
  };
  for (const [index, text_] of linesOf(text).entries()) {
    const trimmed = text_.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const title = /^\[(.*)\]$/.exec(trimmed)?.[1];
    if (title !== undefined) {
      close();
      [name, line, keys] = [title, index + 1, new Map()];
      continue;
    }
    const equals = trimmed.indexOf("=");
    if (equals < 1 || name === undefined) {
      builder.mistake(
        index + 1,
        equals < 1 ? "expected KEY = value" : "expected [name] before the first key",
      );
    } else {
      keys.set(trimmed.slice(0, equals).trim().toUpperCase(), trimmed.slice(equals + 1).trim());
    }
  }
  close();
  return builder.list("dvbv5");
}

interface Section {
  readonly name: string;
  readonly line: number;
  readonly keys: ReadonlyMap<string, string>;
}

function serviceOf({ name, line, keys }: Section): ListedService {
  const id = (key: string) =>
    keys.has(key) ? numberFrom(keys.get(key), { what: key, base: 10 }) : undefined;
  return defined<ListedService>({
    line,
    name: name.replace(/^CHANNEL\s+/, "").trim(),
    ids: defined({ onid: id("NETWORK_ID"), tsid: id("TRANSPORT_ID"), sid: id("SERVICE_ID") }),
    lcn: lcnOf(keys.get("VCHANNEL")),
    tuning: keys.has("FREQUENCY") ? tuningOf(keys) : undefined,
    pids: pidsOf(keys),
  });
}

/** ATSC numbers have two parts, `7.1`; lists are sorted by the first. */
function lcnOf(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? "", 10);
  return number > 0 ? number : undefined;
}

function pidsOf(keys: ReadonlyMap<string, string>): readonly number[] | undefined {
  const pids = [...keys]
    .filter(([key]) => /^(VIDEO_PID|AUDIO_PID|PID_[0-9A-F]+)$/i.test(key))
    .flatMap(([key, value]) => value.split(/\s+/).map((pid) => numberFrom(pid, { what: key, max: 0x1fff })));
  return pids.length === 0 ? undefined : [...new Set(pids)];
}

const SYSTEMS: Readonly<Record<string, DeliverySystem>> = {
  DVBT: "DVB-T",
  DVBT2: "DVB-T2",
  "DVBC/ANNEX_A": "DVB-C",
  "DVBC/ANNEX_B": "DVB-C",
  "DVBC/ANNEX_C": "DVB-C",
  DVBS: "DVB-S",
  DVBS2: "DVB-S2",
  ATSC: "ATSC",
  ISDBT: "ISDB-T",
  ISDBS: "ISDB-S",
  DTMB: "DTMB",
};
const MODULATIONS: Readonly<Record<string, string>> = {
  QPSK: "QPSK",
  "PSK/8": "8PSK",
  "APSK/16": "16APSK",
  "APSK/32": "32APSK",
  "QAM/16": "QAM16",
  "QAM/32": "QAM32",
  "QAM/64": "QAM64",
  "QAM/128": "QAM128",
  "QAM/256": "QAM256",
  "VSB/8": "VSB8",
  "VSB/16": "VSB16",
  DQPSK: "DQPSK",
};
const POLARIZATIONS: Readonly<Record<string, Tuning["polarization"]>> = {
  HORIZONTAL: "H",
  VERTICAL: "V",
  LEFT: "L",
  RIGHT: "R",
};
const ON_OFF: Readonly<Record<string, boolean>> = { ON: true, OFF: false };

function tuningOf(keys: ReadonlyMap<string, string>): Tuning {
  const word = (key: string) => keys.get(key)?.toUpperCase() ?? "";
  const system = SYSTEMS[word("DELIVERY_SYSTEM")];
  if (system === undefined) {
    throw new BadLine(
      `expected a DELIVERY_SYSTEM such as DVBT, found "${word("DELIVERY_SYSTEM").slice(0, 40)}"`,
    );
  }
  const isSatellite = system === "DVB-S" || system === "DVB-S2" || system === "ISDB-S";
  const number = (key: string, max: number) =>
    keys.has(key) && !/^(AUTO|DEFAULT)$/i.test(word(key))
      ? numberFrom(keys.get(key), { what: key, max })
      : undefined;
  const ratio = (key: string) => (/^\d+\/\d+$/.test(word(key)) ? word(key) : undefined);
  const frequency = number("FREQUENCY", 100_000_000_000) ?? 0;
  if (frequency === 0) throw new BadLine("expected a FREQUENCY above 0");
  const streamId = number("STREAM_ID", 0xffffffff);
  return defined<Tuning>({
    system,
    frequencyHz: frequency * (isSatellite ? 1000 : 1),
    bandwidthHz: number("BANDWIDTH_HZ", 100_000_000) || undefined,
    symbolRate: number("SYMBOL_RATE", 100_000_000) || undefined,
    modulation: MODULATIONS[word("MODULATION")],
    polarization: POLARIZATIONS[word("POLARIZATION")],
    fec: ratio("CODE_RATE_HP") ?? ratio("INNER_FEC"),
    fecLow: ratio("CODE_RATE_LP"),
    guardInterval: ratio("GUARD_INTERVAL"),
    transmissionMode: /^\d+K$/.test(word("TRANSMISSION_MODE")) ? word("TRANSMISSION_MODE") : undefined,
    hierarchy: /^(NONE|[124])$/.test(word("HIERARCHY")) ? word("HIERARCHY").toLowerCase() : undefined,
    inversion: ON_OFF[word("INVERSION")],
    rollOff: number("ROLLOFF", 100),
    pilot: ON_OFF[word("PILOT")],
    streamId: streamId !== undefined && streamId <= 0xff ? streamId : undefined,
  });
}
