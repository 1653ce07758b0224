import { readFileSync } from "node:fs";
import type { RecordingState } from "../../src/model/recording.ts";
import type { Triplet } from "../../src/model/service.ts";
import { type Content, type Portion, portionsOf, sdtOf } from "../kit/generated-service.ts";
import { type LoopParts, loopedCapture } from "../kit/looped-capture.ts";
import { plainService, plainStream } from "../kit/plain-service.ts";
import { NO_PCR_PID, type ServiceScript } from "../kit/service-script.ts";
import { PidWriter, pat } from "../kit/ts-builder.ts";

const PICTURE = 0x100;
const SOUND = 0x200;
const OWN_PCR_PID = 0x1f0;
const FOREVER = Number.POSITIVE_INFINITY;

/** The PIDs of Rai News 24, and how long its capture took: 20,000 packets at 22.4 Mbit/s. */
const RAI = { picture: 520, sound: 690, captureMs: (20_000 * 188 * 8) / 22_400 } as const;

export interface Airing {
  readonly service: Triplet;
  /** When half of the event is over, and when the last reader is gone, in ms from the first packet. */
  readonly halfMs: number;
  readonly endMs: number;
  /** Pictures and frames that players read. */
  readonly content: Content;
}

interface Case {
  readonly air: (airing: Airing) => readonly Portion[];
  readonly state: RecordingState;
  /** The report's text about the fault. */
  readonly says: RegExp;
  /** The share of the event that is covered. */
  readonly covered: readonly [number, number];
}

const WHOLE = {
  state: "completed",
  says: /^Recorded, \w+: 100 % of the event, [\d.]+ MB, no errors/,
  covered: [1, 1],
} as const;
/** A full minute is named without seconds. */
const NO_PICTURE = /no picture (\d\d:\d\d(:\d\d)?–\d\d:\d\d(:\d\d)?(, )?)+ \(sound present\)/;
const HALF = { state: "partial", covered: [0.4, 0.58] } as const;

/** The fault injected in each case, and the expected report. */
export const CASES = {
  "PCRs on a PID of their own": { air: (airing) => generated(airing), ...WHOLE },
  "picture gone from half on": {
    air: (airing) => generated(airing, { picture: "half" }),
    ...HALF,
    says: NO_PICTURE,
  },
  "picture announced, and never sent": {
    air: (airing) => generated(airing, { picture: "never" }),
    state: "partial",
    says: NO_PICTURE,
    covered: [0, 0],
  },
  "sound gone from half on": {
    air: (airing) => generated(airing, { sound: "half" }),
    ...HALF,
    says: /no sound \d\d:\d\d(:\d\d)?–/,
  },
  "second sound gone from half on": {
    air: (airing) => generated(airing, { second: "half" }),
    state: "completed",
    says: /100 % of the event, .*additional sound \(eng, AC-3\) missing \d\d:\d\d(:\d\d)?–/,
    covered: [1, 1],
  },
  "PMT changes to another sound": { air: (airing) => generated(airing, { halfList: [0, 2] }), ...WHOLE },
  "PMT names no PCR, pictures carry them": {
    air: (airing) => generated(airing, { pcr: { pcrPid: NO_PCR_PID, pcrsOn: PICTURE } }),
    ...WHOLE,
  },
  "no PCR at all": { air: (airing) => generated(airing, { pcr: { pcrPid: NO_PCR_PID } }), ...WHOLE },
  "real pictures and sound": {
    air: (airing) => real(airing),
    // The real stream jumps to another place at the end of each round.
    state: "completed",
    says: /^Recorded, \w+: 100 % of the event/,
    covered: [1, 1],
  },
  "real pictures gone from half on": {
    air: (airing) => real(airing, { pid: RAI.picture, fromMs: airing.halfMs }),
    ...HALF,
    says: NO_PICTURE,
  },
  "real sound gone from half on": {
    air: (airing) => real(airing, { pid: RAI.sound, fromMs: airing.halfMs }),
    ...HALF,
    says: /no sound \d\d:\d\d(:\d\d)?–/,
  },
  "tables alone": {
    air: tablesAlone,
    state: "failed",
    says: /^Not recorded: /,
    covered: [0, 0],
  },
} satisfies Readonly<Record<string, Case>>;
export type Injected = keyof typeof CASES;

