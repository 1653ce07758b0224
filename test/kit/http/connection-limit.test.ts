import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWebServer, type WebServer } from "../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";

let server: WebServer;
let port: number;
let held: Socket[] = [];

beforeEach(async () => {
  server = createWebServer({
    routes: [{ method: "GET", path: "/", handle: async () => ({ status: 200, body: "here" }) }],
    refuse: () => ({ status: 400 }),
    bodyBytesMax: 100,
    connectionsMax: 12,
    isProxy: (address) => address === "127.0.0.7",
    clock: systemClock(),
  });
  ({ port } = await server.listen({ host: "127.0.0.1", port: 0 }));
});
afterEach(async () => {
  for (const socket of held) socket.destroy();
  held = [];
  await server[Symbol.asyncDispose]();
});

/** Connections that never end their request; every one has its place, or none, once the answer to another request is there. */
async function hold(from: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    socket.on("error", () => {});
    held.push(socket);
    await once(socket, "connect");
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-");
  }
}

/** @returns the answer; empty if the connection was closed without one */
async function ask(from: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const answer = await text(socket).catch(() => "");
  return answer.split("\r\n\r\n")[1] ?? "";
}

it("answers a new visitor although a few addresses hold every connection", async () => {
  await hold("127.0.0.2", 6);
  await hold("127.0.0.3", 6);
  expect(await ask("127.0.0.9")).toBe("here");
  expect(await ask("127.0.0.9")).toBe("here");
});

it("closes a further connection of an address that has most", async () => {
  await hold("127.0.0.2", 12);
  expect(await ask("127.0.0.2")).toBe("");
  expect(await ask("127.0.0.9")).toBe("here");
});

it("takes no connection from a proxy, which carries many visitors", async () => {
  await hold("127.0.0.7", 11);
  await hold("127.0.0.2", 1);
  expect(await ask("127.0.0.9")).toBe("");
});
