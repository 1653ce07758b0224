import { describe, expect, it } from "vitest";
import { createHttpClient } from "../../../../src/kit/http/http.ts";
import type { Facts } from "../../../../src/model/errors.ts";
import type { LedgerFact } from "../../../../src/model/ledger.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { TRACES_LIMITS } from "../../../../src/recorder/subsystems/traces/limits.ts";
import { createTraceLoop } from "../../../../src/recorder/subsystems/traces/loop.ts";
import { traceOf } from "../../../../src/recorder/subsystems/traces/spans.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { inProcess, simTuners } from "../../../main-job/in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "../../../main-job/recorder.ts";
import { factsOf, otlpReceiver, type Receiver } from "./receiver.ts";

const NOW = Date.UTC(2026, 10, 20, 9);

/** Facts of one recording, so many seconds after NOW. */
function story(
  recordingId: string,
  lines: readonly (readonly [seconds: number, fact: string, facts?: Facts])[],
): readonly LedgerFact[] {
  return lines.map(([seconds, fact, facts = {}]) => {
    return { at: NOW + seconds * SECOND, fact, timerId: `t-${recordingId}`, recordingId, facts };
  });
}

const told = (recordingId: string) =>
  story(recordingId, [
    [0, "ordered", { name: "News", channel: "One" }],
    [9, "expired", { from: "planned", to: "missed", text: "The recorder was off." }],
    [9, "report-made", { state: "failed", message: "missed" }],
    [10, "report-delivered", { state: "failed", message: "missed" }],
  ]);

/** A loop on a clock of its own, and the ledger it reads. */
function telling(url: string) {
  const clock = createVirtualClock(NOW);
  const http = createHttpClient();
  const warnings: string[] = [];
  const note = (message: string) => void warnings.push(message);
  const log = { debug() {}, info: note, warn: note, error: note };
  const ledger = new Map<string, readonly LedgerFact[]>();
  const history = async (timerId: string) => ledger.get(timerId) ?? [];
  const resource = { "service.name": "recorderd" };
  const loop = createTraceLoop({ url, http, history, resource, clock, chance: () => 1, log });
  const ending = new AbortController();
  const running = loop.run(ending.signal);
  return {
    warnings,
    tell: (recordingId: string) => {
      const facts = told(recordingId);
      ledger.set(`t-${recordingId}`, facts);
      loop.noteFacts(facts);
    },
    /** Virtual time goes by, real requests have what they need. */
    async until(fits: () => boolean): Promise<void> {
      await expect
        .poll(
          async () => {
            await clock.advance(SECOND);
            return fits();
          },
          { timeout: 60_000, interval: 10 },
        )
        .toBe(true);
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await running;
      await http[Symbol.asyncDispose]();
    },
  };
}

const idsIn = ({ traces }: Receiver) =>
  traces.map(([root]) => factsOf(root?.attributes ?? [])["recorderd.recordingId"]);

