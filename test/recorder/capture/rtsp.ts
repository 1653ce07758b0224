import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { PACKET_BYTES } from "../../../src/mpeg-ts/packets.ts";

const PACKETS_AT_ONCE = 7;
const MP2T = 33;
/** 90 kHz. */
const TICKS_PER_PACKET = 42;

/** One RTP packet of a transport stream. @see RFC 3550 §5.1, RFC 2250 §2 */
export function rtpPacket(payload: Uint8Array, sequence: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(0x80, 0);
  header.writeUInt8(MP2T, 1);
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE((sequence * TICKS_PER_PACKET) >>> 0, 4);
  // Sync bytes where a reader of packets could stumble over them.
  header.writeUInt32BE(0x47474747, 8);
  return Buffer.concat([header, payload]);
}

/** The payloads of successive RTP packets. */
export function* portionsOf(bytes: Uint8Array): Generator<Uint8Array> {
  const length = PACKETS_AT_ONCE * PACKET_BYTES;
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/**
 * An RTSP server that plays `bytes` once to each client, RTP within the connection, at `paceMs` per 100 packets; with `account`
 * (`user:password`) to those who know it.
 */
export async function startRtsp(bytes: Uint8Array, paceMs: number, account?: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let request = "";
    let playing: NodeJS.Timeout | undefined;
    socket.on("close", () => clearInterval(playing));
    socket.on("data", (chunk) => {
      request += chunk.toString("latin1");
      for (let end = request.indexOf("\r\n\r\n"); end >= 0; end = request.indexOf("\r\n\r\n")) {
        const head = request.slice(0, end);
        request = request.slice(end + 4);
        const method = head.split(" ", 1)[0] ?? "";
        const number = /^CSeq: *(\d+)/im.exec(head)?.[1] ?? "0";
        const isKnown = account === undefined || head.includes(`Basic ${btoa(account)}`);
        if (!isKnown && method !== "OPTIONS") {
          socket.write(
            `RTSP/1.0 401 Unauthorized\r\nCSeq: ${number}\r\nWWW-Authenticate: Basic realm="s"\r\n\r\n`,
          );
          continue;
        }
        socket.write(answerTo(method, number));
        if (method === "PLAY") playing = play(socket, bytes, paceMs);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `rtsp://127.0.0.1:${port}/station`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function answerTo(method: string, sequence: string): string {
  const sdp =
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=station\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:video\r\n";
  const lines: Readonly<Record<string, readonly string[]>> = {
    OPTIONS: ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN", ""],
    DESCRIBE: ["Content-Type: application/sdp", `Content-Length: ${sdp.length}`, "", sdp],
    SETUP: ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1", "Session: 1", ""],
  };
  const rest = lines[method] ?? ["Session: 1", ""];
  return `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${rest.join("\r\n")}${method === "DESCRIBE" ? "" : "\r\n"}`;
}

function play(socket: Socket, bytes: Uint8Array, paceMs: number): NodeJS.Timeout {
  const payloads = portionsOf(bytes);
  let sequence = 0;
  const timer = setInterval(() => {
    for (let sent = 0; sent < PACKETS_AT_ONCE * 2; sent += 1) {
      const { value, done } = payloads.next();
      if (done === true) {
        clearInterval(timer);
        socket.end();
        return;
      }
      const packet = rtpPacket(value, sequence);
      // RFC 2326 §10.12: "$", channel, length.
      socket.write(Buffer.concat([Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff]), packet]));
      sequence += 1;
    }
  }, paceMs);
  return timer;
}
