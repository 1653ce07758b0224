import { createSocket } from "node:dgram";

/** The next datagram at `udp://GROUP:PORT`, a multicast on the loopback interface. */
export async function readGroup(address: string): Promise<Uint8Array> {
  const { hostname, port } = new URL(address);
  const socket = createSocket({ type: "udp4", reuseAddr: true }).bind(Number(port), hostname);
  try {
    return await new Promise((resolve, reject) => {
      socket.once("listening", () => socket.addMembership(hostname, "127.0.0.1"));
      socket.once("message", resolve);
      socket.once("error", reject);
    });
  } finally {
    socket.close();
  }
}