describe("a trace", () => {
  it("follows a timer from sync through plan, attempt, inspection and publishing to the last report, without a secret", async () => {
    await using folder = await temporaryFolder();
    await using world = await testWorld(folder.path);
    await using receiver = await otlpReceiver();
    await using recorder = await inProcess(folder.path, world, {
      tuners: simTuners(world, 1),
      traces: { url: receiver.url },
    });
    const show = { channel: 1, title: "A show", start: soon(), durationMs: 2 * SECOND };
    const timerId = await world.world.book(show, world.deviceId);
    const { id, attempts } = await recorder.until(timerId, ({ state }) => state === "completed");
    while (receiver.traces.length === 0) await pause(50);
    const [spans = []] = receiver.traces;
    const [root] = spans;
    expect(factsOf(root?.attributes ?? [])).toMatchObject({
      "recorderd.timerId": timerId,
      "recorderd.recordingId": id,
      "recorderd.name": "A show",
      "recorderd.state": "completed",
      "recorderd.verdict": "perfect",
    });
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const children = spans.slice(1);
    expect(children.map(({ name }) => name)).toEqual([
      "sync",
      "plan",
      ...attempts.map(() => "attempt"),
      "inspection",
      "publish",
      ...children.filter(({ name }) => name === "report").map(() => "report"),
    ]);
    for (const { parentSpanId, startTimeUnixNano, endTimeUnixNano, status } of children) {
      expect(parentSpanId).toBe(root?.spanId);
      expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root?.startTimeUnixNano ?? 0));
      expect(BigInt(endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root?.endTimeUnixNano ?? 0));
      expect(status).toEqual({});
    }
    const attempt = spans.find(({ name }) => name === "attempt");
    expect(factsOf(attempt?.attributes ?? [])).toMatchObject({ "recorderd.tuner": "sim-1" });
    expect(attempt?.events.map(({ name }) => name)).toContain("flowing");
    expect(factsOf(children.at(-1)?.attributes ?? [])).toMatchObject({
      "recorderd.state": "completed",
      "recorderd.delivered": true,
    });
    const sent = receiver.bodies.join("\n");
    for (const secret of [world.token, world.world.account.email, "api_key"])
      expect(sent).not.toContain(secret);
  });

  it("has one span for each attempt with its failure, and a replacement begins when the other is doubted", () => {
    const facts = story("r1", [
      [0, "ordered", { name: "News" }],
      [0, "placed", { tuner: "a" }],
      [10, "due", { attempt: "r1.1", to: "tuning", tuner: "a" }],
      [11, "flowing", { attempt: "r1.1", to: "recording" }],
      [20, "doubted", { attempt: "r1.1", text: "The stream stalls.", tuner: "b" }],
      [22, "relieved", { attempt: "r1.2", tuner: "b" }],
      [23, "attempt-ended", { attempt: "r1.1", cause: "STREAM_STALLED", text: "No data." }],
      [30, "expired", { attempt: "r1.2", to: "closing" }],
      [31, "attempt-ended", { attempt: "r1.2", cause: "asked", text: "Stopped." }],
      [33, "inspected"],
      [35, "whole", { to: "completed" }],
      [35, "report-made", { message: "done" }],
      [40, "report-delivered", { message: "done" }],
    ]);
    const trace = traceOf(facts, "r1");
    const seconds = (at: number) => (at - NOW) / SECOND;
    const parts = trace?.spans.map(({ name, start, end, error }) => [
      name,
      seconds(start),
      seconds(end),
      error,
    ]);
    expect(parts).toEqual([
      ["timer", 0, 40, undefined],
      ["sync", 0, 0, undefined],
      ["plan", 0, 10, undefined],
      ["attempt", 10, 23, "No data."],
      ["attempt", 20, 31, undefined],
      ["inspection", 31, 33, undefined],
      ["publish", 33, 35, undefined],
      ["report", 35, 40, undefined],
    ]);
    // Sent once more after a crash it is the same one.
    expect(traceOf(facts, "r1")).toEqual(trace);
  });
});

describe("the export of traces", () => {
  it("sends each once, including missed recordings, and no running ones", async () => {
    await using receiver = await otlpReceiver();
    await using teller = telling(receiver.url);
    teller.tell("r1");
    teller.tell("r2");
    await teller.until(() => receiver.traces.length === 2);
    await teller.until(() => true);
    expect(idsIn(receiver)).toEqual(["r1", "r2"]);
    expect(receiver.traces[0]?.[0]?.status).toEqual({ code: 2, message: "The recorder was off." });
  });

  it("continues when a receiver returns, and drops permanently refused traces", async () => {
    const answers = [503, 429, 200, 400, 200];
    await using receiver = await otlpReceiver((count) => answers[count - 1] ?? 200);
    await using teller = telling(receiver.url);
    for (const id of ["r1", "r2", "r3"]) teller.tell(id);
    await teller.until(() => receiver.traces.length === 2);
    expect(idsIn(receiver)).toEqual(["r1", "r3"]);
    expect(teller.warnings).toEqual([
      "the trace receiver does not accept traces; retrying",
      "the trace receiver accepts traces again",
      "the trace receiver refused a trace",
    ]);
  });

  it("R-42 stores a limited number of traces without a receiver", async () => {
    let status = 503;
    await using receiver = await otlpReceiver(() => status);
    await using teller = telling(receiver.url);
    const count = TRACES_LIMITS.waiting + 200;
    for (let number = 1; number <= count; number += 1) teller.tell(`r${number}`);
    await teller.until(() => receiver.bodies.length > 0);
    status = 200;
    await teller.until(() => receiver.traces.length >= TRACES_LIMITS.waiting);
    await teller.until(() => idsIn(receiver).includes(`r${count}`));
    expect(idsIn(receiver)).not.toContain("r2");
    expect(receiver.traces.length).toBeLessThanOrEqual(TRACES_LIMITS.waiting + 1);
  });
});
