import { createSocket } from "node:dgram";

/** The next datagram at `udp://GROUP:PORT`, a multicast on the loopback interface. */
export async function readGroup(address: string): Promise<Uint8Array> {
  let first: Uint8Array = new Uint8Array(0);
  await readGroupUntil(address, (bytes) => {
    first = bytes;
    return true;
  });
  return first;
}

/** Reads datagrams until one is enough. */
export async function readGroupUntil(
  address: string,
  isEnough: (bytes: Uint8Array) => boolean,
): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = createSocket({ type: "udp4", reuseAddr: true }).bind(Number(port), hostname);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("listening", () => socket.addMembership(hostname, "127.0.0.1"));
      socket.on("message", (bytes) => {
        if (isEnough(bytes)) resolve();
      });
      socket.once("error", reject);
    });
  } finally {
    socket.close();
  }
}
