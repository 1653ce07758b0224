import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { RateLimiter } from "../../../kit/http/rate-limiter.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { SECOND } from "../../../model/time.ts";
import { asksFor, discoveryReply } from "./core/discovery.ts";
import { PROTOCOL_PORT } from "./core/packet.ts";
import { HDHOMERUN_LIMITS } from "./limits.ts";
import { isPrivate } from "./own-address.ts";

interface Parts {
  /** A loopback address, or 0.0.0.0: only this address receives broadcasts. */
  readonly host: string;
  readonly deviceId: string;
  readonly tunerCount: () => number;
  /** The address of the HTTP listener for a peer; `undefined` where the peer cannot reach it. */
  readonly baseUrl: (peer: string) => Promise<string | undefined>;
  readonly clock: Clock;
}

/**
 * Answers discovery requests. Every other datagram gets no answer, and neither does an address beyond the private networks or
 * beyond the limits.
 *
 * @throws RecorderdError ADDRESS_IN_USE
 */
export async function openDiscovery(parts: Parts): Promise<AsyncDisposable> {
  const { host, deviceId, clock } = parts;
  const socket = createSocket("udp4");
  const mayAnswer = answerLimits(clock);

  async function answer(datagram: Buffer, { address, port }: RemoteInfo): Promise<void> {
    if (!isPrivate(address) || !asksFor(deviceId, datagram) || !mayAnswer(address)) return;
    const baseUrl = await parts.baseUrl(address);
    if (baseUrl === undefined) return;
    const reply = discoveryReply({ deviceId, tunerCount: parts.tunerCount(), baseUrl });
    // A reply that cannot be sent is lost like any other datagram.
    if (isOpen) socket.send(reply, port, address, () => {});
  }

  let isOpen = true;
  socket.on("message", (datagram, from) => void answer(datagram, from));
  try {
    socket.bind({ port: PROTOCOL_PORT, address: host, exclusive: true });
    await once(socket, "listening");
  } catch (error) {
    socket.close();
    const system = systemCode(error);
    const text = `Cannot listen on ${host} UDP port ${PROTOCOL_PORT} (${system}): stop the program that listens there, or choose another address.`;
    throw new RecorderdError("ADDRESS_IN_USE", text, { host, port: PROTOCOL_PORT, system }, { cause: error });
  }
  // An error of one datagram, such as an ICMP answer, ends nothing.
  socket.on("error", () => {});
  return {
    [Symbol.asyncDispose]: async () => {
      isOpen = false;
      socket.close();
    },
  };
}

function answerLimits(clock: Clock): (address: string) => boolean {
  const { addresses: peersMax, datagramsAtOnce, datagramsPerSecond } = HDHOMERUN_LIMITS;
  const { allDatagramsAtOnce, allDatagramsPerSecond } = HDHOMERUN_LIMITS;
  const each = new RateLimiter({ atOnce: datagramsAtOnce, everyMs: SECOND / datagramsPerSecond, peersMax });
  const all = new RateLimiter({
    atOnce: allDatagramsAtOnce,
    everyMs: SECOND / allDatagramsPerSecond,
    peersMax: 1,
  });
  return (address) => {
    const now = clock.monotonicMs();
    if (each.waitMs(address, now) > 0 || all.waitMs("", now) > 0) return false;
    each.take(address, now);
    all.take("", now);
    return true;
  };
}
