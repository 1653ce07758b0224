import type { ErrorCode } from "../../model/errors.ts";
import { DAY, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import { type Chance, chanceOf } from "./chance.ts";
import type { Fault, FaultStep, Step } from "./script.ts";

interface FaultFrequency {
  /** Per week. */
  readonly count: readonly [least: number, most: number];
  readonly makeStep: (chance: Chance, at: EpochMs) => FaultStep;
}

/** The frequency and content of each kind of fault. Dense: a week has more faults than years of a real household. */
const FAULT_FREQUENCIES: Readonly<Record<Fault, FaultFrequency>> = {
  outage: { count: [3, 8], makeStep: outage },
  "sign-in": {
    count: [0, 2],
    makeStep: (chance, at) => ({
      kind: "outage",
      until: at + chance.int(1, 30) * HOUR,
      code: "GUIDE_SIGN_IN_NEEDED",
      lost: false,
      html: false,
    }),
  },
  slow: {
    count: [1, 3],
    makeStep: (chance, at) => ({
      kind: "slow",
      until: at + minutes(chance, 5, 240),
      delayMs: seconds(chance, 2, 45),
    }),
  },
  "empty-list": { count: [1, 4], makeStep: distortion("empty-list") },
  "shrunken-list": { count: [1, 4], makeStep: distortion("shrunken-list") },
  duplicates: { count: [2, 6], makeStep: distortion("duplicates") },
  malformed: { count: [1, 4], makeStep: distortion("malformed") },
  gone: { count: [0, 1], makeStep: (chance) => ({ kind: "gone", pick: chance.int(0, 1000) }) },
  rekey: { count: [0, 2], makeStep: (chance) => ({ kind: "rekey", pick: chance.int(0, 1000) }) },
  tuner: {
    count: [2, 6],
    makeStep: (chance, at) => ({
      kind: "tuner-trouble",
      tuner: chance.int(0, 11),
      code: chance.pick(["TUNER_NO_LOCK", "TUNER_IN_USE", "TUNER_UNREACHABLE", "TUNER_FORBIDDEN"]),
      until: at + minutes(chance, 1, 300),
    }),
  },
  "no-data": {
    count: [1, 4],
    makeStep: (chance, at) => ({
      kind: "no-data",
      tuner: chance.int(0, 11),
      until: at + minutes(chance, 1, 120),
    }),
  },
  stall: { count: [4, 12], makeStep: captureTrouble("stall") },
  die: { count: [4, 12], makeStep: captureTrouble("die") },
  end: { count: [2, 8], makeStep: captureTrouble("end") },
  host: { count: [4, 12], makeStep: () => ({ kind: "host-death" }) },
  "disk-full": {
    count: [0, 2],
    makeStep: (chance, at) => ({ kind: "disk-full", until: at + minutes(chance, 1, 60) }),
  },
  storage: {
    count: [0, 2],
    makeStep: (chance, at) => ({ kind: "storage-offline", until: at + minutes(chance, 1, 90) }),
  },
  crash: { count: [6, 20], makeStep: (chance) => crash(chance, false) },
  power: { count: [0, 2], makeStep: (chance) => crash(chance, true) },
  "clock-step": {
    count: [1, 5],
    makeStep: (chance, at) => ({
      kind: "clock-step",
      byMs: jumpMs(chance),
      until: at + minutes(chance, 1, 12 * 60),
    }),
  },
  "late-ntp": { count: [0, 2], makeStep: lateNtp },
  suspend: {
    count: [0, 4],
    makeStep: (chance, at) => ({ kind: "suspend", until: at + minutes(chance, 1, 8 * 60) }),
  },
  overrun: {
    count: [3, 10],
    makeStep: (chance) => ({
      kind: "overrun",
      pick: chance.int(0, 1000),
      byMs: minutes(chance, 1, 90),
      announced: chance.percent(50),
    }),
  },
  "guide-date": {
    count: [0, 2],
    makeStep: (chance, at) => ({
      kind: "guide-date",
      byMs: jumpMs(chance),
      until: at + chance.int(1, 72) * HOUR,
    }),
  },
};

/** The faults of some days. Each kind has its own random stream: leaving one out changes no other. */
export function faultSteps(
  seed: number,
  {
    start,
    days,
    kinds,
  }: { readonly start: EpochMs; readonly days: number; readonly kinds: readonly Fault[] },
): readonly Step[] {
  return kinds.flatMap((kind) => {
    const chance = chanceOf(seed, kind);
    const { count, makeStep } = FAULT_FREQUENCIES[kind];
    const times = Math.ceil((chance.int(...count) * days) / 7);
    return Array.from({ length: times }, (): Step => {
      const at = whenOf(chance, { start, days });
      return { at, action: makeStep(chance, at) };
    });
  });
}

/** Two of three fall in the evening, when recordings run. */
function whenOf(
  chance: Chance,
  { start, days }: { readonly start: EpochMs; readonly days: number },
): EpochMs {
  const hour = chance.percent(66) ? chance.int(17, 23) : chance.int(0, 23);
  return start + chance.int(0, days - 1) * DAY + hour * HOUR + chance.int(0, HOUR - 1);
}

const OUTAGES: readonly [ErrorCode, ...ErrorCode[]] = [
  "GUIDE_NAME_UNRESOLVED",
  "GUIDE_UNREACHABLE",
  "GUIDE_TLS_FAILED",
  "GUIDE_TIMEOUT",
  "GUIDE_UNAVAILABLE",
  "GUIDE_UNAVAILABLE",
  "GUIDE_DOCUMENT_TORN",
  "GUIDE_DOCUMENT_INVALID",
  "GUIDE_BODY_TOO_LARGE",
  "GUIDE_FORBIDDEN",
  "GUIDE_NOT_FOUND",
  "GUIDE_METHOD_REFUSED",
  "GUIDE_MEDIA_TYPE_REFUSED",
  "GUIDE_ANSWER_UNEXPECTED",
];

function outage(chance: Chance, at: EpochMs): FaultStep {
  const code = chance.pick(OUTAGES);
  const asked = code === "GUIDE_UNAVAILABLE" && chance.percent(50);
  return {
    kind: "outage",
    until: at + (chance.percent(20) ? chance.int(2, 36) * HOUR : minutes(chance, 1, 90)),
    code,
    // The request took effect although no answer came.
    lost: ["GUIDE_TIMEOUT", "GUIDE_UNREACHABLE", "GUIDE_UNAVAILABLE"].includes(code) && chance.percent(40),
    // If a service answers for hours with these statuses, the page comes from a proxy in front of it.
    html: ["GUIDE_NOT_FOUND", "GUIDE_METHOD_REFUSED", "GUIDE_MEDIA_TYPE_REFUSED"].includes(code),
    ...(asked ? { retryAfterMs: minutes(chance, 1, 60) } : {}),
  };
}

function distortion(
  how: Extract<FaultStep, { readonly kind: "distort" }>["how"],
): FaultFrequency["makeStep"] {
  return (chance, at) => ({
    kind: "distort",
    how,
    until: at + (chance.percent(85) ? minutes(chance, 1, 9) : minutes(chance, 10, 60)),
  });
}

function captureTrouble(what: "stall" | "die" | "end"): FaultFrequency["makeStep"] {
  return (chance) => ({ kind: "capture-trouble", what, pick: chance.int(0, 1000) });
}

function crash(chance: Chance, power: boolean): FaultStep {
  return {
    kind: "crash",
    calls: chance.percent(25) ? 0 : chance.int(1, 12),
    when: chance.pick(["before", "after"]),
    offMs: chance.percent(70) ? seconds(chance, 1, 60) : minutes(chance, 2, 240),
    power,
  };
}

/** A second to a year, either way, evenly distributed by magnitude. */
function jumpMs(chance: Chance): number {
  const unit = chance.pick([SECOND, MINUTE, HOUR, DAY]);
  const most = { [SECOND]: 59, [MINUTE]: 59, [HOUR]: 23, [DAY]: 365 }[unit] ?? 1;
  const ms = chance.int(1, most) * unit;
  return chance.percent(50) ? ms : -ms;
}

function lateNtp(chance: Chance, at: EpochMs): FaultStep {
  const offMs = minutes(chance, 1, 180);
  return {
    kind: "late-ntp",
    offMs,
    savedMs: chance.percent(40) ? "never" : minutes(chance, 1, 60),
    until: at + offMs + minutes(chance, 1, 360),
  };
}

function minutes(chance: Chance, least: number, most: number): number {
  return chance.int(least, most) * MINUTE;
}

function seconds(chance: Chance, least: number, most: number): number {
  return chance.int(least, most) * SECOND;
}
