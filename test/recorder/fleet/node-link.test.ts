import { once } from "node:events";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { promiseJobsDone } from "../../../src/kit/time/promises.ts";
import { NODE_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import { NodeLink } from "../../../src/recorder/fleet/node-link.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

/** A connection to a node that says nothing: its machine has lost its power, or its daemon is paused. */
class SilentConnection extends Duplex {
  override _read(): void {}

  override _write(_bytes: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

const clock = createVirtualClock(0, promiseJobsDone);
const connections: SilentConnection[] = [];

function openLink(): NodeLink {
  return NodeLink.open(
    { node: "n", name: "attic", address: "192.0.2.1:1", certificate: "" },
    {
      ...{ clock, log: silentLog, onOffers: () => {}, onEnded: () => {} },
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
