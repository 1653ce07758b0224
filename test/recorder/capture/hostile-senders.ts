// Sources as bad as can be, in a process of their own: what they send must not take the time of those who send well. The first argument
// says which UDP and RTP senders run, to which ports: a JSON object of ports by kind. Says on which port it serves the others over HTTP.
import { createSocket } from "node:dgram";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join, PidWriter, packet, pat, payload, pmt, section, unit } from "../../kit/ts-builder.ts";
import { rtpPacket } from "./rtsp.ts";

const SERVICE = { onid: 4112, tsid: 545, sid: 1056 };
const OK = "HTTP/1.1 200 OK\r\n";
const STREAM = `${OK}Content-Type: video/mp2t\r\n\r\n`;
const CHUNKS = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** A second and more of a service, with a packet of each other PID. */
function allPids(): Buffer {
  const video = new PidWriter(0x100);
  const tables = [
    ...new PidWriter(0).sections(pat(SERVICE.tsid, { programmes: [[SERVICE.sid, 0x1000]] })),
    ...new PidWriter(0x1000).sections(
      pmt({ sid: SERVICE.sid, pcrPid: 0x100, streams: [{ type: 2, pid: 0x100 }] }),
    ),
  ];
  const taken = new Set([0, 0x100, 0x1000, 0x1fff]);
  const others = Array.from({ length: 8191 }, (_, pid) => pid).filter((pid) => !taken.has(pid));
  const picture = Array.from({ length: 64 }, (_, index) =>
    video.next({ starts: index % 16 === 0, payload: (index % 16 === 0 ? unit : payload)(index) }),
  );
  return Buffer.from(
    join([...tables, ...picture, ...others.map((pid) => packet({ pid, payload: payload(pid) }))]),
  );
}

/** The beginnings of sections of 4096 bytes, which never end, on the PIDs of tables. */
function unterminated(): Buffer {
  const starts = [0, 0x10, 0x11, 0x12, 0x1000].flatMap((pid) => {
    const writer = new PidWriter(pid);
    const begun = new Uint8Array(184).fill(0x42);
    begun.set([0, pid === 0 ? 0x00 : 0x42, 0xbf, 0xfd]);
    return Array.from({ length: 20 }, (_, index) => writer.next({ starts: index % 4 === 0, payload: begun }));
  });
  return Buffer.from(join(starts));
}

/** Another PAT and another PMT with every packet. */
function changing(): Buffer {
  const [patWriter, pmtWriter] = [new PidWriter(0), new PidWriter(0x1000)];
  const packets = Array.from({ length: 320 }, (_, turn) => [
    ...patWriter.sections(
      pat(SERVICE.tsid, { programmes: [[SERVICE.sid, 0x1000 + (turn % 7)]], version: turn % 32 }),
    ),
    ...pmtWriter.sections(
      pmt({ sid: SERVICE.sid, pcrPid: 0x100 + turn, streams: [{ type: 2, pid: 0x100 + turn }] }),
    ),
  ]);
  return Buffer.from(join(packets.flat()));
}

/** Event tables of the greatest size, each of another service. */
function giantEvents(): Buffer {
  const writer = new PidWriter(0x12);
  const events = Array.from({ length: 300 }, () => [0, 1, 0xea, 0x60, 0x12, 0, 0, 0, 0x10, 0, 0, 0]).flat();
  const sections = Array.from({ length: 64 }, (_, index) =>
    section({ tableId: 0x4e, extension: index * 97, body: [2, 0x21, 0x10, 0x10, 1, 0x4e, ...events] }),
  );
  return Buffer.from(join(writer.sections(...sections)));
}

/** The stream of a path: a beginning, then a piece in a loop, as fast as the reader takes it or at an interval. */
interface Act {
  readonly begin?: string;
  readonly piece: string | Buffer;
  readonly everyMs?: number;
}

