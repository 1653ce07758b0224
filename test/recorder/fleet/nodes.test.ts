import { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { promiseJobsDone } from "../../../src/kit/time/promises.ts";
import type { PlannedCapture } from "../../../src/model/planned-capture.ts";
import { NODE_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import {
  type FromNode,
  NODE_PROTOCOL,
  type PartRecording,
} from "../../../src/recorder/fleet/node-protocol.ts";
import { FleetNodes } from "../../../src/recorder/fleet/nodes.ts";
import type { TunerOffer } from "../../../src/recorder/fleet/offer.ts";
import { MemoryPart } from "../../../src/simulator/fleet/memory-part.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

const clock = createVirtualClock(0, promiseJobsDone);

/** A node that says hello, and notes its orders. */
class Node extends Duplex {
  readonly orders: { readonly type: string; readonly recordings?: readonly PartRecording[] }[] = [];

  constructor(tuners: readonly TunerOffer[]) {
    super();
    const hello: FromNode = { type: "hello", protocol: NODE_PROTOCOL, tuners, running: [], keepsPart: true };
    this.push(`${JSON.stringify(hello)}\n`);
    this.#live();
  }

  #live(): void {
    if (this.destroyed) return;
    this.push(`${JSON.stringify({ type: "alive" })}\n`);
    clock.after(NODE_LIMITS.aliveMs, () => this.#live());
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    for (const line of bytes.toString().trim().split("\n")) this.orders.push(JSON.parse(line));
    done();
  }

  /** The ids of the recordings in the parts that came. */
  get parts(): readonly (readonly string[])[] {
    return this.orders.flatMap(({ recordings }) =>
      recordings === undefined
        ? []
        : [recordings.map(({ recordingId, tunerId }) => `${recordingId} ${tunerId}`)],
    );
  }
}

function offer(id: string, share?: string): TunerOffer {
  return {
    ...{ id, kind: "simulated", services: "any", warmUpMs: 0, atOnce: {} },
    ...(share ? { share } : {}),
  };
}

function planned(recordingId: string, tunerId: string): PlannedCapture {
  const service = { onid: 1, tsid: 1, sid: 1 };
  const span = { start: 100_000, stop: 200_000 };
  return {
    recordingId,
    timerId: "1",
    service,
    channelName: "One",
    tunerId,
    attempt: 1,
    span,
    endsBy: 300_000,
  };
}

async function leader(nodes: Readonly<Record<string, Node>>) {
  const rows = Object.keys(nodes).map((name) => ({
    ...{ node: name, name, address: name, certificate: "", version: "1", drained: false, lives: true },
  }));
  const part = new MemoryPart();
  const opening = FleetNodes.open({
    ...{
      database: { place: "", query: async () => rows },
      self: { node: "me", name: "me" },
      part,
      clock,
      log: silentLog,
    },
    connect: async ({ name }) => ({ kind: "connected", socket: nodes[name] as Node }),
    onLaterTerm: () => {},
  });
  await clock.advanceTo(clock.now() + NODE_LIMITS.adoptMs);
  const opened = await opening;
  opened.arrange([], () => undefined);
  const pass = (ms: number) => clock.advanceTo(clock.now() + ms);
  return {
    ...{ part, pass },
    follow: (all: readonly PlannedCapture[]) =>
      opened.follow({
        ...{ onTuners() {}, planned: () => all },
        ...{ knows: () => true, claim: async () => new Set(), isReplaced: () => true, isClosed: () => false },
      }),
    async [Symbol.asyncDispose]() {
      const ending = opened[Symbol.asyncDispose]();
      await pass(2 * NODE_LIMITS.aliveMs);
      await ending;
    },
  };
}

it("a leader whose daemon still opens leaves the nodes the part that an earlier one has told them", async () => {
  const attic = new Node([offer("dvb0")]);
  await using here = await leader({ attic });
  await here.pass(2 * NODE_LIMITS.aliveMs);
  expect(attic.orders).toEqual([]);
  here.follow([planned("r1", "dvb0@attic")]);
  await here.pass(3 * NODE_LIMITS.aliveMs);
  expect(attic.parts).toEqual([["r1 dvb0"]]);
  expect(attic.orders.filter(({ type }) => type === "lead").length).toBeGreaterThan(0);
});

it("a tuner that several nodes reach is in the part of the first one", async () => {
  const attic = new Node([offer("dvb0"), offer("sat", "server")]);
  const cellar = new Node([offer("dvb0"), offer("sat", "server")]);
  await using here = await leader({ cellar, attic });
  here.follow([planned("r1", "sat"), planned("r2", "dvb0@cellar"), planned("r3", "dvb0@away")]);
  await here.pass(2 * NODE_LIMITS.aliveMs);
  expect(attic.parts).toEqual([["r1 sat"]]);
  expect(cellar.parts).toEqual([["r2 dvb0"]]);
  expect(here.part.current).toEqual([]);
});
