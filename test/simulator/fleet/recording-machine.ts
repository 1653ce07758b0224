import { RecorderdError } from "../../../src/model/errors.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";
import { offerOf } from "../../../src/recorder/fleet/offer.ts";
import type { NodePorts, PortEvents } from "../../../src/recorder/fleet/ports.ts";
import type { NodeProcess } from "../../../src/simulator/fleet/node-process.ts";
import type { Chance } from "../../../src/simulator/weeks/chance.ts";

const TUNERS = ["a", "b"] as const;

/** The tuners and captures of a machine. Captures outlive the daemon that has started them. */
export class RecordingMachine {
  readonly captures = new Set<string>();
  /** Tuner sessions of the daemon that runs. */
  sessions = 0;
  /** Called before a tuner is opened. */
  onOpen: () => void = () => {};

  losePower(): void {
    this.captures.clear();
    this.sessions = 0;
  }

  /** For a new run of the daemon. */
  ports(process: NodeProcess, chance: Chance, { onEnded }: PortEvents): NodePorts {
    const { clock } = process;
    this.sessions = 0;
    const never = new AbortController().signal;
    const works = (longestMs: number) => clock.sleep(chance.int(1, longestMs), never);
    const drivers = new Map(TUNERS.map((id) => [id as string, this.#driver(id, { process, works, chance })]));
    return {
      driver: (id) => drivers.get(id),
      offers: () => [...drivers.values()].map(({ facts }) => offerOf(facts, undefined)),
      segmentFile: (id) => `${id}.part`,
      start: async ({ id }) => {
        await works(chance.percent(25) ? 6000 : 200);
        if (chance.percent(20)) throw new RecorderdError("CAPTURE_NOT_STARTED", "no room");
        this.captures.add(id);
      },
      end: async (id) => {
        await works(500);
        this.captures.delete(id);
        onEnded(id);
      },
      isRunning: async (id) => this.captures.has(id),
      running: async () => new Set(this.captures),
      makeReady: async () => {},
      keepNote: async () => {},
      async [Symbol.asyncDispose]() {},
    };
  }

  #driver(
    id: string,
    {
      process,
      works,
      chance,
    }: {
      readonly process: NodeProcess;
      readonly works: (longestMs: number) => Promise<void>;
      readonly chance: Chance;
    },
  ): TunerDriver {
    const facts: TunerFacts = {
      ...{ id, kind: "simulated", services: "any", warmUpMs: 0 },
      servicesAtOnce: () => Number.POSITIVE_INFINITY,
    };
    return {
      facts,
      open: async (_service, signal) => {
        this.onOpen();
        await works(chance.percent(10) ? 4000 : 300);
        if (chance.percent(50)) signal.throwIfAborted();
        this.sessions += 1;
        let isOver = false;
        return {
          source: { url: "http://127.0.0.1:1/", programme: "single" },
          [Symbol.asyncDispose]: async () => {
            if (!isOver && !process.isDead) this.sessions -= 1;
            isOver = true;
          },
        };
      },
      async [Symbol.asyncDispose]() {},
    };
  }
}
