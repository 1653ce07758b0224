import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { ControlState } from "../../../../src/recorder/subsystems/hdhomerun/control-state.ts";
import { EmulatedTuners } from "../../../../src/recorder/subsystems/hdhomerun/emulated-tuners.ts";
import { HDHOMERUN_LIMITS } from "../../../../src/recorder/subsystems/hdhomerun/limits.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";

const channel = { number: "5", channelId: "1", name: "Five", service: { onid: 1, tsid: 2, sid: 3 } };
const packets = Buffer.alloc(7 * 188, 0x47);

/** Two emulated tuners, whose streams have one datagram and no end. */
function device() {
  const clock = createVirtualClock(0);
  const streams: Readable[] = [];
  const live = async () => {
    const stream = new Readable({ read: () => {} });
    stream.push(packets);
    streams.push(stream);
    return stream;
  };
  const tuners = new EmulatedTuners({ count: () => 2, live, clock });
  const state = new ControlState({ tuners, lineup: () => [channel], clock });
  const set = async (
    name: string,
    value: string,
    client: { lockKey?: number; peer?: string; owner?: object } = {},
  ) => {
    const { lockKey = 0, peer = "127.0.0.1", owner = state } = client;
    return (await state.answer({ name, value, lockKey }, { peer, owner })).text;
  };
  const status = async (tuner: number) => {
    const request = { name: `/tuner${tuner}/status`, lockKey: 0 };
    return (await state.answer(request, { peer: "127.0.0.1", owner: state })).text;
  };
  return { clock, streams, tuners, state, set, status };
}

/** A socket that takes datagrams. */
async function openReceiver(): Promise<{ readonly target: string } & AsyncDisposable> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    target: `udp://127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: async () => {
      socket.close();
    },
  };
}

/** The requests of a real client, in their order, without repeated looks at the status. */
interface Exchange {
  readonly requests: readonly {
    readonly name: string;
    readonly value?: string;
    readonly lockKey?: number;
  }[];
}

it("the recorded requests of Tvheadend are all granted, and it sees a signal before it asks for the stream", async () => {
  const file = join(import.meta.dirname, "exchanges/tvheadend.json");
  const { requests } = JSON.parse(await readFile(file, "utf8")) as Exchange;
  const { state, tuners } = device();
  const client = { peer: "127.0.0.1", owner: {} };
  await using receiver = await openReceiver();
  const seen: string[] = [];
  for (const { name, value: recorded, lockKey = 0 } of requests) {
    const value = recorded?.replace(/^udp:.*/, receiver.target);
    const request = { name, lockKey, ...(value === undefined ? {} : { value }) };
    const { kind, text } = await state.answer(request, client);
    expect([name, kind]).toEqual([name, "value"]);
    if (value !== undefined) expect([name, text]).toEqual([name, value]);
    if (name === "/tuner0/status") seen.push(text);
  }
  // Tvheadend reads the part of the channel that is behind a colon.
  expect(seen).toEqual([
    expect.stringMatching(/^ch=\S+:\S+ lock=auto ss=100 /),
    expect.stringMatching(/ ss=100 /),
  ]);
  await expect.poll(() => tuners.useOf(0)).toBeUndefined();
});

it("the signal is gone when a recording takes the tuner, and stays when the client itself ends its stream", async () => {
  const { streams, tuners, set, status } = device();
  await using receiver = await openReceiver();
  const { target } = receiver;
  await set("/tuner0/vchannel", "5");
  await set("/tuner0/target", target);
  await set("/tuner0/target", "none");
  expect(await status(0)).toMatch(/ ss=100 /);
  expect(await set("/tuner0/target", target)).toBe(target);
  expect(streams).toHaveLength(2);
  streams[1]?.destroy();
  await expect.poll(() => status(0)).toMatch(/^ch=none lock=none ss=0 /);
  expect(tuners.useOf(0)).toBeUndefined();
});

it("a lock lasts while its holder uses it, and expires after a time without use", async () => {
  const { clock, set } = device();
  const other = { peer: "127.0.0.2" };
  const refused = "ERROR: resource locked by 127.0.0.1";
  await set("/tuner0/lockkey", "7");
  await clock.advance(HDHOMERUN_LIMITS.lockMs - 1);
  expect(await set("/tuner0/vchannel", "5", other)).toBe(refused);
  expect(await set("/tuner0/vchannel", "5", { lockKey: 7 })).toBe("5");
  await clock.advance(HDHOMERUN_LIMITS.lockMs - 1);
  expect(await set("/tuner0/vchannel", "5", other)).toBe(refused);
  await clock.advance(1);
  expect(await set("/tuner0/vchannel", "5", other)).toBe("5");
  // The change of another client does not renew it.
  expect(await set("/tuner0/vchannel", "none", other)).toBe("none");
});

it("a stream of datagrams ends with the connection that set it, and frees its tuner", async () => {
  const { state, streams, tuners, set } = device();
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const owner = {};
  await set("/tuner1/vchannel", "5");
  const target = `udp://127.0.0.1:${socket.address().port}`;
  const received = once(socket, "message");
  expect(await set("/tuner1/target", target, { owner })).toBe(target);
  expect((await received)[0]).toEqual(packets);
  expect([state.hasStream(owner), state.hasStream({})]).toEqual([true, false]);
  state.leave({});
  expect(streams[0]?.destroyed).toBe(false);
  state.leave(owner);
  await expect.poll(() => tuners.useOf(1)).toBeUndefined();
  await expect.poll(() => state.hasStream(owner)).toBe(false);
  socket.close();
});

it("a stream of datagrams ends when its receiver has disappeared", async () => {
  const { streams, tuners, set } = device();
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  await set("/tuner0/vchannel", "5");
  await set("/tuner0/target", `udp://127.0.0.1:${port}`);
  const feeding = setInterval(() => streams[0]?.push(packets), 20);
  await expect.poll(() => tuners.useOf(0)).toBeUndefined();
  clearInterval(feeding);
});

it("a stream ends after its duration, or when the emulation ends", async () => {
  const { clock, tuners } = device();
  const watching = { channel, viewer: "127.0.0.1" };
  const short = await tuners.open({ ...watching, seconds: 60 });
  const long = await tuners.open(watching);
  if (short.kind === "refused" || long.kind === "refused") throw new Error("refused");
  const ended = once(short.stream.resume(), "end");
  await clock.advance(60_000);
  await ended;
  await expect.poll(() => tuners.useOf(short.tuner)).toBeUndefined();
  expect(tuners.useOf(long.tuner)).toEqual(watching);
  const broken = once(long.stream, "close");
  tuners.end();
  await broken;
  expect(long.stream.readableEnded).toBe(false);
});
