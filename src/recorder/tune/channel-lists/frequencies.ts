import { BadLine, type ChannelList, defined, ListBuilder, linesOf, numberFrom, type Tuning } from "./list.ts";

/*
 * Lists of frequencies for a scan: the initial tuning data of linuxtv's scan, and of other programs. They name no services.
 *
 * T  Hz bandwidth FEC FEC modulation mode guard hierarchy
 * T2 the same, then the PLP
 * C  Hz symbols/s FEC modulation
 * S  kHz H|V|L|R symbols/s FEC
 * S2 the same, then roll-off and modulation
 * A  Hz modulation
 *
 * AUTO and NONE are left to the receiver. What stands behind `#` is not kept.
 */

const LINE = /^(T2?|C|S2?|A)\s+\d/;

export function isFrequencyLine(line: string): boolean {
  return LINE.test(line);
}

export function parseFrequencies(text: string): ChannelList {
  const builder = new ListBuilder();
  for (const [index, whole] of linesOf(text).entries()) {
    const [line = ""] = whole.split("#");
    const words = line.trim().split(/\s+/);
    if (words[0] !== "") builder.tryLine(index + 1, () => builder.addMultiplex(index + 1, tuningOf(words)));
  }
  return builder.list("frequencies");
}

function tuningOf([kind, frequency, ...rest]: readonly string[]): Tuning {
  const number = numberFrom(frequency, { what: "a frequency", max: 100_000_000_000 });
  switch (kind) {
    case "T":
    case "T2":
      return terrestrial(kind, number, rest);
    case "C":
      return defined<Tuning>({
        system: "DVB-C",
        frequencyHz: number,
        symbolRate: symbolRateOf(rest[0]),
        modulation: modulationOf(rest[2]),
      });
    case "S":
    case "S2":
      return satellite(kind, number, rest);
    case "A":
      return defined<Tuning>({ system: "ATSC", frequencyHz: number, modulation: modulationOf(rest[0]) });
    default:
      throw new BadLine("expected T, T2, C, S, S2 or A, and a frequency");
  }
}

function terrestrial(kind: "T" | "T2", frequencyHz: number, rest: readonly string[]): Tuning {
  const [bandwidth = "", fec, fecLow, modulation, mode = "", guard, hierarchy = "", plp = ""] = rest;
  const megahertz = Number(/^(\d+(?:\.\d+)?)MHZ$/i.exec(bandwidth)?.[1] ?? Number.NaN);
  return defined<Tuning>({
    system: kind === "T2" ? "DVB-T2" : "DVB-T",
    frequencyHz,
    bandwidthHz: Number.isNaN(megahertz) ? undefined : Math.round(megahertz * 1_000_000),
    fec: ratioOf(fec),
    fecLow: ratioOf(fecLow),
    modulation: modulationOf(modulation),
    transmissionMode: /^\d+K$/i.exec(mode)?.[0].toUpperCase(),
    guardInterval: ratioOf(guard),
    hierarchy: /^[124]$/.exec(hierarchy)?.[0],
    streamId: kind === "T2" && /^\d{1,3}$/.test(plp) ? Number(plp) : undefined,
  });
}

function satellite(kind: "S" | "S2", kilohertz: number, rest: readonly string[]): Tuning {
  const [polarization = "", symbolRate, fec, rollOff = "", modulation] = rest;
  return defined<Tuning>({
    system: kind === "S2" ? "DVB-S2" : "DVB-S",
    frequencyHz: kilohertz * 1000,
    polarization: (["H", "V", "L", "R"] as const).find((letter) => letter === polarization.toUpperCase()),
    symbolRate: symbolRateOf(symbolRate),
    fec: ratioOf(fec),
    rollOff: /^(20|25|35)$/.test(rollOff) ? Number(rollOff) : undefined,
    modulation: modulationOf(modulation),
  });
}

function symbolRateOf(text: string | undefined): number {
  return numberFrom(text, { what: "a symbol rate", max: 100_000_000 });
}

function ratioOf(text = ""): string | undefined {
  return /^\d+\/\d+$/.test(text) ? text : undefined;
}

/** `8VSB` is called `VSB8` in the model. */
function modulationOf(text = ""): string | undefined {
  const word = text.toUpperCase();
  if (/^(QPSK|8PSK|16APSK|32APSK|QAM\d+)$/.test(word)) return word;
  const levels = /^(\d+)VSB$/.exec(word)?.[1];
  return levels === undefined ? undefined : `VSB${levels}`;
}
