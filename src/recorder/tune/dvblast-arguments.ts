import type { Tuning } from "./channel-lists/list.ts";

/** The switch position of the LNB for a satellite. */
export interface SatelliteInput {
  /** Degrees, east positive. */
  readonly orbit: number;
  /** DiSEqC 1.0 position 1 to 4, or a tone burst; absent: no switch. */
  readonly diseqc?: 1 | 2 | 3 | 4 | "A" | "B" | undefined;
  /** DiSEqC 1.1: position 1 to 16 of an uncommitted switch before the other one. */
  readonly uncommitted?: number | undefined;
}

export interface Dish {
  /** Empty: every satellite is received without a switch. */
  readonly satellites: readonly SatelliteInput[];
  readonly lnb: "universal" | "old-sky";
}

/** Options of dvblast 3.4 by name; no value for flags. */
type Options = Readonly<Record<string, string | number | undefined>>;

/**
 * dvblast's arguments for a multiplex. The receiver determines parameters that are absent, or that dvblast cannot express.
 *
 * @returns `undefined` if dvblast cannot tune it, or the dish does not receive the satellite
 */
export function dvblastTuning(tuning: Tuning, dish: Dish): readonly string[] | undefined {
  const options = optionsOf(tuning, dish);
  if (options === undefined) return undefined;
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
}

function optionsOf(tuning: Tuning, dish: Dish): Options | undefined {
  switch (tuning.system) {
    case "DVB-T":
      return terrestrial("DVBT", tuning);
    case "DVB-T2":
      return terrestrial("DVBT2", tuning);
    case "DVB-C":
      return {
        ...common("DVBC_ANNEX_A", tuning),
        "symbol-rate": tuning.symbolRate,
        modulation: modulationOf(tuning),
      };
    case "DVB-S":
    case "DVB-S2":
      return satellite(tuning, dish);
    case "ATSC":
      // QAM on American cable is annex B, for which dvblast needs the modulation.
      return {
        ...common(tuning.modulation?.startsWith("QAM") === true ? "DVBC_ANNEX_B" : "ATSC", tuning),
        modulation: modulationOf(tuning),
      };
    case "ISDB-T":
      return { ...common("ISDBT", tuning), bandwidth: megahertz(tuning.bandwidthHz ?? 6_000_000) };
    case "ISDB-S":
    case "DTMB":
      return undefined;
  }
}

function common(system: string, { frequencyHz, inversion }: Tuning): Options {
  return {
    delsys: system,
    frequency: frequencyHz,
    inversion: inversion === undefined ? undefined : Number(inversion),
  };
}

function terrestrial(system: string, tuning: Tuning): Options | undefined {
  const bandwidth = megahertz(tuning.bandwidthHz ?? 8_000_000);
  // Only whole megahertz are possible: 1.712 MHz cannot be expressed.
  if (!Number.isInteger(bandwidth)) return undefined;
  const { fecLow, transmissionMode, guardInterval, hierarchy, streamId } = tuning;
  return {
    ...common(system, tuning),
    bandwidth,
    modulation: modulationOf(tuning),
    "fec-inner": fecOf(tuning.fec),
    "fec-lp": fecOf(fecLow),
    transmission: /^([248])K$/.exec(transmissionMode ?? "")?.[1],
    guard: /^1\/(4|8|16|32)$/.exec(guardInterval ?? "")?.[1],
    hierarchy: hierarchy === "none" ? 0 : hierarchy,
    "dvb-plp-id": system === "DVBT2" ? streamId : undefined,
  };
}

function satellite(tuning: Tuning, { satellites, lnb }: Dish): Options | undefined {
  const { system, frequencyHz, polarization, symbolRate, fec, orbit, rollOff, pilot, streamId } = tuning;
  const input = satellites.find((each) => Math.round(each.orbit * 10) === orbit);
  if (satellites.length > 0 && orbit !== undefined && input === undefined) return undefined;
  const second = system === "DVB-S2";
  return {
    ...common(second ? "DVBS2" : "DVBS", tuning),
    frequency: Math.round(frequencyHz / 1000),
    voltage: polarization === "H" || polarization === "L" ? 18 : 13,
    "symbol-rate": symbolRate,
    "fec-inner": fecOf(fec),
    "lnb-type": lnb,
    diseqc: input?.diseqc,
    uncommitted: input?.uncommitted,
    // dvblast takes a modulation as a sign of DVB-S2: DVB-S must have none, DVB-S2 must have one.
    modulation: second ? (modulationOf(tuning) ?? "psk_8") : undefined,
    rolloff: second ? rollOff : undefined,
    pilot: second && pilot !== undefined ? Number(pilot) : undefined,
    "multistream-id": second ? streamId : undefined,
  };
}

function megahertz(hertz: number): number {
  return hertz / 1_000_000;
}

/** dvblast writes `2/3` as `23`. */
function fecOf(fec: string | undefined): string | undefined {
  return /^\d+\/\d+$/.test(fec ?? "") ? fec?.replace("/", "") : undefined;
}

/** dvblast writes `QAM64` as `qam_64`, and `8PSK` as `psk_8`. */
function modulationOf({ modulation }: Tuning): string | undefined {
  const [, before = "", kind = "", after = ""] =
    /^(\d*)(QPSK|DQPSK|PSK|APSK|QAM|VSB)(\d*)$/.exec(modulation ?? "") ?? [];
  const size = before + after;
  const word = `${kind.toLowerCase()}${size === "" ? "" : `_${size}`}`;
  return MODULATIONS.has(word) ? word : undefined;
}

const MODULATIONS: ReadonlySet<string> = new Set([
  ...["qpsk", "dqpsk", "psk_8", "apsk_16", "apsk_32", "vsb_8", "vsb_16"],
  ...["qam_16", "qam_32", "qam_64", "qam_128", "qam_256"],
]);
