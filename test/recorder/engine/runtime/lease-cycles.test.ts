import { setMaxListeners } from "node:events";
import { expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { promiseJobsDone } from "../../../../src/kit/time/promises.ts";
import { currentAttempt } from "../../../../src/model/attempt.ts";
import { type ErrorCode, RecorderdError } from "../../../../src/model/errors.ts";
import { USES } from "../../../../src/model/lease.ts";
import type { Capture, CaptureEnd, TunerDriver } from "../../../../src/model/ports.ts";
import { multiplexKey, type Triplet } from "../../../../src/model/service.ts";
import { HOUR, MINUTE } from "../../../../src/model/time.ts";
import type { Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import type { Question } from "../../../../src/recorder/engine/core/reply.ts";
import { createActs } from "../../../../src/recorder/engine/runtime/acts.ts";
import { createLeaseActs, type HeldLease } from "../../../../src/recorder/engine/runtime/lease-desk.ts";
import { Questions } from "../../../../src/recorder/engine/runtime/questions.ts";
import { TunerReleases } from "../../../../src/recorder/engine/runtime/tuner-releases.ts";
import { keepMultiplexOpen } from "../../../../src/recorder/tune/keep-multiplex-open.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { chanceOf } from "../../../../src/simulator/weeks/chance.ts";
import { casesOf } from "../../../lane.ts";
import { Brain, EIGHT, timer, tripletOf, tuner, WHOLE } from "./world.ts";

const CYCLES = casesOf({ sample: 2000, all: 10_000 });
const ENDS: readonly (ErrorCode | "asked")[] = ["STREAM_ENDED", "STREAM_STALLED", "STREAM_NO_DATA", "asked"];
const REFUSALS: readonly ErrorCode[] = ["TUNER_IN_USE", "TUNER_NO_LOCK", "TUNER_UNREACHABLE"];

/** A tuner that holds one multiplex, and complains about a request for a second one. */
function strictTuner(id: string, refuses: () => ErrorCode | undefined) {
  const open = new Map<number, Triplet>();
  const broken: string[] = [];
  let count = 0;
  const driver: TunerDriver = {
    facts: tuner(id, { servicesAtOnce: () => 3 }),
    async open(service, signal) {
      signal.throwIfAborted();
      const code = refuses();
      if (code !== undefined) throw new RecorderdError(code, `${id} refuses.`);
      const others = [...open.values()].filter((each) => multiplexKey(each) !== multiplexKey(service));
      if (others.length > 0 || open.size >= 3) broken.push(`${id} is asked for too much`);
      count += 1;
      const key = count;
      open.set(key, service);
      return {
        source: { url: `sim://${id}`, programme: "single" },
        explain: async () => undefined,
        [Symbol.asyncDispose]: async () => void open.delete(key),
      };
    },
    async [Symbol.asyncDispose]() {},
  };
  return { driver, open, broken };
}

/** Captures that flow at once, and end by chance or when they are stopped. */
function captures(endBy: () => ErrorCode | "asked") {
  const running = new Map<string, (end: CaptureEnd) => void>();
  const capture: Capture = {
    start: async ({ id }) => void running.set(id, () => {}),
    running: async () => new Set(running.keys()),
    hasBegun: async () => true,
    watch: ({ id, onFlowing }, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        running.set(id, resolve);
        onFlowing();
      }),
    stop: async (id) => {
      running.get(id)?.({ cause: "asked", text: "Stopped." });
      running.delete(id);
    },
  };
  const breakOne = () => {
    const [id] = running.keys();
    if (id === undefined) return;
    const cause = endBy();
    running.get(id)?.({ cause, text: `${cause}.` });
    running.delete(id);
  };
  return { capture, running, breakOne };
}

it("R-21 thousands of uses of tuners by recordings, viewers and probes leave no lease and no session", async () => {
  const chance = chanceOf(7, "leases");
  const pick = <T>(all: readonly T[]): T => all[chance.int(0, all.length - 1)] as T;
  const clock = createVirtualClock(EIGHT - HOUR, promiseJobsDone);
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const tuners = ["a", "b", "c"].map((id) =>
    strictTuner(id, () => (chance.int(0, 9) === 0 ? pick(REFUSALS) : undefined)),
  );
  const drivers = tuners.map(({ driver }) => keepMultiplexOpen(driver, clock));
  const brain = new Brain({ now: clock.now(), tuners: drivers.map(({ facts }) => facts) });
  const { capture, running, breakOne } = captures(() => pick(ENDS));
  const bugs: unknown[] = [];
  const waiting: Occurrence[] = [];
  const post = async (occurrence: Occurrence) => void waiting.push(occurrence);
  const driverOf = new Map(drivers.map((driver) => [driver.facts.id, driver]));
  const questions = new Questions(clock);
  const ask = (question: Question<"lease-asked">) => {
    waiting.push(question);
    return questions.wait(question, () => new RecorderdError("DAEMON_NOT_READY", "Late."));
  };
  const releases = new TunerReleases(clock);
  const leases = createLeaseActs(
    { driver: (id) => driverOf.get(id), post, ask, releases, clock },
    ended.signal,
  );
  const act = createActs(
    {
      drivers: driverOf,
      leases,
      releases,
      notes: { keep: async () => {} },
      orders: { book: async () => undefined, cancel: async () => {} },
      capture,
      closing: {
        trust: () => {},
        inspect: async ({ id }) => ({ kind: "inspected", recordingId: id, evidence: WHOLE }),
        publish: async ({ id }) => ({ kind: "published", recordingId: id, file: `/recordings/${id}.ts` }),
        annotate: async (recording) => ({ kind: "annotated", recording }),
      },
      segmentFile: (attempt) => `/recordings/${attempt}`,
      recording: (id) => brain.document.recordings[id],
      post,
      deliver: () => {},
      onBroadcastTime: () => {},
      onBug: (error) => bugs.push(error),
      clock,
      log: silentLog,
    },
    ended.signal,
  );
  /** Until nothing more comes of what was done. */
  const settle = async () => {
    for (;;) {
      for (const command of brain.ordered()) act(command);
      await clock.advance(0);
      const next = waiting.shift();
      if (next === undefined) return;
      brain.now = clock.now();
      const { document: before } = brain;
      const { document, refusal } = brain.take(next);
      for (const command of brain.ordered()) act(command);
      questions.decided(next, { before, document, refusal });
    }
  };
  const pass = async (ms: number) => {
    await clock.advance(ms);
    brain.at(clock.now());
    brain.delivered();
    await settle();
  };

  const held = new Set<HeldLease>();
  let uses = 0;
  let orders = 0;
  const take = async () => {
    const order = {
      use: pick(USES),
      service: tripletOf(chance.int(1, 6)),
      forMs: HOUR,
    };
    const asked = leases.desk.take(order, ended.signal).then(
      (lease) => {
        held.add(lease);
        // A lease's user gives it back once the lease is ended.
        lease.ended.addEventListener("abort", () => void letGo(lease), { once: true });
      },
      (error: unknown) => {
        if (!(error instanceof RecorderdError)) bugs.push(error);
      },
    );
    uses += 1;
    await settle();
    await asked;
  };
  const letGo = async (lease: HeldLease) => {
    held.delete(lease);
    await lease[Symbol.asyncDispose]();
    await lease[Symbol.asyncDispose]();
  };
  const attempts = () => Object.values(brain.document.recordings).flatMap((each) => each.attempts).length;
  let recorded = 0;
  while (uses + recorded < CYCLES) {
    const what = chance.int(0, 99);
    if (what < 75) await take();
    else if (what < 97) await Promise.all([...held].slice(0, 3).map(letGo));
    else if (what < 98) breakOne();
    else if (what < 99) {
      orders += 1;
      const start = Math.ceil((clock.now() + 2 * MINUTE) / MINUTE) * MINUTE;
      brain.fetch(
        ...Object.values(brain.document.timers).filter(({ event }) => event.stop > clock.now()),
        timer(`t${orders}`, {
          channelId: `${chance.int(1, 6)}`,
          event: { start, stop: start + chance.int(1, 9) * MINUTE },
        }),
      );
    } else await pass(chance.int(1, 4 * MINUTE));
    await settle();
    recorded = attempts();
  }
  await Promise.all([...held].map(letGo));
  for (let minutes = 0; minutes < 30; minutes += 1) await pass(MINUTE);

  expect(bugs).toEqual([]);
  expect(tuners.flatMap(({ broken }) => broken)).toEqual([]);
  expect(recorded).toBeGreaterThan(CYCLES / 100);
  expect(uses).toBeGreaterThan(CYCLES / 2);
  expect(brain.document.leases).toEqual({});
  expect(
    Object.values(brain.document.recordings).filter((each) => currentAttempt(each) !== undefined),
  ).toEqual([]);
  expect(running.size).toBe(0);
  expect(tuners.map(({ open }) => open.size)).toEqual([0, 0, 0]);
  ended.abort();
}, 120_000);
