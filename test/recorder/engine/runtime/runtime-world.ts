import { silentLog } from "../../../../src/kit/log.ts";
import type { Capture, GuideAccount, Orders, TunerDriver } from "../../../../src/model/ports.ts";
import { HOUR, SECOND } from "../../../../src/model/time.ts";
import type { DaemonDocument } from "../../../../src/recorder/engine/core/document.ts";
import { ClockWatch } from "../../../../src/recorder/engine/runtime/clock-watch.ts";
import { EngineRuntime } from "../../../../src/recorder/engine/runtime/engine-runtime.ts";
import { TunerPool } from "../../../../src/recorder/engine/runtime/tuner-pool.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { englishReader } from "../../../../src/words/english.ts";
import type { Brain } from "./world.ts";

/** How long each commit takes, so that several requests wait for the same one. */
const COMMIT_MS = 300;

/** Hangs until it is called off. */
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const SILENT_ACCOUNT: GuideAccount = {
  timers: never,
  channels: never,
  programmes: (_order, signal) => never(signal),
  airings: (_order, signal) => never(signal),
  tell: (_timerId, _told, signal) => never(signal),
  remove: (_timerId, signal) => never(signal),
};

const NO_CAPTURES: Capture = {
  start: async () => {},
  running: async () => new Set(),
  hasBegun: async () => true,
  watch: (_order, signal) => never(signal),
  stop: async () => {},
};

function driverOf(facts: TunerDriver["facts"]): TunerDriver {
  return {
    facts,
    open: async () => ({
      source: { url: `sim://${facts.id}`, programme: "single" },
      [Symbol.asyncDispose]: async () => {},
    }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The engine with its loops over the document of a brain, in virtual time; it does not run yet. */
export function runtimeOf(
  brain: Brain,
  {
    orders = { book: async () => undefined, cancel: async () => {} },
    capture = NO_CAPTURES,
  }: { readonly orders?: Orders; readonly capture?: Capture } = {},
) {
  const clock = createVirtualClock(brain.now);
  let current: DaemonDocument = brain.document;
  const runtime = new EngineRuntime({
    store: {
      get current() {
        return current;
      },
      commit: async (next: DaemonDocument) => {
        await clock.sleep(COMMIT_MS, new AbortController().signal);
        current = next;
      },
    },
    signOfLife: { before: undefined, renew: () => {} },
    ledger: { append: async () => {}, catchUp: async () => {} },
    account: SILENT_ACCOUNT,
    orders,
    pool: new TunerPool(brain.tuners.map(driverOf)),
    capture,
    closing: {
      trust: () => {},
      inspect: (_recording, signal) => never(signal),
      publish: (_recording, signal) => never(signal),
      annotate: (_recording, signal) => never(signal),
    },
    segmentFile: (attempt) => `/recordings/${attempt}`,
    notes: { keep: async () => {}, all: async () => new Map() },
    policy: brain.policy,
    planner: brain.planner,
    schedule: { next: (after) => after + HOUR },
    channels: () => Object.values(current.channels),
    absence: { shareMin: 0.5, confirmPolls: 3, confirmMs: HOUR },
    reader: async () => englishReader("UTC"),
    refreshSignIn: async () => false,
    watch: new ClockWatch({
      clock,
      uptimeMs: clock.monotonicMs,
      boot: "boot-1",
      toleranceMs: 30 * SECOND,
      memory: undefined,
    }),
    askKernel: async () => "synchronised",
    clock,
    chance: () => 0.5,
    log: silentLog,
  });
  const ended = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    runtime,
    clock,
    document: () => current,
    start: () => {
      running = runtime.run(ended.signal, []);
    },
    async stop() {
      ended.abort();
      await clock.advance(COMMIT_MS);
      await running;
    },
    async [Symbol.asyncDispose]() {
      await this.stop();
      await runtime[Symbol.asyncDispose]();
    },
  };
}
