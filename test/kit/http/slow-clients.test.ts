import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { createWebServer, type WebRoute, type WebServer } from "../../../src/kit/http/web-server.ts";
import { selfSigned } from "../../../src/kit/net/self-signed.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { inLong } from "../../lane.ts";

const LONG_BYTES = 8 * 1024 * 1024;
const GREEDY = "127.0.0.2";
const HONEST = "127.0.0.9";

let server: WebServer;
let port: number;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server[Symbol.asyncDispose]();
});

async function serve(routes: readonly WebRoute[], more: object = {}): Promise<void> {
  server = createWebServer({
    routes,
    refuse: (_request, { kind }) => ({ status: 429, body: kind }),
    bodyBytesMax: 100,
    clock: systemClock(),
    ...more,
  });
  ({ port } = await server.listen({ host: "127.0.0.1", port: 0 }));
}

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

/** A connection that sends requests and reads nothing. */
async function ask(request: string, from = GREEDY): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  socket.pause();
  socket.write(request);
  return socket;
}

async function read(path: string, more = ""): Promise<string> {
  const socket = await ask(get(path, `${more}Connection: close\r\n`), HONEST);
  return await text(socket);
}

it("a connection that begins a TLS handshake and does not end it is closed as a slow request is", async () => {
  const { key, certificate } = selfSigned("localhost");
  await serve([], { tls: { key: Buffer.from(key), cert: Buffer.from(certificate) }, requestMs: 200 });
  const socket = await ask("");
  socket.resume();
  await once(socket, "close");
});

it("a handshake that does not end does not keep the server from ending", async () => {
  const { key, certificate } = selfSigned("localhost");
  await serve([], { tls: { key: Buffer.from(key), cert: Buffer.from(certificate) }, requestMs: 3_600_000 });
  const socket = await ask("");
  socket.resume();
  const closed = once(socket, "close");
  await server[Symbol.asyncDispose]();
  await closed;
});

it("a connection that sends request after request, and reads no answer, is closed", async () => {
  let begun = 0;
  const never = new Promise<never>(() => {});
  await serve([
    {
      method: "GET",
      path: "/",
      handle: () => {
        begun += 1;
        return never;
      },
    },
  ]);
  const socket = await ask(get("/").repeat(500));
  socket.resume();
  await once(socket, "close");
  expect(begun).toBeLessThan(20);
});

inLong(
  "long answers that nobody reads are given up, oldest first, and another address gets a whole one",
  async () => {
    await serve([
      {
        method: "GET",
        path: "/",
        handle: async () => ({ status: 200, body: Buffer.alloc(LONG_BYTES, "x") }),
      },
    ]);
    const closed: number[] = [];
    for (let index = 0; index < 40; index += 1) {
      const socket = await ask(get("/", "Connection: close\r\n"));
      // Only a socket that reads learns of its end.
      await once(socket, "readable");
      socket.once("close", () => closed.push(index));
    }
    expect((await read("/")).length).toBeGreaterThan(LONG_BYTES);
    for (const socket of sockets) socket.resume();
    await expect.poll(() => closed.length).toBe(40);
    const cut = sockets.filter((socket) => socket.bytesRead < LONG_BYTES).length;
    expect(cut).toBeGreaterThanOrEqual(40 - 16);
    expect(cut).toBeLessThanOrEqual(40 - 12);
  },
);

inLong("a body that many answers share needs its memory once", async () => {
  const body = Buffer.alloc(LONG_BYTES, "x");
  await serve([{ method: "GET", path: "/", handle: async () => ({ status: 200, body }) }]);
  for (let index = 0; index < 30; index += 1)
    await once(await ask(get("/", "Connection: close\r\n")), "readable");
  const lengths = await Promise.all(sockets.map(async (socket) => (await text(socket)).length));
  expect(Math.min(...lengths)).toBeGreaterThan(LONG_BYTES);
});

it("one payer has two long answers at once, and the other payers do not wait for them", async () => {
  const running = new Map<string, number>();
  await serve([
    {
      method: "GET",
      path: "/",
      longFor: async ({ headers }) => String(headers["x-payer"]),
      handle: async ({ headers }) => {
        const payer = String(headers["x-payer"]);
        running.set(payer, (running.get(payer) ?? 0) + 1);
        return { status: 200, body: Buffer.alloc(LONG_BYTES, "x") };
      },
    },
  ]);
  const greedy = get("/", "X-Payer: greedy\r\n");
  for (let index = 0; index < 20; index += 1) await ask(greedy);
  expect((await read("/", "X-Payer: honest\r\n")).length).toBeGreaterThan(LONG_BYTES);
  expect(running.get("greedy")).toBe(2);
  // A client that reads, or leaves, makes room for the next one.
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await read("/", "X-Payer: greedy\r\n")).length).toBeGreaterThan(LONG_BYTES);
});

it("of one payer, a limited number waits for a long answer, and a further one is refused", async () => {
  let asked = 0;
  await serve([
    {
      method: "GET",
      path: "/",
      longFor: async () => {
        asked += 1;
        return "all";
      },
      handle: async () => ({ status: 200, body: Buffer.alloc(LONG_BYTES, "x") }),
    },
  ]);
  const waiting = 52;
  for (let index = 0; index < waiting; index += 1) await ask(get("/"));
  await expect.poll(() => asked).toBe(waiting);
  expect((await read("/")).split("\r\n\r\n")[1]).toBe("too-many");
});
