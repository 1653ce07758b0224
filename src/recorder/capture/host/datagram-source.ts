import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import { systemCode } from "../../../kit/machine/system-code.ts";
import { isMulticast } from "../../../kit/net/address-scope.ts";
import { hostOf } from "../../../kit/net/host-of.ts";
import type { Source } from "../../../model/ports.ts";
import { RECEIVE_BUFFER_BYTES } from "../ffmpeg-arguments.ts";
import type { Complaint } from "../log-text.ts";
import { FollowedSender } from "./followed-sender.ts";
import { HOST_LIMITS } from "./limits.ts";
import { framingOf, isRtcp, RtpOrder, rtpSourceOf } from "./rtp-order.ts";
import { endAfter, type Feed, type OpenSource, type SourceEnd, type SourceParts } from "./source.ts";

const COMPLAINTS: Readonly<Record<string, Complaint>> = {
  EADDRINUSE: "TUNER_IN_USE",
  EACCES: "TUNER_FORBIDDEN",
};

const FLOOD = `more than ${(8 * HOST_LIMITS.sourceBytesPerSecond) / 1e6} Mbit/s, or too many small datagrams`;

/**
 * Reads a udp or rtp address: a port of this machine, or a multicast group (`udp://@239.0.0.1:5004`). The option `localaddr` names
 * the interface, and `sources` the only accepted senders. Senders cannot be paused: a flood ends the source.
 */
export function openDatagrams(
  { url }: Pick<Source, "url">,
  feed: Feed,
  { share, nowMs }: SourceParts,
): OpenSource {
  const { protocol, port, searchParams } = new URL(url);
  const group = hostOf(url);
  const isV6 = isIPv6(group);
  const isGroup = isMulticast(group);
  const local = searchParams.get("localaddr") ?? undefined;
  const senders = (searchParams.get("sources") ?? "").split(",").filter((each) => each !== "");
  const named = protocol === "rtp:" ? "rtp" : "packets";
  let framing: ReturnType<typeof framingOf>;
  let order: RtpOrder | undefined;
  const sender = new FollowedSender();
  const socket = createSocket({
    type: isV6 ? "udp6" : "udp4",
    // Multicast groups may have other readers; a unicast port has only one.
    reuseAddr: isGroup || searchParams.get("reuse") === "1",
    recvBufferSize: RECEIVE_BUFFER_BYTES,
  });
  let isOver = false;

  socket.on("message", (datagram, { address }) => {
    const beganMs = nowMs();
    const own = framingOf(datagram);
    framing ??= own;
    if (framing === undefined && isRtcp(datagram)) return;
    const source = own === "rtp" ? rtpSourceOf(datagram) : undefined;
    try {
      // A datagram without packets shows no sender to follow.
      if (own === undefined || sender.takes({ address, source }, beganMs)) hand(datagram, beganMs);
    } catch (error) {
      finish(endAfter(error));
    }
    const cost = datagram.length + HOST_LIMITS.datagramExtraBytes;
    share.spend(cost, nowMs() - beganMs);
    if (share.isUsedUp) finish({ complaint: "STREAM_EXCESSIVE", words: `port ${port} received ${FLOOD}` });
  });
  socket.on("error", (error) => {
    const system = systemCode(error);
    const complaint = COMPLAINTS[system] ?? "TUNER_UNREACHABLE";
    finish({ complaint, words: `port ${port} cannot be read (${system})` });
  });
  socket.bind(
    {
      port: Number(port),
      ...(isGroup ? { address: group } : local === undefined ? {} : { address: local }),
    },
    () => {
      if (isGroup) join();
    },
  );

  function hand(datagram: Buffer, atMs: number): void {
    if ((framing ?? named) === "packets") return feed.bytes(datagram, 0, datagram.length);
    order ??= new RtpOrder((bytes, from, to) => feed.bytes(bytes, from, to));
    order.packet(datagram, atMs);
  }

  function join(): void {
    try {
      if (senders.length === 0) socket.addMembership(group, local);
      for (const sender of senders) socket.addSourceSpecificMembership(sender, group, local);
    } catch (error) {
      const words = `group ${group} cannot be joined (${systemCode(error)})`;
      finish({ complaint: "TUNER_UNREACHABLE", words });
    }
  }

  function finish(end: SourceEnd): void {
    if (isOver) return;
    close();
    feed.ended(end);
  }

  function close(): void {
    if (isOver) return;
    isOver = true;
    share.leave();
    order?.end();
    socket.close();
  }

  return {
    // Senders cannot be paused.
    pause() {},
    resume() {},
    look: (now) => order?.look(now),
    isMissing: () => false,
    remarks() {
      const { lost = 0, early = 0, late = 0 } = order ?? {};
      const ofOrder = `${lost} RTP packets were lost, ${early} arrived early, ${late} late`;
      const ofOthers = `${sender.ignored} packets of other senders were left out`;
      const parts = [
        ...(lost + early + late > 0 ? [ofOrder] : []),
        ...(sender.ignored > 0 ? [ofOthers] : []),
      ];
      return parts.join("; ");
    },
    close,
  };
}
