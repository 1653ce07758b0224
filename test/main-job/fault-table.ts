import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findMarked, type MarkedProcess, signalProcess } from "../../src/kit/process/marked-process.ts";
import type { Inspection } from "../../src/model/inspection.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import type { Triplet } from "../../src/model/service.ts";
import { HOUR, SECOND } from "../../src/model/time.ts";
import { lengthMs, type Window } from "../../src/model/window.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import type { Damage, Mishap } from "../../src/simulator/broadcaster/mishaps.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { type InProcess, inProcess, simTuners } from "./in-process.ts";
import { pcrInstants } from "./pcr.ts";
import { pause, soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

const TUNERS = 12;
const EVENT_MS = 14 * SECOND;
/** Time enough that none of eighteen captures that begin at once is given up only because the machine is busy. */
const FIRST_PAYLOAD_MS = 12 * SECOND;
/** So long that captures begin as soon as they are planned: eighteen at once take a busy machine a while. */
const WARM_UP_MS = 30 * SECOND;
/** Eighteen recordings are booked and planned meanwhile, on a machine that has just begun to be busy. */
const READY_MS = 20 * SECOND;
/** From the instant of a packet to that of its writing, on a machine that is busy with eighteen captures. */
const DATING_MS = SECOND;
/** The broadcaster's distance between two PCRs, and between two pieces of sound (longer than a picture): instants in between look the same. */
const PCR_MS = 32;
const UNIT_MS = 64;
/** Between two PMTs of the broadcaster. */
const PMT_PACKETS = 50;
/** The rounding error of the report's instants, which are whole ms. */
const ROUNDING_MS = 1;

interface Outcome {
  readonly recording: Recording;
  /** The inspection of its file, if it has one. */
  readonly found?: Inspection;
  /**
   * The time without a PCR in that file before its second stream, by the broadcaster's clock: what is not there. No longer than
   * any other where a tuner took over within it.
   */
  readonly hole?: Window;
  readonly damage: Readonly<Damage>;
  readonly told: readonly (string | undefined)[];
}

interface Case {
  readonly fault: string;
  readonly mishaps: (event: Window) => readonly Mishap[];
}

const PATIENT = { timeout: 150_000 };

const LATE_MS = SECOND / 4;
const in2s = ({ start }: Window) => start + 2 * SECOND;
const between = ({ start }: Window, from: number, to: number): Window => ({
  start: start + from * SECOND,
  stop: start + to * SECOND,
});
const always: Window = { start: 0, stop: Number.POSITIVE_INFINITY };

/** One service of the broadcaster for each: all of them are recorded at once. */
const CASES = {
  sound: () => [],
  stall: (event) => [{ kind: "stall", at: in2s(event) }],
  disconnect: (event) => [{ kind: "disconnect", at: in2s(event) }],
  refused: () => [{ kind: "refused", status: 503, times: 1 }],
  forbidden: () => [{ kind: "refused", status: 403, times: 1000 }],
  halfOpen: () => [{ kind: "half-open", times: 1 }],
  slowStart: () => [{ kind: "slow-start", ms: 2 * SECOND + 500, times: 1 }],
  /** Less loss than would keep two thirds of the pictures from being decoded: those would be missing. A picture has 16 packets. */
  loss: (event) => [{ kind: "loss", every: 30, during: between(event, 2, 10) }],
  syncDamage: (event) => [{ kind: "sync-damage", every: 50, during: between(event, 2, 10) }],
  scrambledAWhile: (event) => [{ kind: "scrambled", during: between(event, 4, 6) }],
  scrambled: () => [{ kind: "scrambled", during: always }],
  maskedAWhile: (event) => [{ kind: "masked", during: between(event, 4, 6) }],
  masked: () => [{ kind: "masked", during: always }],
  wrongService: () => [{ kind: "wrong-service", service: { onid: 1, tsid: 2, sid: 3 }, times: 2 }],
  wrongNetwork: () => [{ kind: "wrong-service", service: { ...simTriplet(13), onid: 1 }, times: 2 }],
  clockJump: (event) => [{ kind: "clock-jump", at: in2s(event), byMs: HOUR }],
  clockJumpBack: (event) => [{ kind: "clock-jump", at: in2s(event), byMs: -HOUR }],
  pidsMove: (event) => [{ kind: "pids-move", at: in2s(event) }],
  /** The source is well. */
  died: () => [],
  pmtMoves: (event) => [{ kind: "pmt-moves", at: in2s(event) }],
} satisfies Readonly<Record<string, Case["mishaps"]>>;
type Fault = keyof typeof CASES;
const FAULTS = Object.keys(CASES) as readonly Fault[];

/** The program that captures. A host carries all its captures in one process; host-death.long.ts covers its death. */
type Engine = "ffmpeg" | "host";

function faultsFor(engine: Engine): readonly Fault[] {
  return FAULTS.filter((fault) => engine === "ffmpeg" || fault !== "died");
}

/** All faults, recorded at once by one daemon. */
interface Table extends AsyncDisposable {
  readonly event: Window;
  readonly home: TestWorld;
  readonly recorder: InProcess;
  readonly outcomes: ReadonlyMap<Fault, Outcome>;
}

async function recordAll(engine: Engine): Promise<Table> {
  const folder = await temporaryFolder();
  const home = await testWorld(folder.path, FAULTS.length);
  const recorder = await inProcess(folder.path, home, {
    // More than there are multiplexes: where one tuner does not deliver, another is tried.
    tuners: simTuners(home, TUNERS, WARM_UP_MS),
    // Each attempt must run its course without a takeover before that; relief.long.ts covers takeovers.
    limits: { firstPayloadMs: FIRST_PAYLOAD_MS, stallMs: 4 * SECOND, steadyMs: Number.POSITIVE_INFINITY },
    capture: { engine },
  });
  const start = soon() + READY_MS;
  const event = { start, stop: start + EVENT_MS };
  const faults = faultsFor(engine);
  const outcomes = await Promise.all(faults.map((fault) => record(fault, { home, recorder, event })));
  return {
    event,
    home,
    recorder,
    outcomes: new Map(faults.map((fault, index) => [fault, outcomes[index]] as [Fault, Outcome])),
    async [Symbol.asyncDispose]() {
      for (const each of [recorder, home, folder]) await each[Symbol.asyncDispose]();
    },
  };
}

async function record(
  fault: Fault,
  { home, recorder, event }: Pick<Table, "home" | "recorder" | "event">,
): Promise<Outcome> {
  const { world, deviceId } = home;
  const channel = FAULTS.indexOf(fault) + 1;
  const service = simTriplet(channel);
  for (const mishap of CASES[fault](event)) world.broadcaster.misbehave(service, mishap);
  const { start } = event;
  const timerId = await world.book({ channel, title: fault, start, durationMs: EVENT_MS }, deviceId);
  if (fault === "died") void kill(timerId, recorder, event);
  const recording = await recorder.until(timerId, ({ state }) => isTerminal(state));
  const { file, bytes } = recording.evidence ?? {};
  if (file !== undefined) expect((await stat(file)).size).toBe(bytes);
  // The result is reported after the recording has ended.
  await vi.waitFor(
    async () =>
      expect((await world.guide.timerReports(timerId)).at(-1)?.message).toMatch(/^(Not r|R)ecorded/),
    PATIENT,
  );
  const damage = world.broadcaster.damage(service);
  return {
    recording,
    ...(file === undefined ? {} : await facts(file, { service, start, second: damage.began[1] })),
    damage,
    told: (await world.guide.timerReports(timerId)).map(({ message }) => message),
  };
}

/** Kills a capture as the kernel does when memory runs out. */
async function kill(timerId: string, recorder: InProcess, event: Window): Promise<void> {
  const { id } = await recorder.until(timerId, ({ state }) => state === "recording");
  await pause(in2s(event) - Date.now());
  for (const process of await captureMarks(recorder)) {
    if (process.mark.endsWith(`/${id}.1`)) await signalProcess(process, "SIGKILL");
  }
}

async function facts(
  file: string,
  {
    service,
    start,
    second = Number.POSITIVE_INFINITY,
  }: { readonly service: Triplet; readonly start: number; readonly second: number | undefined },
): Promise<Pick<Outcome, "found" | "hole">> {
  await using inspection = openInspection(file, service);
  const found = await inspection.advance(new AbortController().signal);
  const hole = pcrInstants(await readFile(file), start).stepTo(second);
  return { found, ...(hole === undefined ? {} : { hole }) };
}

/** Checks the daemon's reports and evidence for every fault, with captures by `engine`. */
export function tellsFaultsTruly(engine: Engine): void {
  describe(`a recording by ${engine} of a faulty source`, () => {
    let table: Table;
    let event: Window;
    beforeAll(async () => {
      table = await recordAll(engine);
      event = table.event;
    });
    afterAll(() => table[Symbol.asyncDispose]());

    function outcome(fault: Fault): Outcome {
      const found = table.outcomes.get(fault);
      if (found === undefined) throw new Error(`${fault} was not recorded`);
      return found;
    }

    /** The report's gaps, in ms after the event's start. */
    function gapsOf(fault: Fault): readonly (readonly [number, number])[] {
      const gaps = outcome(fault).recording.evidence?.gaps ?? [];
      return gaps.map(({ start, stop }) => [start - event.start, stop - event.start]);
    }

    function causesOf(fault: Fault): readonly string[] {
      return outcome(fault).recording.attempts.map(({ cause }) => cause ?? "runs");
    }

    /** Expects one gap in the report, as long as the hole in the file, to the millisecond, and near its place. */
    function expectGapToBeWhatIsMissing(fault: Fault): void {
      const gaps = outcome(fault).recording.evidence?.gaps ?? [];
      const { hole = { start: Number.NaN, stop: Number.NaN } } = outcome(fault);
      expect(gaps).toHaveLength(1);
      const [gap = hole] = gaps;
      expect(Math.abs(lengthMs(gap) - lengthMs(hole))).toBeLessThanOrEqual(ROUNDING_MS);
      expect(Math.abs(gap.start - hole.start)).toBeLessThan(DATING_MS);
    }

    /** Expects the file to hold the stream before and after the gap, up to the PCRs next to it. */
    function expectMissing(
      fault: Fault,
      { from, until }: { readonly from?: number; readonly until: number },
    ) {
      const { start, stop } = outcome(fault).hole ?? { start: Number.NaN, stop: Number.NaN };
      expect(stop - until).toBeGreaterThanOrEqual(0);
      expect(stop - until).toBeLessThanOrEqual(PCR_MS);
      if (from === undefined) return;
      expect(from - start).toBeGreaterThan(0);
      expect(from - start).toBeLessThanOrEqual(PCR_MS);
    }

    /** When the second of two streams began. */
    function secondStream(fault: Fault): number {
      const { began } = outcome(fault).damage;
      expect(began).toHaveLength(2);
      return began[1] ?? Number.NaN;
    }

    it.each(["sound", "loss", "syncDamage", "clockJump", "clockJumpBack", "pidsMove", "pmtMoves"] as const)(
      "R-04 %s: recorded whole, in one attempt",
      (fault) => {
        const { state } = outcome(fault).recording;
        const found = { state, causes: causesOf(fault), gaps: gapsOf(fault) };
        expect(found).toEqual({ state: "completed", causes: ["asked"], gaps: [] });
        expect(outcome(fault).found?.spans).toHaveLength(1);
      },
    );

    it("has no flaw without a fault", () => {
      const { recording, found, told } = outcome("sound");
      expect(recording.evidence).toMatchObject({
        continuityErrors: 0,
        transportErrors: 0,
        scrambledPackets: 0,
      });
      expect(found).toMatchObject({ continuityErrors: 0, junkBytes: 0, clockBreaks: [] });
      expect(told.at(-1)).toMatch(/^Recorded, (perfect|good): 100 % of the event, [\d.]+ MB, no errors\.$/);
    });

    it("counts each lost packet", () => {
      const { recording, found, damage, told } = outcome("loss");
      expect(damage.lost).toBeGreaterThan(100);
      expect(recording.evidence?.continuityErrors).toBe(damage.lost);
      expect(found?.pids.filter(({ continuityErrors }) => continuityErrors > 0)).toHaveLength(1);
      expect(told.at(-1)).toContain(`${damage.lost} continuity errors`);
    });

    it("counts each packet with a damaged sync byte", () => {
      const { recording, found, damage } = outcome("syncDamage");
      expect(damage.syncDamaged).toBeGreaterThan(50);
      expect(recording.evidence?.continuityErrors).toBe(damage.syncDamaged);
      expect(found).toMatchObject({ damagedPackets: damage.syncDamaged, junkBytes: 0 });
    });

    it.each(["clockJump", "clockJumpBack"] as const)(
      "%s: one clock break at the right place, and no other flaw",
      (fault) => {
        const { found } = outcome(fault);
        expect(found).toMatchObject({ continuityErrors: 0, junkBytes: 0 });
        expect(found?.clockBreaks).toHaveLength(1);
        const [breakMs = 0] = found?.clockBreaks ?? [];
        const second = (found?.firstTime?.utc ?? 0) - (found?.firstTime?.streamMs ?? 0);
        expect(Math.abs(second + breakMs - in2s(event))).toBeLessThan(100);
      },
    );

    it.each(["pidsMove", "pmtMoves"] as const)(
      "%s: the service is followed, and no flaw is counted",
      (fault) => {
        const { found, recording } = outcome(fault);
        expect(found).toMatchObject({ continuityErrors: 0, junkBytes: 0, clockBreaks: [] });
        const [service] = found?.services ?? [];
        expect(service?.streams.map(({ kind }) => kind)).toEqual(["video", "audio"]);
        const moved = fault === "pidsMove" ? service?.pcrPid : service?.pmtPid;
        expect(moved).toBeGreaterThan(0x800);
        expect(recording.evidence).toMatchObject({ continuityErrors: 0 });
      },
    );

    it("R-06 R-20 R-28 stall: continued on another tuner; the gap begins with the stall", () => {
      expect(causesOf("stall")).toEqual(["STREAM_STALLED", "asked"]);
      const { recording, told } = outcome("stall");
      const [first, second] = recording.attempts;
      expect(first?.tunerId).not.toBe(second?.tunerId);
      expectGapToBeWhatIsMissing("stall");
      expectMissing("stall", { from: in2s(event), until: secondStream("stall") });
      expect(recording.evidence).toMatchObject({ segments: 2, kept: [1, 2], continuityErrors: 0 });
      expect(told.at(-1)).toMatch(/^Recorded only in part, \w+: .* missing \d\d:\d\d(:\d\d)?–/);
      expect(told).toContainEqual(expect.stringContaining("interrupted once"));
    });

    it("R-28 disconnect: continued, and the gap is reported", () => {
      expect(causesOf("disconnect")).toEqual(["STREAM_ENDED", "asked"]);
      expectGapToBeWhatIsMissing("disconnect");
      // Data on its way when the connection broke is lost. A busy broadcaster breaks it a moment late.
      expectMissing("disconnect", { until: secondStream("disconnect") });
      expect(outcome("disconnect").hole?.start).toBeLessThan(in2s(event) + LATE_MS);
      expect(outcome("disconnect").recording.evidence).toMatchObject({ kept: [1, 2], continuityErrors: 0 });
    });

    it.runIf(engine === "ffmpeg")("R-28 died: another capture follows a killed one", () => {
      expect(causesOf("died")).toEqual(["CAPTURE_DIED", "asked"]);
      expect(outcome("died").recording.evidence).toMatchObject({ kept: [1, 2], continuityErrors: 0 });
      expectGapToBeWhatIsMissing("died");
      expectMissing("died", { until: secondStream("died") });
    });

    it("R-20 refused: another tuner is used at once", () => {
      const { recording } = outcome("refused");
      expect(recording.attempts[1]?.startedAt).toBe(recording.attempts[0]?.endedAt);
      expect(causesOf("refused")).toEqual(["TUNER_IN_USE", "asked"]);
      expect(new Set(recording.attempts.map(({ tunerId }) => tunerId)).size).toBe(2);
      expect(recording.evidence).toMatchObject({ kept: [2], continuityErrors: 0 });
      // On a busy machine that is too slow to ask the other one in time, the beginning is missing, and nothing else.
      expect(gapsOf("refused").filter(([from]) => from > -1 * SECOND)).toEqual([]);
    });

    it("R-05 R-20 forbidden: every tuner is tried, then again with growing pauses; no file is left", () => {
      const { recording, found, told } = outcome("forbidden");
      const [first, ...others] = causesOf("forbidden");
      expect(first).toBe("TUNER_FORBIDDEN");
      // The last one may be stopped by the end of the window before its answer has come.
      for (const cause of others) expect(["TUNER_FORBIDDEN", "asked"]).toContain(cause);
      const starts = recording.attempts.map(({ startedAt }) => startedAt);
      const pauses = starts.slice(1).map((at, index) => at - (recording.attempts[index]?.endedAt ?? 0));
      const again = pauses.slice(TUNERS - 1);
      expect(new Set(recording.attempts.map(({ tunerId }) => tunerId)).size).toBeGreaterThan(1);
      expect(again.every((ms) => ms >= SECOND)).toBe(true);
      expect(recording.state).toBe("failed");
      expect(found).toBeUndefined();
      expect(told.at(-1)).toMatch(/^Not recorded: The source refuses access/);
    });

    it("R-20 half-open: a silent connection is abandoned, and another tuner is used", () => {
      const { recording } = outcome("halfOpen");
      expect(causesOf("halfOpen")).toEqual(["STREAM_NO_DATA", "asked"]);
      expect(new Set(recording.attempts.map(({ tunerId }) => tunerId)).size).toBe(2);
      expect(recording.evidence).toMatchObject({ kept: [2], continuityErrors: 0 });
      // On a busy machine that is too slow to ask the other one in time, the beginning is missing, and nothing else.
      expect(gapsOf("halfOpen").filter(([from]) => from > -1 * SECOND)).toEqual([]);
    });

    it("slow start: the recording waits, and begins with the first packet", () => {
      expect(causesOf("slowStart")).toEqual(["asked"]);
      expect(outcome("slowStart").recording.evidence).toMatchObject({ segments: 1, continuityErrors: 0 });
    });

    it.each(["scrambled", "masked"] as const)(
      "R-29 %s: every attempt reports it; the received data is kept for a later reader",
      (fault) => {
        const { recording, damage, found, told } = outcome(fault);
        const [first, ...others] = causesOf(fault);
        expect(first).toBe("STREAM_SCRAMBLED");
        // The last one may be stopped by the end of the window before it has waited long enough.
        for (const cause of others) expect(["STREAM_SCRAMBLED", "asked"]).toContain(cause);
        expect(recording).toMatchObject({ state: "partial", evidence: { eventCoveredMs: 0 } });
        expect(found).toMatchObject({ payloadPackets: 0 });
        const { scrambledPackets: counted = 0, segments = 0 } = recording.evidence ?? {};
        // Packets whose headers do not show the scrambling count for no stream before a segment's first PMT.
        const nobodys = fault === "masked" ? segments * PMT_PACKETS : 0;
        expect(counted).toBeLessThanOrEqual(found?.scrambledPackets ?? 0);
        expect(counted).toBeGreaterThanOrEqual((found?.scrambledPackets ?? 0) - nobodys);
        expect(found?.scrambledPackets).toBeLessThanOrEqual(damage.scrambled);
        expect(told.at(-1)).toContain(`${counted.toLocaleString("en")} packets scrambled`);
      },
    );

    it.each(["scrambledAWhile", "maskedAWhile"] as const)(
      "%s: counted, and missing for its duration",
      (fault) => {
        const { recording, damage } = outcome(fault);
        expect(causesOf(fault)).toEqual(["asked"]);
        expect(recording.evidence).toMatchObject({ scrambledPackets: damage.scrambled, continuityErrors: 0 });
        const [[from, to] = [0, 0], ...more] = gapsOf(fault);
        expect(more).toEqual([]);
        expect(Math.abs(from - 4 * SECOND)).toBeLessThan(DATING_MS);
        expect(Math.abs(to - from - 2 * SECOND)).toBeLessThanOrEqual(2 * (PCR_MS + UNIT_MS));
      },
    );

    it.each(["wrongService", "wrongNetwork"] as const)(
      "%s: detected by its tables, and absent from the file",
      (fault) => {
        const { recording, found } = outcome(fault);
        expect(causesOf(fault).at(0)).toBe("STREAM_WRONG_SERVICE");
        expect(causesOf(fault).at(-1)).toBe("asked");
        // On a busy machine other attempts may fail for other causes; of those with this one nothing is kept.
        const wrong = recording.attempts.filter(({ cause }) => cause === "STREAM_WRONG_SERVICE");
        const kept = recording.evidence?.kept ?? [];
        expect(wrong.filter(({ number }) => kept.includes(number))).toEqual([]);
        expect(found?.services.map(({ triplet }) => triplet)).toEqual([recording.service]);
        expect(recording.evidence).toMatchObject({ continuityErrors: 0 });
      },
    );

    it("R-21 leaves no tuner, stream, process or file except the recordings", async () => {
      const { home, recorder } = table;
      const recorded = faultsFor(engine).length - 1;
      await expect.poll(() => home.world.broadcaster.openStreams()).toBe(0);
      expect(recorder.daemon.snapshot().tuners.flatMap(({ recordings }) => recordings)).toEqual([]);
      expect(await captureMarks(recorder)).toEqual([]);
      await expect.poll(() => readdir(join(recorder.recordings, ".recorderd"))).toEqual([]);
      const left = await readdir(recorder.recordings);
      for (const ending of [".ts", ".json", ".nfo"]) {
        expect(left.filter((name) => name.endsWith(ending))).toHaveLength(recorded);
      }
      // A job makes the index where the one that was written along is not whole.
      const indexes = left.filter((name) => name.endsWith(".index"));
      expect(indexes.length).toBeGreaterThan(recorded / 2);
      expect(left).toHaveLength(1 + 3 * recorded + indexes.length);
    });
  });
}

/** The captures of one daemon, as the kernel knows them. */
async function captureMarks({ data }: InProcess): Promise<readonly MarkedProcess[]> {
  return (await findMarked("RECORDERD_CAPTURE")).filter(({ mark }) => mark.startsWith(`${data}/`));
}
