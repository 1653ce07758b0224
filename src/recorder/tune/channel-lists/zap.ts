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
 * The channels.conf of tzap, czap, szap and azap, as scan, w_scan -X and dvbv5-scan -O ZAP write it. All fields are kept but
 * szap's satellite number, which is that receiver's own. ONID and TSID are not in it: such services are found by name.
 *
 * T  name:Hz:inversion:bandwidth:FEC:FEC:modulation:mode:guard:hierarchy:VPID:APID:SID
 * C  name:Hz:inversion:symbol rate:FEC:modulation:VPID:APID:SID
 * S  name:MHz:h|v|l|r:satellite number:symbol rate in thousands:VPID:APID:SID
 * A  name:Hz:modulation:VPID:APID:SID
 *
 * Some programs write all APIDs, with commas between.
 */

export function parseZap(text: string): ChannelList {
  const builder = new ListBuilder();
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    builder.try(index + 1, () => serviceOf(line.split(":"), index + 1));
  }
  return builder.list("zap");
}

function serviceOf(fields: readonly string[], line: number): ListedService {
  const [name = ""] = fields;
  const [video, audio, sid] = fields.slice(-3);
  const pids = [video, ...(audio ?? "").split(",")]
    .map((pid) => numberFrom(pid, { what: "a PID", max: 0x1fff }))
    .filter((pid) => pid !== 0);
  return defined<ListedService>({
    line,
    name: withoutProvider(name).trim() || name.trim(),
    ids: { sid: numberFrom(sid, { what: "a SID" }) },
    tuning: tuningOf(fields),
    pids: pids.length === 0 ? undefined : pids,
  });
}

/** Some lists append the provider in brackets. No regular expression: a line full of brackets would take hours. */
function withoutProvider(name: string): string {
  const at = name.indexOf("(");
  return at >= 0 && name.endsWith(")") ? name.slice(0, at) : name;
}

function tuningOf(fields: readonly string[]): Tuning {
  const [, frequency, a, b, c, d, e, f, g, h] = fields;
  const hz = numberFrom(frequency, { what: "a frequency", max: 100_000_000_000 });
  switch (fields.length) {
    case 13:
      return defined<Tuning>({
        system: "DVB-T",
        frequencyHz: hz,
        inversion: inversionOf(a),
        bandwidthHz: bandwidthOf(b),
        fec: fecOf(c),
        fecLow: fecOf(d),
        modulation: modulationOf(e),
        transmissionMode: /^TRANSMISSION_MODE_(\d+K)$/.exec(f ?? "")?.[1],
        guardInterval: /^GUARD_INTERVAL_(\d+)_(\d+)$/
          .exec(g ?? "")
          ?.slice(1)
          .join("/"),
        hierarchy: /^HIERARCHY_(NONE|[124])$/.exec(h ?? "")?.[1]?.toLowerCase(),
      });
    case 9:
      return defined<Tuning>({
        system: "DVB-C",
        frequencyHz: hz,
        inversion: inversionOf(a),
        symbolRate: numberFrom(b, { what: "a symbol rate", max: 100_000_000 }),
        fec: fecOf(c),
        modulation: modulationOf(d),
      });
    case 8:
      return defined<Tuning>({
        system: "DVB-S",
        frequencyHz: hz * 1_000_000,
        polarization: (["H", "V", "L", "R"] as const).find((letter) => letter === a?.toUpperCase()),
        symbolRate: numberFrom(c, { what: "a symbol rate", max: 100_000 }) * 1000,
      });
    case 6:
      return defined<Tuning>({ system: "ATSC", frequencyHz: hz, modulation: modulationOf(a) });
    default:
      throw new BadLine(`expected 13, 9, 8 or 6 fields with colons between, found ${fields.length}`);
  }
}

function inversionOf(text: string | undefined): boolean | undefined {
  if (text === "INVERSION_ON") return true;
  return text === "INVERSION_OFF" ? false : undefined;
}

function fecOf(text: string | undefined): string | undefined {
  return /^FEC_(\d+)_(\d+)$/
    .exec(text ?? "")
    ?.slice(1)
    .join("/");
}

function bandwidthOf(text: string | undefined): number | undefined {
  const mhz = /^BANDWIDTH_(\d+)(?:_(\d+))?_MHZ$/.exec(text ?? "");
  return mhz === null ? undefined : Math.round(Number(`${mhz[1]}.${mhz[2] ?? 0}`) * 1_000_000);
}

function modulationOf(text: string | undefined): string | undefined {
  const [, kind = "", size] = /^(?:(\d*[A-Z]+))_?(\d+)?$/.exec(text ?? "") ?? [];
  if (kind === "QPSK") return "QPSK";
  return (kind === "QAM" || kind === "VSB" || /^\d+VSB$/.test(kind)) &&
    /^\d+$/.test(size ?? /\d+/.exec(kind)?.[0] ?? "")
    ? `${kind.replace(/\d+/, "")}${size ?? /\d+/.exec(kind)?.[0]}`
    : undefined;
}