const ACTS: Readonly<Record<string, () => Act>> = {
  preliminary: () => ({ piece: "HTTP/1.1 100 Continue\r\n\r\n".repeat(2600) }),
  "slow-header": () => ({ begin: OK, piece: "x", everyMs: 100 }),
  "endless-header": () => ({ begin: OK, piece: "X: y\r\n".repeat(10_000) }),
  "endless-field": () => ({ begin: `${OK}X: `, piece: "y".repeat(60_000) }),
  redirects: () => ({ piece: "HTTP/1.1 302 Found\r\nLocation: /redirects\r\n\r\n", everyMs: 1000 }),
  "chunk-extensions": () => ({ begin: CHUNKS, piece: `1;${"e".repeat(1000)}\r\nG\r\n`.repeat(60) }),
  "tiny-chunks": () => ({ begin: CHUNKS, piece: "1\r\nG\r\n".repeat(10_000) }),
  "endless-chunk-line": () => ({ begin: `${CHUNKS}1;`, piece: "e".repeat(60_000) }),
  zeros: () => ({ begin: STREAM, piece: Buffer.alloc(1024 * 1024) }),
  "null-packets": () => ({
    begin: STREAM,
    piece: Buffer.from(
      join(Array.from({ length: 5000 }, () => packet({ pid: 0x1fff, payload: payload(1) }))),
    ),
  }),
  "slow-body": () => ({ begin: STREAM, piece: "G", everyMs: 500 }),
  "all-pids": () => ({ begin: STREAM, piece: allPids(), everyMs: 300 }),
  "all-pids-flood": () => ({ begin: STREAM, piece: allPids() }),
  unterminated: () => ({ begin: STREAM, piece: unterminated(), everyMs: 20 }),
  "unterminated-flood": () => ({ begin: STREAM, piece: unterminated() }),
  "changing-tables": () => ({ begin: STREAM, piece: changing() }),
  "giant-events": () => ({ begin: STREAM, piece: giantEvents() }),
};

function perform(socket: Socket, { begin = "", piece, everyMs }: Act): void {
  const go = () => {
    if (socket.destroyed) return;
    if (everyMs === undefined) socket.write(piece, () => setImmediate(go));
    else if (socket.writableLength === 0) socket.write(piece);
  };
  socket.write(begin);
  if (everyMs === undefined) return go();
  const timer = setInterval(go, everyMs);
  socket.on("close", () => clearInterval(timer));
  go();
}

const acts = new Map(Object.entries(ACTS).map(([name, make]) => [name, make()]));
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (head) => {
    const act = acts.get(/^GET \/([a-z-]*)/.exec(head.toString("latin1"))?.[1] ?? "");
    if (act === undefined) socket.destroy();
    else perform(socket, act);
  });
}).listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

/** The datagram of a turn. */
const DATAGRAMS: Readonly<Record<string, (turn: number) => Buffer>> = {
  udp: (turn) => Buffer.alloc(1316, turn & 0xff),
  "udp-tiny": () => Buffer.alloc(1, 0x47),
  "udp-tables": (turn) => UNTERMINATED.subarray((turn % 14) * 1316, ((turn % 14) + 1) * 1316),
  rtp: (turn) => rtpPacket(NULLS, turn),
  "rtp-leaps": (turn) => rtpPacket(NULLS, (turn >> 1) * 10_000 + (turn % 2) * 4000),
  "rtp-holes": (turn) => rtpPacket(NULLS, turn * 60),
};
const UNTERMINATED = unterminated();
const NULLS = join(Array.from({ length: 7 }, () => packet({ pid: 0x1fff, payload: payload(1) })));
const BURST = 100;
const BURST_MS = 4;

const ports = Object.entries(JSON.parse(process.argv[2] ?? "{}") as Readonly<Record<string, number>>);
for (const [name, port] of ports) {
  const kind = name.replace(/-\d+$/, "");
  const sender = createSocket("udp4");
  sender.on("error", () => {});
  let turn = 0;
  setInterval(() => {
    for (let sent = 0; sent < BURST; sent += 1) {
      sender.send(DATAGRAMS[kind]?.(turn) ?? Buffer.alloc(0), port, "127.0.0.1", () => {});
      turn += 1;
    }
  }, BURST_MS);
}
// The process that started this one is gone.
process.stdin.on("end", () => process.exit()).resume();
