import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, type Socket as Connection, createServer } from "node:net";
import { PACKET_BYTES } from "./loop.ts";
import type { Reader } from "./reader.ts";

/** Frequency of service 0 in MHz; the others follow at equal distances. */
export const FIRST_MHZ = 474;
export const STEP_MHZ = 8;
/** RFC 2250 §2, in what a network carries in one piece. */
const PACKETS_PER_DATAGRAM = 7;
const RTP_HEADER_BYTES = 12;
/** RFC 3551 §6: a transport stream. */
const RTP_TYPE = 33;
const SESSION_SECONDS = 60;

interface Session {
  readonly stream: number;
  readonly nth: number;
  readonly reader: Reader;
  readonly close: () => void;
  pids: ReadonlySet<number>;
  /** Takes the reader off the air. */
  leave?: () => void;
}

type Answer = readonly [status: string, headers: Readonly<Record<string, string>>, body?: string];

/**
 * The part of a SAT>IP 1.2 server that a recorder needs: any number of tuners, each service on a frequency of its own, RTP over
 * UDP, only the requested PIDs.
 *
 * @param join puts a reader of the nth service on the air, and gives what takes it off
 * @returns its port
 */
export async function serveSatip(join: (nth: number, reader: Reader) => () => void): Promise<number> {
  const sessions = new Map<string, Session>();
  let streams = 0;

  function setUp(url: string, transport: string): Answer {
    const port = Number(/client_port=(\d+)/.exec(transport)?.[1]);
    const nth = (Number(/[?&]freq=([\d.]+)/.exec(url)?.[1]) - FIRST_MHZ) / STEP_MHZ;
    if (!Number.isInteger(port) || !Number.isInteger(nth)) return ["400 Bad Request", {}];
    streams += 1;
    const id = String(streams);
    const { reader, close } = rtpTo(port, () => session.pids);
    const session: Session = { stream: streams, nth, reader, close, pids: pidsAfter(new Set(), url) };
    sessions.set(id, session);
    return [
      "200 OK",
      {
        Session: `${id};timeout=${SESSION_SECONDS}`,
        "com.ses.streamID": id,
        Transport: `RTP/AVP;unicast;destination=127.0.0.1;source=127.0.0.1;client_port=${port}-${port + 1};server_port=5000-5001`,
      },
    ];
  }

  function answer(method: string, url: string, headers: ReadonlyMap<string, string>): Answer {
    if (method === "OPTIONS") return ["200 OK", { Public: "OPTIONS, SETUP, DESCRIBE, PLAY, TEARDOWN" }];
    if (method === "SETUP" && !url.includes("/stream=")) return setUp(url, headers.get("transport") ?? "");
    const id = headers.get("session") ?? /\/stream=(\d+)/.exec(url)?.[1] ?? "";
    const session = sessions.get(id);
    if (session === undefined) return ["454 Session Not Found", {}];
    switch (method) {
      case "DESCRIBE":
        return ["200 OK", { Session: id, "Content-Type": "application/sdp" }, description(session)];
      case "SETUP":
      case "PLAY":
        session.pids = pidsAfter(session.pids, url);
        session.leave ??= join(session.nth, session.reader);
        return ["200 OK", { Session: id, "RTP-Info": `url=${url}` }];
      case "TEARDOWN":
        session.leave?.();
        session.close();
        sessions.delete(id);
        return ["200 OK", { Session: id }];
      default:
        return ["405 Method Not Allowed", {}];
    }
  }

  const server = createServer((connection) => serve(connection, answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function serve(
  connection: Connection,
  answer: (method: string, url: string, headers: ReadonlyMap<string, string>) => Answer,
): void {
  let text = "";
  connection.setEncoding("latin1").on("error", () => {});
  connection.on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
      const [first = "", ...lines] = text.slice(0, end).split("\r\n");
      text = text.slice(end + 4);
      const [method = "", url = ""] = first.split(" ");
      const headers = new Map(
        lines.map((line) => {
          const [name = "", value = ""] = line.split(/:\s*(.*)/s);
          return [name.toLowerCase(), value] as const;
        }),
      );
      const [status, own, body = ""] = answer(method, url, headers);
      const all = { CSeq: headers.get("cseq") ?? "0", ...own, "Content-Length": String(body.length) };
      const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      connection.write(`RTSP/1.0 ${status}\r\n${head.join("")}\r\n${body}`);
    }
  });
}

/** Full level, lock and quality (SAT>IP 1.2 §3.5.7). */
function description({ stream, nth, pids }: Session): string {
  const mhz = (FIRST_MHZ + nth * STEP_MHZ).toFixed(2);
  return [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=SatIPServer:1 0,0,64",
    "t=0 0",
    "m=video 0 RTP/AVP 33",
    "c=IN IP4 0.0.0.0",
    `a=control:stream=${stream}`,
    `a=fmtp:33 ver=1.1;tuner=${stream},255,1,15,${mhz},8,dvbt,8k,64qam,18,23,,,;pids=${[...pids].join(",")}`,
    "a=sendonly",
    "",
  ].join("\r\n");
}

function pidsAfter(now: ReadonlySet<number>, url: string): ReadonlySet<number> {
  const list = (name: string) =>
    (new RegExp(`[?&]${name}=([\\d,]+)`).exec(url)?.[1] ?? "").split(",").filter(Boolean).map(Number);
  const base = /[?&]pids=/.test(url) ? list("pids") : [...now];
  const fewer = new Set(list("delpids"));
  return new Set([...base, ...list("addpids")].filter((pid) => !fewer.has(pid)));
}

function rtpTo(
  port: number,
  pids: () => ReadonlySet<number>,
): { readonly reader: Reader; readonly close: () => void } {
  const socket = createSocket("udp4");
  let sequence = 0;
  let datagram = Buffer.alloc(RTP_HEADER_BYTES + PACKETS_PER_DATAGRAM * PACKET_BYTES);
  let filled = RTP_HEADER_BYTES;
  function flush(): void {
    datagram.writeUInt16BE((0x80 << 8) | RTP_TYPE, 0);
    datagram.writeUInt16BE(sequence & 0xffff, 2);
    datagram.writeUInt32BE(Math.floor(performance.now() * 90) >>> 0, 4);
    sequence += 1;
    socket.send(datagram, port, "127.0.0.1");
    datagram = Buffer.alloc(datagram.length);
    filled = RTP_HEADER_BYTES;
  }
  return {
    reader: {
      send(packets) {
        const wanted = pids();
        for (let at = 0; at < packets.length; at += PACKET_BYTES) {
          if (!wanted.has(packets.readUInt16BE(at + 1) & 0x1fff)) continue;
          filled += packets.copy(datagram, filled, at, at + PACKET_BYTES);
          if (filled === datagram.length) flush();
        }
      },
    },
    close: () => socket.close(),
  };
}
