import { promiseJobsDone } from "../../src/kit/time/promises.ts";
import type { GuideAccount } from "../../src/model/ports.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import type { VirtualClock } from "../../src/simulator/virtual-clock.ts";
import { Air } from "../../src/simulator/weeks/air.ts";
import { Captures } from "../../src/simulator/weeks/captures.ts";
import { type ChanceNow, chanceOf } from "../../src/simulator/weeks/chance.ts";
import { Lives } from "../../src/simulator/weeks/lives.ts";
import { Machine } from "../../src/simulator/weeks/machine.ts";
import { Receivers } from "../../src/simulator/weeks/receivers.ts";
import { plainSetting } from "../../src/simulator/weeks/setting.ts";
import { SimulatedFiles } from "../../src/simulator/weeks/simulated-files.ts";

export interface MonthRecorder {
  /** Those that have ended, by id. */
  readonly recordings: ReadonlyMap<string, Recording>;
  readonly bugs: readonly unknown[];
}

export interface MonthRecorderParts {
  readonly clock: VirtualClock;
  readonly seed: number;
  readonly tuners: number;
  readonly account: GuideAccount;
  readonly signal: AbortSignal;
}

/** The real recorder in virtual time, with simulated tuners without faults; it runs until the signal. */
export function startRecorder({ clock, seed, tuners, account, signal }: MonthRecorderParts): MonthRecorder {
  const chance: ChanceNow = (purpose) => chanceOf(seed, `month ${purpose} ${clock.now()}`);
  const setting = plainSetting(tuners);
  const receivers = new Receivers({
    tuners: setting.tuners,
    clock,
    chance,
    watch: { tuning: () => {}, overloaded: () => {} },
  });
  const air = new Air({ clock, timers: () => [] });
  const captures = new Captures({
    receivers,
    isCopied: setting.isCopied,
    air,
    clock,
    chance,
    watch: { starting: () => {}, stopping: () => {}, repeated: (id) => void bugs.push(id) },
    signal,
  });
  const machine = new Machine({ clock, hasNtp: true, signal });
  const shelf = new SimulatedFiles({ captures, clock, machine, chance });
  const recordings = new Map<string, Recording>();
  const bugs: unknown[] = [];
  const lives = new Lives({
    clock,
    machine,
    chance,
    account,
    orders: { book: async () => undefined, cancel: async () => {} },
    drivers: (life) => receivers.drivers(life),
    capture: captures.port(),
    shelf,
    signal,
    onCommit: (_before, after) => {
      for (const recording of Object.values(after.recordings)) {
        if (isTerminal(recording.state)) recordings.set(recording.id, recording);
      }
    },
    onCrash: () => {},
    onBug: (error) => bugs.push(error),
  });
  lives.start();
  return { recordings, bugs };
}

/** Requests under way: virtual time waits for them, since a server works in turns of the real loop. */
export class Requests {
  readonly #open = new Set<Promise<unknown>>();

  async during<T>(work: Promise<T>): Promise<T> {
    this.#open.add(work);
    try {
      return await work;
    } finally {
      this.#open.delete(work);
    }
  }

  async settled(): Promise<void> {
    await promiseJobsDone();
    while (this.#open.size > 0) {
      await Promise.allSettled(this.#open);
      await promiseJobsDone();
    }
  }
}
