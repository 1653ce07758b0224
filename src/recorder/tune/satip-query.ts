import type { Tuning } from "./channel-lists/list.ts";

/**
 * The request parameters of a multiplex (SAT>IP 1.2 §3.5.10 for satellite, §3.5.11 for terrestrial, cable by the DVB-C
 * supplement).
 *
 * @param orbits orbital positions of the server's inputs in their order, in degrees east; none: every satellite is input 1
 * @returns `undefined` for a system that such servers do not receive, or a satellite without an input
 */
export function satipQuery(tuning: Tuning, orbits: readonly number[]): string | undefined {
  switch (tuning.system) {
    case "DVB-S":
    case "DVB-S2":
      return satellite(tuning, orbits);
    case "DVB-T":
    case "DVB-T2":
      return queryText({
        ...terrestrial(tuning),
        plp: tuning.system === "DVB-T2" ? tuning.streamId : undefined,
      });
    case "DVB-C":
      return queryText({
        freq: megahertz(tuning),
        msys: "dvbc",
        mtype: modulation(tuning),
        sr: kilosymbols(tuning),
        specinv: tuning.inversion === undefined ? undefined : Number(tuning.inversion),
      });
    default:
      return undefined;
  }
}

function satellite(tuning: Tuning, orbits: readonly number[]): string | undefined {
  const { orbit, polarization, rollOff, pilot, fec, system, streamId } = tuning;
  const input =
    orbits.length === 0 || orbit === undefined
      ? 0
      : orbits.findIndex((each) => Math.round(each * 10) === orbit);
  if (input < 0) return undefined;
  const isSecond = system === "DVB-S2";
  return queryText({
    src: input + 1,
    freq: megahertz(tuning),
    pol: polarization?.toLowerCase(),
    ro: isSecond && rollOff !== undefined ? (rollOff / 100).toFixed(2) : undefined,
    msys: isSecond ? "dvbs2" : "dvbs",
    mtype: modulation(tuning),
    plts: isSecond && pilot !== undefined ? (pilot ? "on" : "off") : undefined,
    sr: kilosymbols(tuning),
    fec: fec?.replace("/", ""),
    // No part of SAT>IP 1.2, but minisatip and Tvheadend know it: without it, they choose one of the input streams. VDR writes 0 for
    // transponders with only one, and other servers may reject what they do not know.
    isi: isSecond && streamId !== 0 ? streamId : undefined,
  });
}

function terrestrial(tuning: Tuning) {
  const { system, bandwidthHz, transmissionMode, guardInterval, fec } = tuning;
  return {
    freq: megahertz(tuning),
    bw: bandwidthHz === undefined ? undefined : bandwidthHz / 1_000_000,
    msys: system === "DVB-T2" ? "dvbt2" : "dvbt",
    tmode: transmissionMode?.toLowerCase(),
    mtype: modulation(tuning),
    gi: guardInterval?.replace("/", ""),
    fec: fec?.replace("/", ""),
  };
}

function megahertz({ frequencyHz }: Tuning): number {
  return frequencyHz / 1_000_000;
}

function kilosymbols({ symbolRate }: Tuning): number | undefined {
  return symbolRate === undefined ? undefined : Math.round(symbolRate / 1000);
}

/** SAT>IP writes `QAM64` as `64qam`. */
function modulation({ modulation: name }: Tuning): string | undefined {
  return name?.replace(/^QAM(\d+)$/, "$1QAM").toLowerCase();
}

function queryText(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `${name}=${value}`).join("&");
}