type Fate = "half" | "never";
interface Wrong {
  readonly picture?: Fate;
  readonly sound?: Fate;
  readonly second?: Fate;
  /** The streams that the PMT lists from half on. */
  readonly halfList?: readonly number[];
  readonly pcr?: { readonly pcrPid: number; readonly pcrsOn?: number };
}

/** H.264, MP2 and a second sound in AC-3, PCRs on a PID of their own. */
export function generated(
  { service, halfMs, endMs, content }: Airing,
  { picture, sound, second, halfList, pcr = { pcrPid: OWN_PCR_PID, pcrsOn: OWN_PCR_PID } }: Wrong = {},
): readonly Portion[] {
  const fated = (fate: Fate | undefined, leadMs: number) => ({
    lead: { meanMs: leadMs, swingMs: 0, periodMs: 1000 },
    outages: fate === "half" ? [{ start: halfMs + leadMs, stop: FOREVER }] : [],
    neverSent: fate === "never",
  });
  const script: ServiceScript = plainService(
    [
      plainStream(PICTURE, "h264", fated(picture, 900)),
      plainStream(SOUND, "mp2", { unitMs: 72, language: "deu", ...fated(sound, 500) }),
      plainStream(SOUND + 1, "ac3", { unitMs: 64, language: "eng", ...fated(second, 500) }),
    ],
    {
      service,
      durationMs: endMs,
      maps: [
        { fromMs: 0, streams: [0, 1, 2], ...pcr },
        ...(halfList === undefined ? [] : [{ fromMs: halfMs, streams: halfList, ...pcr }]),
      ],
    },
  );
  return [...portionsOf(script, content)];
}

function real({ service, endMs }: Airing, gone?: LoopParts["gone"]): readonly Portion[] {
  return loopedCapture(readFileSync("test/fixtures/ts/rai-dvbt-mux.ts"), {
    service,
    map: {
      pcrPid: RAI.picture,
      streams: [
        { type: 0x02, pid: RAI.picture },
        { type: 0x04, pid: RAI.sound },
      ],
    },
    picturePid: RAI.picture,
    captureMs: RAI.captureMs,
    durationMs: endMs,
    ...(gone === undefined ? {} : { gone }),
  });
}

const SI_PORTIONS = 100;

/** The tables of a French multiplex under the name of the service, every second a hundredth of them. */
function tablesAlone({ service, endMs }: Airing): readonly Portion[] {
  const bytes = readFileSync("test/fixtures/ts/french-dvbt-si.ts");
  const [patPid, sdtPid] = [new PidWriter(0), new PidWriter(0x11)];
  const step = Math.floor(bytes.length / 188 / SI_PORTIONS) * 188;
  return Array.from({ length: Math.floor(endMs / 1000) }, (_, second) => {
    const own = [
      ...patPid.sections(pat(service.tsid, { programmes: [[service.sid, 0x20]] })),
      ...sdtPid.sections(sdtOf(service)),
    ];
    const others = bytes.subarray((second % SI_PORTIONS) * step, ((second % SI_PORTIONS) + 1) * step);
    return { atMs: second * 1000, bytes: Buffer.concat([...own, ...eventsOf(others)]) };
  });
}

/** Without PAT and SDT, which name other services. */
function eventsOf(bytes: Buffer): readonly Buffer[] {
  const packets = Array.from({ length: bytes.length / 188 }, (_, index) =>
    bytes.subarray(index * 188, (index + 1) * 188),
  );
  return packets.filter((packet) => ![0x00, 0x11].includes(packet.readUInt16BE(1) & 0x1fff));
}
