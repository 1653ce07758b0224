import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { OWN_NUMBER } from "./own-number.ts";

/** Ports that the system gives to nobody by itself: its own (ip_local_port_range) begin at 32768. */
const [FIRST, COUNT] = [20_000, 12_000];
/** Each process begins elsewhere, so that two hardly ever ask for one port in the same moment. */
let asked = OWN_NUMBER;

/**
 * A TCP port of loopback that is free now: for programs that cannot choose a free one themselves. No outgoing connection takes it
 * before the program does.
 */
export function freePort(): Promise<number> {
  return firstFree(async (port) => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
  });
}

/** The same of UDP. */
export function freeUdpPort(): Promise<number> {
  return firstFree(async (port) => {
    const socket = createSocket("udp4").bind(port, "127.0.0.1");
    await once(socket, "listening");
    socket.close();
    await once(socket, "close");
  });
}

async function firstFree(tryOut: (port: number) => Promise<void>): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    asked += 1;
    const port = FIRST + (asked % COUNT);
    const isFree = await tryOut(port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
  }
  throw new Error(`no port is free from ${FIRST} to ${FIRST + COUNT - 1}`);
}
