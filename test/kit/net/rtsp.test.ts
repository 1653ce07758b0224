import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { connectRtsp } from "../../../src/kit/net/rtsp.ts";

const signal = new AbortController().signal;

describe("an RTSP connection", () => {
  it("that is reset between two requests is harmless, and the next request reports it at once", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.write("RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n"));
    });
    const accepted = once(server, "connection") as Promise<[Socket]>;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("it listens on a port");
    await using client = await connectRtsp({ host: "127.0.0.1", port: address.port }, signal);
    const [socket] = await accepted;
    const request = { method: "OPTIONS", url: "rtsp://127.0.0.1/" } as const;
    await expect(client.request(request, signal)).resolves.toMatchObject({ status: 200 });
    socket.resetAndDestroy();
    await once(socket, "close");
    // The error of the reset would end the process here if nobody listened for it.
    await new Promise((resolve) => setImmediate(resolve));
    await expect(client.request(request, signal)).rejects.toThrow(/connection was closed|ECONNRESET|EPIPE/);
    server.close();
  });
});
