import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { WakeSignal } from "../../../src/kit/time/wake-signal.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import type { GuideAccount } from "../../../src/model/ports.ts";
import type { DeliveryOutcome, Report } from "../../../src/model/report.ts";
import type { ReportFacts } from "../../../src/model/report-facts.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { withoutReport } from "../../../src/recorder/report/core/outbox.ts";
import { deliver, deliveryLoop } from "../../../src/recorder/report/delivery.ts";
import { REPORT_LIMITS } from "../../../src/recorder/report/limits.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { englishReader } from "../../../src/words/english.ts";
import { loadReader } from "../../../src/words/load-reader.ts";
import type { Reader } from "../../../src/words/reader.ts";
import { inLong } from "../../lane.ts";

const report = (seq: number, timerId: string, rest: Partial<Report> = {}): Report => ({
  seq,
  timerId,
  state: "completed",
  message: `message ${seq}`,
  acknowledgesForget: false,
  madeAt: 0,
  ...rest,
});

/** The loop in virtual time, against a service that answers as the test says. */
function delivering(
  reports: readonly Report[],
  tell: (timerId: string, message: string) => void,
  reader = async () => englishReader("UTC"),
) {
  const clock = createVirtualClock(0);
  const ended = new AbortController();
  const asked: { readonly timerId: string; readonly at: number }[] = [];
  const outcomes: DeliveryOutcome["kind"][] = [];
  const sent: string[] = [];
  let outbox = reports;
  const wakeSignal = new WakeSignal();
  const resume = new WakeSignal();
  const account: Pick<GuideAccount, "tell" | "remove"> = {
    async tell(timerId, { message }) {
      asked.push({ timerId, at: clock.now() });
      tell(timerId, message);
    },
    async remove() {},
  };
  const running = deliveryLoop(
    {
      account,
      waiting: () => ({ outbox, refusedStates: [] }),
      reader,
      onOutcome: async ({ seq, message, outcome: { kind } }) => {
        outcomes.push(kind);
        sent.push(message);
        outbox = withoutReport(outbox, seq);
      },
      clock,
      chance: () => 0.5,
      wakeSignal,
      resume,
    },
    ended.signal,
  );
  return {
    clock,
    resume,
    asked,
    outcomes,
    sent,
    waiting: () => outbox.map(({ timerId }) => timerId),
    replace: (reports: readonly Report[]) => {
      outbox = reports;
      wakeSignal.signal();
    },
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
    },
  };
}

it("R-08 delivery keeps a report refused by a web page, which comes from a proxy or a wrong address", async () => {
  let isBroken = true;
  await using loop = delivering([report(1, "7")], () => {
    if (isBroken) throw new RecorderdError("GUIDE_NOT_FOUND", "a page", { html: true });
  });
  await loop.clock.advance(MINUTE);
  expect(loop.waiting()).toEqual(["7"]);
  isBroken = false;
  await loop.clock.advance(5 * MINUTE);
  expect(loop.outcomes).toEqual(["delivered"]);
});

it("R-08 delivery words a report in the language and zone of the household, and sends one of an earlier version as it is", async () => {
  const span = { start: 20 * HOUR, stop: 21 * HOUR };
  const content: ReportFacts = { about: { is: "scheduled", tunerId: "sat-1", span } };
  const told: string[] = [];
  await using loop = delivering(
    [report(1, "7", { content }), report(2, "8")],
    (_timerId, message) => told.push(message),
    () => loadReader({ language: "de", timeZone: "Europe/Berlin" }),
  );
  await expect.poll(() => loop.sent.length).toBe(2);
  expect(told).toEqual(["Vorgemerkt auf Tuner sat-1, 21:00–22:00 Uhr.", "message 2"]);
  expect(loop.sent).toEqual(told);
});

it("R-08 delivery sends no report that another replaced while the words were loading", async () => {
  let haveLoaded = (_words: Reader) => {};
  const words = new Promise<Reader>((resolve) => {
    haveLoaded = resolve;
  });
  await using loop = delivering(
    [report(1, "1", { state: "failed", message: "missed" })],
    () => {},
    () => words,
  );
  await loop.clock.advance(0);
  loop.replace([report(2, "1", { message: "withdrawn" })]);
  haveLoaded(englishReader("UTC"));
  await loop.clock.advance(SECOND);
  expect(loop.sent).toEqual(["withdrawn"]);
});

it("delivery delivers the reports of other timers while the service fails on one", async () => {
  await using loop = delivering([report(1, "bad"), report(2, "8"), report(3, "9")], (timerId) => {
    if (timerId === "bad") throw new RecorderdError("GUIDE_UNAVAILABLE", "500");
  });
  await loop.clock.advance(10 * SECOND);
  expect(loop.waiting()).toEqual(["bad"]);
});

it("delivery polls a failing service less and less often, however many reports wait", async () => {
  const reports = Array.from({ length: 50 }, (_, index) => report(index + 1, String(index + 1)));
  await using loop = delivering(reports, () => {
    throw new RecorderdError("GUIDE_UNAVAILABLE", "500");
  });
  await loop.clock.advance(60 * MINUTE);
  expect(loop.asked.length).toBeLessThan(20);
  expect(loop.waiting()).toHaveLength(50);
});

