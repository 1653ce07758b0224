import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { publish } from "../../../src/kit/net/mqtt.ts";

/** A packet of a broker with a text of 200 MB (MQTT 3.1.1 §2.2.3: the length in seven bits a byte, the lowest first). */
const LENGTH = 200_000_000;
const HEAD = Buffer.from([
  0x30,
  ...[0, 7, 14, 21].map((shift) => ((LENGTH >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0)),
]);
const CONNACK = Buffer.from([0x20, 2, 0, 0]);

it("a broker that never ends a packet is left, before the packet takes memory", async () => {
  let sent = 0;
  const serve = async (socket: Socket) => {
    socket.on("error", () => {});
    await once(socket, "data");
    socket.write(Buffer.concat([CONNACK, HEAD]));
    while (!socket.destroyed && sent < LENGTH) {
      sent += 64 * 1024;
      if (!socket.write(Buffer.alloc(64 * 1024)))
        await Promise.race([once(socket, "drain"), once(socket, "close")]);
    }
  };
  const server = createServer((socket) => void serve(socket).catch(() => {}));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const order = { url: `mqtt://127.0.0.1:${port}`, messages: [{ topic: "a", payload: "b", retain: false }] };
  expect(await publish(order, new AbortController().signal)).toBe("closed");
  // The buffers of the system hold some of it.
  expect(sent).toBeLessThan(LENGTH / 4);
  server.close();
});
