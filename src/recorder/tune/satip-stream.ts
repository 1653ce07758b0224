import { createSocket, type Socket } from "node:dgram";
import { on, once } from "node:events";
import { hostOf } from "../../kit/net/host-of.ts";
import { connectRtsp, type RtspAnswer } from "../../kit/net/rtsp.ts";
import { PACKET_BYTES, SYNC } from "../../mpeg-ts/packets.ts";

/** A SAT>IP server's reaction to the request for a stream. */
export type SatipOutcome =
  | { readonly kind: "unreachable" }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "silent" }
  | { readonly kind: "flows"; readonly payload: Uint8Array };

const RTP_HEADER_BYTES = 12;
const RTP_VERSION = 2;
/** Room for two PATs with the maximum number of sections. */
const PAYLOAD_BYTES_MAX = 64 * 1024;

export interface SatipRequest {
  /** Aborted when the wait for packets ends. */
  readonly patience: AbortSignal;
  /** Whether the payload so far is enough; by default the first packet is. */
  readonly isEnough?: (payload: Uint8Array) => boolean;
}

/**
 * Requests a stream as a client does (SAT>IP 1.2 §3.5: SETUP, PLAY, TEARDOWN, over UDP), and waits for its first packets.
 *
 * @param url `satip://host:port/?…`
 */
export async function trySatip(
  url: string,
  { patience, isEnough = () => true }: SatipRequest,
  signal: AbortSignal,
): Promise<SatipOutcome> {
  const address = new URL(url.replace(/^satip:/, "http:"));
  const { hostname, port, search } = address;
  const server = { host: hostOf(address), port: Number(port || 554) };
  try {
    await using receiver = await openReceiver(server.host.includes(":") ? "udp6" : "udp4");
    await using client = await connectRtsp(server, signal);
    const base = `rtsp://${hostname}:${server.port}`;
    const transport = `RTP/AVP;unicast;client_port=${receiver.port}-${receiver.port + 1}`;
    const setup = await client.request(
      { method: "SETUP", url: `${base}/${search}`, headers: { Transport: transport } },
      signal,
    );
    if (setup.status !== 200) return { kind: "refused", status: setup.status };
    const stream = {
      url: `${base}/stream=${setup.headers["com.ses.streamid"] ?? ""}`,
      headers: { Session: sessionOf(setup) },
    };
    const first = receiver.begin(isEnough, AbortSignal.any([patience, signal]));
    const play = await client.request({ method: "PLAY", ...stream }, signal);
    const payload = play.status === 200 ? await first : undefined;
    await client.request({ method: "TEARDOWN", ...stream }, signal);
    if (play.status !== 200) return { kind: "refused", status: play.status };
    return payload === undefined ? { kind: "silent" } : { kind: "flows", payload };
  } catch {
    signal.throwIfAborted();
    return { kind: "unreachable" };
  }
}

/** Drops the timeout after the session id. */
function sessionOf({ headers }: RtspAnswer): string {
  return (headers["session"] ?? "").split(";")[0] ?? "";
}

async function begin(
  socket: Socket,
  isEnough: (payload: Uint8Array) => boolean,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  let payload: Uint8Array | undefined;
  try {
    for await (const [packet] of on(socket, "message", { signal }) as AsyncIterable<readonly [Buffer]>) {
      const packets = packetsIn(packet);
      if (packets === undefined) continue;
      payload = Buffer.concat([payload ?? Buffer.alloc(0), packets]);
      if (isEnough(payload) || payload.length > PAYLOAD_BYTES_MAX) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return payload;
}

/**
 * The whole packets in a datagram. minisatip sends none while it has no lock, and a stranger may send anything: a fragment would
 * hide the tables behind it.
 *
 * @see RFC 3550 §5.1, RFC 2250 §2
 */
function packetsIn(datagram: Buffer): Buffer | undefined {
  const packets = datagram.subarray(RTP_HEADER_BYTES);
  const isRtp = (datagram[0] ?? 0) >> 6 === RTP_VERSION;
  return isRtp && packets[0] === SYNC && packets.length % PACKET_BYTES === 0 ? packets : undefined;
}

interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** The payload of RTP packets from now on, until it is enough or the signal is aborted; `undefined` if none arrived. */
  begin(isEnough: (payload: Uint8Array) => boolean, signal: AbortSignal): Promise<Uint8Array | undefined>;
}

async function openReceiver(type: "udp4" | "udp6"): Promise<Receiver> {
  const socket: Socket = createSocket(type);
  socket.bind(0);
  await once(socket, "listening");
  return {
    port: socket.address().port,
    begin: (isEnough, signal) => begin(socket, isEnough, signal),
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}
