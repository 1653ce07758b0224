import { createSocket } from "node:dgram";
import { BlockList, isIPv6 } from "node:net";
import { systemCode } from "../../kit/system-code.ts";
import type { Source } from "../../ports.ts";
import type { Complaint } from "../log-text.ts";
import { RECEIVE_BUFFER_BYTES } from "../profiles.ts";
import { RtpOrder } from "./rtp-order.ts";
import type { Feed, OpenSource } from "./source.ts";

/** @see RFC 5771 (IPv4), RFC 4291 §2.7 (IPv6) */
const MULTICAST = new BlockList();
MULTICAST.addSubnet("224.0.0.0", 4, "ipv4");
MULTICAST.addSubnet("ff00::", 8, "ipv6");

const COMPLAINTS: Readonly<Record<string, Complaint>> = {
  EADDRINUSE: "TUNER_BUSY",
  EACCES: "TUNER_FORBIDDEN",
};

/**
 * Reads a udp or rtp address: a port of this machine, or a multicast group (`udp://@239.0.0.1:5004`). Of its options `localaddr` names
 * the interface and `sources` the only senders that are listened to.
 *
 * @param nowMs reads the monotonic clock
 */
export function openDatagrams({ url }: Pick<Source, "url">, feed: Feed, nowMs: () => number): OpenSource {
  const { protocol, hostname, port, searchParams } = new URL(url);
  const group = hostname.replace(/^\[|\]$/g, "");
  const isV6 = isIPv6(group);
  const isMulticast = MULTICAST.check(group, isV6 ? "ipv6" : "ipv4");
  const local = searchParams.get("localaddr") ?? undefined;
  const senders = (searchParams.get("sources") ?? "").split(",").filter((each) => each !== "");
  const order =
    protocol === "rtp:" ? new RtpOrder((bytes, from, to) => feed.bytes(bytes, from, to)) : undefined;
  const socket = createSocket({
    type: isV6 ? "udp6" : "udp4",
    // Others may read a group beside us; what is sent to this machine alone has one reader.
    reuseAddr: isMulticast || searchParams.get("reuse") === "1",
    recvBufferSize: RECEIVE_BUFFER_BYTES,
  });
  let isOver = false;

  socket.on("message", (datagram) => {
    if (order === undefined) feed.bytes(datagram, 0, datagram.length);
    else order.packet(datagram, nowMs());
  });
  socket.on("error", (error) => {
    const system = systemCode(error);
    finish(COMPLAINTS[system] ?? "TUNER_UNREACHABLE", `port ${port} cannot be read (${system})`);
  });
  socket.bind(
    {
      port: Number(port),
      ...(isMulticast ? { address: group } : local === undefined ? {} : { address: local }),
    },
    () => {
      if (isMulticast) join();
    },
  );

  function join(): void {
    try {
      if (senders.length === 0) socket.addMembership(group, local);
      for (const sender of senders) socket.addSourceSpecificMembership(sender, group, local);
    } catch (error) {
      finish("TUNER_UNREACHABLE", `group ${group} cannot be joined (${systemCode(error)})`);
    }
  }

  function finish(complaint: Complaint, words: string): void {
    if (isOver) return;
    close();
    feed.ended({ complaint, words });
  }

  function close(): void {
    if (isOver) return;
    isOver = true;
    order?.end();
    socket.close();
  }

  return {
    // Nobody can be asked to wait.
    pause() {},
    resume() {},
    look: (now) => order?.look(now),
    isMissing: () => false,
    remarks() {
      if (order === undefined || order.lost + order.late + order.early === 0) return "";
      return `of RTP ${order.lost} packets were lost, ${order.early} came early, ${order.late} late`;
    },
    close,
  };
}
