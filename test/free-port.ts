import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** A TCP port of loopback that is free now: for programs that cannot choose a free one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
}

/** The same of UDP. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  await once(socket, "close");
  return port;
}