it("R-08 delivery delivers the reports of all timers in the order of creation", async () => {
  await using loop = delivering([report(1, "7"), report(2, "8"), report(3, "9")], () => {});
  await loop.clock.advance(SECOND);
  expect(loop.asked.map(({ timerId }) => timerId)).toEqual(["7", "8", "9"]);
});

it("R-43 delivery keeps later reports queued after a 401, retries less and less often, and continues at once after a sign-in", async () => {
  let isSignedIn = false;
  const reports = ["7", "8", "9", "10"].map((id, index) => report(index + 1, id));
  await using loop = delivering(reports, (timerId) => {
    if (timerId === "9" && !isSignedIn) throw new RecorderdError("GUIDE_SIGN_IN_NEEDED", "401");
  });
  await loop.clock.advance(6 * HOUR);
  expect(loop.waiting()).toEqual(["9", "10"]);
  expect(loop.asked.length).toBeLessThan(45);
  const last = loop.asked.slice(-2).map(({ at }) => at);
  expect((last[1] ?? 0) - (last[0] ?? 0)).toBeGreaterThan(7 * MINUTE);
  isSignedIn = true;
  loop.resume.signal();
  await loop.clock.advance(SECOND);
  expect(loop.waiting()).toEqual([]);
});

it("delivery waits for the Retry-After of the service", async () => {
  await using loop = delivering([report(1, "7")], () => {
    throw new RecorderdError("GUIDE_UNAVAILABLE", "503", { retryAfterMs: 40 * MINUTE });
  });
  await loop.clock.advance(2 * HOUR);
  expect(loop.asked.length).toBeLessThanOrEqual(3);
});

inLong(
  "delivery delivers 10,000 reports in order after an outage of five days, at a limited rate",
  async () => {
    const OUTAGE = 5 * DAY;
    const reports = Array.from({ length: 10_000 }, (_, index) => report(index + 1, String(index + 1)));
    const delivered: string[] = [];
    let isOut = true;
    await using loop = delivering(reports, (timerId) => {
      if (isOut) throw new RecorderdError("GUIDE_UNREACHABLE", "no network");
      // Timers that are gone meanwhile are given up, one by one.
      if (Number(timerId) % 100 === 0) throw new RecorderdError("GUIDE_NOT_FOUND", "gone");
      delivered.push(timerId);
    });
    await loop.clock.advanceTo(OUTAGE);
    isOut = false;
    const tries = loop.asked.length;
    // On average every eleven minutes.
    expect(tries).toBeLessThan(OUTAGE / (11 * MINUTE));
    await loop.clock.advance(HOUR);
    expect(loop.waiting()).toEqual([]);
    expect(delivered).toEqual(reports.map(({ timerId }) => timerId).filter((id) => Number(id) % 100 !== 0));
    expect(loop.outcomes.filter((kind) => kind === "refused")).toHaveLength(100);
    const after = loop.asked.slice(tries).map(({ at }) => Math.floor(at / SECOND));
    const perSecond = new Map<number, number>();
    for (const second of after) perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(
      SECOND / REPORT_LIMITS.deliveryGapMs + REPORT_LIMITS.deliveriesQuick,
    );
  },
);

it("R-42 delivery stores no delivered report", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const wakeSignal = new WakeSignal();
  let outbox: readonly Report[] = [];
  const account = { tell: async () => {}, remove: async () => {} };
  const ended = new AbortController();
  const onOutcome = async () => {
    outbox = [];
  };
  const waiting = () => ({ outbox, refusedStates: [] });
  const clock = createVirtualClock(0);
  const reader = async () => englishReader("UTC");
  const parts = {
    account,
    waiting,
    reader,
    onOutcome,
    clock,
    wakeSignal,
    chance: () => 0,
    resume: new WakeSignal(),
  };
  const running = deliveryLoop(parts, ended.signal);
  let seq = 0;
  async function deliver(count: number): Promise<number> {
    for (let round = 0; round < count; round += 1) {
      seq += 1;
      outbox = [report(seq, "7")];
      wakeSignal.signal();
      while (outbox.length > 0) await Promise.resolve();
      // Until it waits again.
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
    await clock.advance(0);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  }
  const before = await deliver(1000);
  expect(((await deliver(20_000)) - before) / 20_000).toBeLessThan(100);
  ended.abort();
  await running;
});

it("R-42 delivery repeats a forget by DELETE, and no other request", async () => {
  const asked: string[] = [];
  const account: Pick<GuideAccount, "tell" | "remove"> = {
    tell: async (timerId) => void asked.push(`PUT ${timerId}`),
    remove: async (timerId) => void asked.push(`DELETE ${timerId}`),
  };
  const forget = report(1, "7", { acknowledgesForget: true });
  const { signal } = new AbortController();
  expect(await deliver(account, forget, signal)).toEqual({ kind: "delivered" });
  expect(await deliver(account, { ...forget, insists: true }, signal)).toEqual({ kind: "delivered" });
  expect(asked).toEqual(["PUT 7", "DELETE 7"]);
});
