import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { lengthMs, type Window } from "../../src/model/window.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { freeUdpPort } from "../free-port.ts";
import { encodedContent } from "../kit/encoded.ts";
import { type InProcess, inProcess } from "./in-process.ts";
import { type Airing, CASES, generated, type Injected } from "./missing-streams-cases.ts";
import { onAir, type Programme } from "./on-air.ts";
import { pause, slowness, soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

/** Its second half has room for a second attempt on a machine that does much else. */
const EVENT_MS = Math.ceil(16 * slowness()) * SECOND;
/** Captures begin later than ordered on a machine that does much else. */
const PADDING_SECONDS = 3;
/** The same, for the padding: what it lacks is told. */
const WARM_UP_MS = 2.5 * SECOND;
/** From the first packet to the event, and from its end to the last packet. */
const AHEAD_MS = 6 * SECOND;
const BEHIND_MS = 6 * SECOND;
/** Many captures begin at once on a machine that does much else. */
const READY_MS = 12 * SECOND;
const LIMITS = {
  firstPayloadMs: 8 * SECOND,
  doubtMs: 1.5 * SECOND,
  steadyMs: 2 * SECOND,
  stallMs: 3 * SECOND,
};

type Engine = "ffmpeg" | "host";
const INJECTED = Object.keys(CASES) as readonly Injected[];
type Way = "http" | "udp";
/** Datagrams are judged like HTTP: one case for each judgement is enough. */
const BY_DATAGRAMS: readonly Injected[] = [
  "picture gone from half on",
  "no PCR at all",
  "real sound gone from half on",
  "tables alone",
];
const RELIEVED = "picture gone from half on, and a spare tuner that has it";

interface Row {
  readonly name: string;
  readonly injected: Injected | typeof RELIEVED;
  readonly way: Way;
  readonly channel: number;
}

const WAYS: readonly (readonly [Way, readonly Injected[]])[] = [
  ["http", INJECTED],
  ["udp", BY_DATAGRAMS],
];
const WISHED: readonly Pick<Row, "injected" | "way">[] = [
  ...WAYS.flatMap(([way, cases]) => cases.map((injected) => ({ injected, way }))),
  { injected: RELIEVED, way: "http" },
];
const ROWS: readonly Row[] = WISHED.map((row, index) => ({
  ...row,
  name: `${row.way}-${index + 1}`,
  channel: index + 1,
}));

interface Outcome {
  readonly recording: Recording;
  readonly told: string;
}

/** Checks the reports of an engine's recordings from services that lack a stream. */
export function tellsMissingStreamsTruly(engine: Engine): void {
  describe(`a recording by ${engine} of a service without one of its streams`, () => {
    const open: AsyncDisposable[] = [];
    const outcomes = new Map<Row, Outcome>();
    let event: Window = { start: 0, stop: 0 };

    beforeAll(async () => {
      const folder = await temporaryFolder();
      const home = await testWorld(folder.path, ROWS.length);
      const content = await encodedContent(["h264", "mp2", "ac3"]);
      const start = soon() + READY_MS;
      event = { start, stop: start + EVENT_MS };
      const startAt = start - AHEAD_MS;
      const programmes = await Promise.all(ROWS.map((row) => programmeOf(row, content)));
      const spare = { name: "spare", portions: generated(airing(row(RELIEVED), content)) };
      const air = await onAir([...programmes, spare], startAt);
      const tuners = [
        ...programmes.map((programme, index) =>
          tuner(ROWS[index], programme.port ?? air.url(programme.name)),
        ),
        { ...tuner(row(RELIEVED), air.url("spare")), id: "spare" },
      ];
      const recorder = await inProcess(folder.path, home, {
        tuners,
        paddingSeconds: PADDING_SECONDS,
        limits: LIMITS,
        capture: { engine },
      });
      open.push(folder, home, air, recorder);
      await Promise.all(
        ROWS.map(async (each) => void outcomes.set(each, await record(each, { home, recorder, start }))),
      );
    }, 120_000);

    afterAll(async () => {
      for (const each of open.toReversed()) await each[Symbol.asyncDispose]();
      process.stdout.write(`${table(engine, outcomes)}\n`);
    });

    function outcome(injected: Row["injected"], way: Way = "http"): Outcome {
      const found = outcomes.get(row(injected, way));
      if (found === undefined) throw new Error(`${injected} was not recorded`);
      return found;
    }

    describe.each(WAYS)("over %s", (way, cases) => {
      it.each(cases)("R-04 %s", (injected) => {
        const { state, says, covered } = CASES[injected];
        const { recording, told } = outcome(injected, way);
        expect({ state: recording.state, told }).toEqual({ state, told: expect.stringMatching(says) });
        const share = (recording.evidence?.eventCoveredMs ?? 0) / EVENT_MS;
        expect(share).toBeGreaterThanOrEqual(covered[0]);
        expect(share).toBeLessThanOrEqual(covered[1]);
      });
    });

    it("R-20 missing picture: tried once more, then the sound is recorded to the end", () => {
      const { attempts, evidence } = outcome("picture gone from half on").recording;
      expect(attempts).toMatchObject([{ cause: "STREAM_STALLED" }, { cause: "asked" }]);
      const last = evidence?.gaps.findLast(({ lacks }) => lacks === "picture");
      expect(last?.stop).toBeGreaterThanOrEqual(event.stop);
    });

    it("R-20 missing picture: taken from a spare tuner that has it", () => {
      const { attempts, evidence } = outcome(RELIEVED).recording;
      expect(attempts).toMatchObject([{ tunerId: row(RELIEVED).name }, { tunerId: "spare" }]);
      const lackingMs = (evidence?.gaps ?? []).reduce((sum, gap) => sum + lengthMs(gap), 0);
      // Doubted after 1.5 s; then the spare one has to come up.
      expect(lackingMs).toBeGreaterThan(SECOND);
      expect(lackingMs).toBeLessThan(EVENT_MS / 2 - SECOND);
      expect(evidence?.lastAt).toBeGreaterThanOrEqual(event.stop);
    });
  });
}

function row(injected: Row["injected"], way: Way = "http"): Row {
  const found = ROWS.find((each) => each.injected === injected && each.way === way);
  if (found === undefined) throw new Error(`no row ${injected}`);
  return found;
}

function airing({ channel }: Row, content: Airing["content"]): Airing {
  return {
    service: simTriplet(channel),
    halfMs: AHEAD_MS + EVENT_MS / 2,
    endMs: AHEAD_MS + EVENT_MS + BEHIND_MS,
    content,
  };
}

async function programmeOf(each: Row, content: Airing["content"]): Promise<Programme> {
  const { name, injected, way } = each;
  const made = airing(each, content);
  const portions = injected === RELIEVED ? generated(made, { picture: "half" }) : CASES[injected].air(made);
  return { name, portions, ...(way === "udp" ? { port: await freeUdpPort() } : {}) };
}

function tuner(each: Row | undefined, source: number | string): object {
  const { name, channel } = each ?? row(RELIEVED);
  const url = typeof source === "number" ? `udp://@127.0.0.1:${source}` : source;
  return {
    kind: "url",
    id: name,
    warmUpMs: WARM_UP_MS,
    services: [{ service: tripletKey(simTriplet(channel)), url }],
  };
}

async function record(
  { injected, way, channel }: Row,
  {
    home,
    recorder,
    start,
  }: { readonly home: TestWorld; readonly recorder: InProcess; readonly start: number },
): Promise<Outcome> {
  const { world, deviceId } = home;
  const show = { channel, title: `${injected} over ${way}`, start, durationMs: EVENT_MS };
  const timerId = await world.book(show, deviceId);
  const recording = await recorder.until(timerId, ({ state }) => isTerminal(state));
  const isTold = async () =>
    /completed|failed/.test((await world.guide.timerReports(timerId)).at(-1)?.state ?? "");
  for (let looks = 0; looks < 200 && !(await isTold()); looks += 1) await pause(50);
  return { recording, told: (await world.guide.timerReports(timerId)).at(-1)?.message ?? "" };
}

/** For people who want to see the faults and the reports. */
function table(engine: Engine, outcomes: ReadonlyMap<Row, Outcome>): string {
  const lines = [...outcomes].map(([{ injected, way }, { recording, told }]) => {
    const expected = injected === RELIEVED ? { state: "partial", says: /no picture/ } : CASES[injected];
    const isTrue = recording.state === expected.state && expected.says.test(told);
    return `${engine} ${way} | ${injected} | ${recording.state}: ${told} | ${isTrue ? "true" : "FALSE"}`;
  });
  return ["| injected | reported | true?", ...lines].join("\n");
}
