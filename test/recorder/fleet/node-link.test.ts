import { once } from "node:events";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { promiseJobsDone } from "../../../src/kit/time/promises.ts";
import { SECOND } from "../../../src/model/time.ts";
import { NODE_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import { NodeLink } from "../../../src/recorder/fleet/node-link.ts";
import { type FromNode, NODE_PROTOCOL } from "../../../src/recorder/fleet/node-protocol.ts";
import { nodeTuner } from "../../../src/recorder/fleet/node-tuner.ts";
import type { TunerOffer } from "../../../src/recorder/fleet/offer.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

/** A connection to a node that says only what the test says: its machine may have lost its power, or its daemon is paused. */
class SilentConnection extends Duplex {
  /** Types of the orders that came. */
  readonly orders: string[] = [];

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    for (const line of bytes.toString().trim().split("\n")) this.orders.push(JSON.parse(line).type);
    done();
  }

  /** @param message as a node sends it, or anything else */
  say(message: FromNode | unknown): void {
    this.push(`${JSON.stringify(message)}\n`);
  }
}

const clock = createVirtualClock(0, promiseJobsDone);
const connections: SilentConnection[] = [];

function openLink({ isReplaced = () => true }: { readonly isReplaced?: () => boolean } = {}): NodeLink {
  return NodeLink.open(
    { node: "n", name: "attic", address: "192.0.2.1:1", certificate: "" },
    {
      ...{ clock, log: silentLog, onOffers: () => {}, onLaterTerm: () => {}, onEnded: () => {} },
      ...{ isReplaced, knows: () => true, claim: async () => new Set<string>() },
      connect: async () => {
        const socket = new SilentConnection();
        connections.push(socket);
        return { kind: "connected", socket };
      },
    },
  );
}

afterEach(() => {
  for (const connection of connections.splice(0)) connection.destroy();
});

const HELLO = { type: "hello", protocol: NODE_PROTOCOL, tuners: [], running: [] };

it.each([
  null,
  [],
  "hello",
  { type: "other" },
  { ...HELLO, running: "r.1" },
  { ...HELLO, running: ["../r.1"] },
  { ...HELLO, tuners: [null] },
  { ...HELLO, tuners: [{ id: "dvb0", kind: "dvb", services: 7, warmUpMs: 0, atOnce: {} }] },
  { ...HELLO, held: { attempts: ["../../etc/passwd"], notes: {} } },
  { ...HELLO, held: { attempts: [], notes: { "../note": "" } } },
  { type: "ended", id: "/r.1" },
  { type: "failed", request: 1 },
])("a link ends with the message %j, and nothing else does", async (message) => {
  await using link = openLink();
  await promiseJobsDone();
  const [connection] = connections;
  const closed = once(connection as SilentConnection, "close");
  connection?.say(message);
  await closed;
  expect(link.isAlive).toBe(false);
});

describe("a link to a node that says nothing at the begin of a connection", () => {
  it("ends at once when the leader steps down", async () => {
    const link = openLink();
    await promiseJobsDone();
    const [connection] = connections;
    const closed = once(connection as SilentConnection, "close");
    await Promise.all([link[Symbol.asyncDispose](), closed]);
    expect(connections).toHaveLength(1);
  });

  it("connects again after the time in which a node shows that it lives", async () => {
    const link = openLink();
    await clock.advance(NODE_LIMITS.silentMs);
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([true]);
    await clock.advance(NODE_LIMITS.connectAgainMs);
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    await link[Symbol.asyncDispose]();
  });
});

describe("a tuner of a node that comes back with a capture from before it was lost", () => {
  const offer: TunerOffer = { id: "attic.dvb0", kind: "url", services: ["1/1/1"], atOnce: {}, warmUpMs: 0 };

  async function back() {
    const link = openLink();
    link.endAdoption();
    await promiseJobsDone();
    const [node] = connections as [SilentConnection];
    node.say({ type: "hello", protocol: NODE_PROTOCOL, tuners: [offer], running: ["r.1"] });
    await promiseJobsDone();
    const giveUp = new AbortController();
    const opening = nodeTuner(link, offer).open({ onid: 1, tsid: 1, sid: 1 }, giveUp.signal);
    await promiseJobsDone();
    return { link, node, giveUp, opening };
  }

  it("is opened only when that capture has ended", async () => {
    const { link, node, opening } = await back();
    expect(node.orders).toEqual(["stop"]);
    node.say({ type: "done", request: 1 });
    await promiseJobsDone();
    expect(node.orders).toEqual(["stop", "open"]);
    node.say({ type: "done", request: 3, result: { programme: "single" } });
    expect((await opening).source.programme).toBe("single");
    await link[Symbol.asyncDispose]();
  });

  it("ends that capture, unless it is opened, only when another writes in its place", async () => {
    let isReplaced = false;
    const link = openLink({ isReplaced: () => isReplaced });
    link.endAdoption();
    await promiseJobsDone();
    const [node] = connections as [SilentConnection];
    node.say({ type: "hello", protocol: NODE_PROTOCOL, tuners: [offer], running: ["r.1"] });
    await clock.advance(NODE_LIMITS.silentMs / 2);
    expect(node.orders).toEqual([]);
    isReplaced = true;
    await clock.advance(NODE_LIMITS.lookMs);
    expect(node.orders).toEqual(["stop"]);
    await link[Symbol.asyncDispose]();
  });

  it("ends that capture after a while, if no other comes", async () => {
    const link = openLink({ isReplaced: () => false });
    link.endAdoption();
    await promiseJobsDone();
    const [node] = connections as [SilentConnection];
    const hello = { type: "hello", protocol: NODE_PROTOCOL, tuners: [offer], running: ["r.1"] };
    node.say(hello);
    for (let waitedMs = 0; waitedMs < NODE_LIMITS.replaceMs + SECOND; waitedMs += SECOND) {
      node.say({ type: "alive" });
      await clock.advance(SECOND);
    }
    expect(node.orders).toEqual(["stop"]);
    await link[Symbol.asyncDispose]();
  });

  it("is opened although nothing ends that capture", async () => {
    const { link, node, opening } = await back();
    const failure = { code: "TUNER_UNREACHABLE", message: "It hangs.", facts: {} } as const;
    node.say({ type: "failed", request: 1, failure });
    await promiseJobsDone();
    expect(node.orders).toEqual(["stop", "stop"]);
    node.say({ type: "failed", request: 2, failure });
    await promiseJobsDone();
    expect(node.orders).toEqual(["stop", "stop", "open"]);
    node.say({ type: "done", request: 4, result: { programme: "single" } });
    await opening;
    await link[Symbol.asyncDispose]();
  });

  it("is given up with its signal meanwhile", async () => {
    const { link, node, giveUp, opening } = await back();
    giveUp.abort(new Error("enough"));
    await expect(opening).rejects.toThrow("enough");
    expect(node.orders).toEqual(["stop"]);
    await link[Symbol.asyncDispose]();
  });
});
