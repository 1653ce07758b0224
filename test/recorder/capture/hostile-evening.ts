import { createSocket } from "node:dgram";
import { setMaxListeners } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/kit/log.ts";
import { findMarked } from "../../../src/kit/process/marked-process.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Capture, CaptureOrder } from "../../../src/model/ports.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { PACKET_BYTES, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { HOST_LIMITS } from "../../../src/recorder/capture/host/limits.ts";
import { RUNTIME_LIMITS } from "../../../src/recorder/engine/runtime/limits.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { readerAt, sendAll } from "../../datagrams.ts";
import { freeUdpPort } from "../../free-port.ts";
import { run, SHORT, until } from "./capture-contract.ts";
import { hostFolders } from "./host.ts";
import { startHostileSenders } from "./hostile.ts";
import { portionsOf, rtpPacket } from "./rtsp.ts";
import { portions, ServiceStream, startStation } from "./station.ts";

const clock = systemClock();
const never = new AbortController().signal;
const SERVICE: Triplet = { onid: 4112, tsid: 545, sid: 1056 };

/** Twenty-four over HTTP, two of them as multiplexes, and six over UDP and RTP. */
const OVER_HTTP = [
  ...["preliminary", "preliminary", "slow-header", "slow-header", "endless-header", "endless-field"],
  ...[
    "redirects",
    "chunk-extensions",
    "chunk-extensions",
    "tiny-chunks",
    "tiny-chunks",
    "endless-chunk-line",
  ],
  ...["zeros", "zeros", "null-packets", "slow-body", "all-pids", "all-pids-flood"],
  ...["unterminated", "unterminated-flood", "unterminated-flood", "giant-events"],
];
const MULTIPLEXES = ["changing-tables", "unterminated-flood"];
const DATAGRAMS = ["udp", "udp-tiny", "udp-tables", "rtp", "rtp-leaps", "rtp-holes"];

/** The result of one good source: its end, and whether all its packets are on disk. */
interface Good {
  readonly name: string;
  readonly cause: string;
  readonly isWhole: boolean;
}

export interface Evening {
  readonly good: readonly Good[];
  /** How the attempts at each hostile source ended. */
  readonly hostile: Readonly<Record<string, readonly string[]>>;
  /** Capture hosts that there were: their process ids. */
  readonly hosts: readonly number[];
  /** The most that the last of them held at any time. */
  readonly hostPeakMiB: number;
}

/** Thirty hostile sources, each tried again as soon as it ends, next to eight good ones of so many portions of 20 ms, in one host. */
export async function hostileEvening(ticks: number): Promise<Evening> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-hostile-"));
  await using places = hostFolders();
  const limits = { ...SHORT, stallMs: 20_000 };
  const capture = createCapture({
    ...{ owner: folder, limits, clock, log: silentLog, openInspection, ffmpegPath: "/nowhere/ffmpeg" },
    host: places.of(folder),
  });
  const ports = await portsOf(DATAGRAMS);
  const ending = new AbortController();
  setMaxListeners(RUNTIME_LIMITS.signalListeners, ending.signal);
  try {
    await using senders = await startHostileSenders(folder, ports);
    const attempts = attemptsOf(folder);
    const bad = [
      ...OVER_HTTP.map((path) => ({ name: path, url: senders.url(path), programme: "single" as const })),
      ...MULTIPLEXES.map((path) => ({ name: path, url: senders.url(path), programme: "multi" as const })),
      ...DATAGRAMS.map((name) => ({
        name,
        url: `${name.startsWith("rtp") ? "rtp" : "udp"}://127.0.0.1:${ports[name]}`,
        programme: "single" as const,
      })),
    ];
    const ends: Record<string, string[]> = {};
    const tries = bad.map(async ({ name, ...source }) => {
      while (!ending.signal.aborted) {
        const order = attempts(source);
        const { end } = await run(capture, order);
        const stopping = () => void capture.stop(order.id);
        ending.signal.addEventListener("abort", stopping);
        ends[name] = [...(ends[name] ?? []), (await end).cause];
        ending.signal.removeEventListener("abort", stopping);
        await rm(order.file, { force: true });
        await clock.sleep(1000, ending.signal).catch(() => {});
      }
    });
    const trying = Promise.all(tries);
    // It may fail long before it is waited for.
    trying.catch(() => {});
    const good = await goodOnes(capture, { attempts, ticks });
    const hosts = (await findMarked("RECORDERD_CAPTURE_HOST")).filter(({ mark }) => mark === folder);
    const hostPeakMiB = await peakOf(hosts.at(-1)?.pid ?? 0);
    ending.abort();
    await trying;
    return { good, hostile: ends, hosts: hosts.map(({ pid }) => pid), hostPeakMiB };
  } finally {
    ending.abort();
    for (const id of await capture.running()) await capture.stop(id);
    await rm(folder, { recursive: true, force: true });
  }
}

type Attempts = (source: CaptureOrder["source"]) => CaptureOrder;

function attemptsOf(folder: string): Attempts {
  let attempts = 0;
  return (source) => {
    attempts += 1;
    const id = `r${attempts}.1`;
    const endsBy = clock.now() + 3_600_000;
    return { id, source, service: SERVICE, file: segmentFile(folder, id), endsBy };
  };
}

async function portsOf(names: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const ports: Record<string, number> = {};
  for (const name of names) ports[name] = await freeUdpPort();
  return ports;
}

/** Five over HTTP, one as a multiplex, one over UDP, one over RTP; each ends when it has sent all. */
async function goodOnes(
  capture: Capture,
  { attempts, ticks }: { readonly attempts: Attempts; readonly ticks: number },
): Promise<readonly Good[]> {
  const paths = ["one", "two", "three", "four", "five", "multiplex"];
  await using station = await startStation(
    Object.fromEntries(
      paths.map((path) => [
        path,
        (response, air) => air.live(portions(new ServiceStream(SERVICE), ticks), () => response.end()),
      ]),
    ),
    { keeps: false },
  );
  const overHttp = paths.map(async (name) => {
    const programme = name === "multiplex" ? ("multi" as const) : ("single" as const);
    const order = attempts({ url: station.url(name), programme });
    const { cause } = await (await run(capture, order)).end;
    return { name, cause, isWhole: await isWhole(order.file, { ticks, withPat: programme === "single" }) };
  });
  const overDatagrams = ["udp", "rtp"].map(async (name) => {
    const port = await freeUdpPort();
    const order = attempts({ url: `${name}://127.0.0.1:${port}`, programme: "single" });
    const { end } = await run(capture, order);
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    await readerAt(port);
    const bytes = await sendService({ port, ticks: ticks / SLOWER, isRtp: name === "rtp" });
    // Lost packets never come: the capture then ends as stalled.
    await until(async () => isOver || (await stat(order.file)).size >= bytes);
    await capture.stop(order.id);
    const { cause } = await end;
    return { name, cause, isWhole: await isWhole(order.file, { ticks: ticks / SLOWER, withPat: true }) };
  });
  return await Promise.all([...overHttp, ...overDatagrams]);
}

/** Datagrams come at a third of the pace of the others: they cannot be sent again, and the machine may be slow. */
const SLOWER = 3;

/** @returns how many bytes of the stream were sent */
async function sendService({
  port,
  ticks,
  isRtp,
}: {
  readonly port: number;
  readonly ticks: number;
  readonly isRtp: boolean;
}): Promise<number> {
  const socket = createSocket("udp4");
  const stream = new ServiceStream(SERVICE);
  let sequence = 0;
  let bytes = 0;
  for (let tick = 0; tick < ticks; tick += 1) {
    const parts = [...portionsOf(stream.next())];
    const first = sequence;
    const sent = isRtp ? parts.map((part, index) => rtpPacket(part, first + index)) : parts;
    await sendAll(sent, { socket, host: "127.0.0.1", port });
    sequence += parts.length;
    for (const { length } of parts) bytes += length;
    await clock.sleep(20 * SLOWER, never);
  }
  socket.close();
  return bytes;
}

/** Whether a segment holds all packets of the stream in their order, and no other. */
async function isWhole(
  file: string,
  { ticks, withPat }: { readonly ticks: number; readonly withPat: boolean },
): Promise<boolean> {
  const stream = new ServiceStream(SERVICE);
  let expected = Buffer.alloc(0);
  let found = Buffer.alloc(0);
  let tick = 0;
  const kept = (bytes: Buffer) => (withPat ? bytes : withoutPat(bytes));
  for await (const chunk of createReadStream(file, { highWaterMark: 1000 * PACKET_BYTES })) {
    found = Buffer.concat([found, chunk as Buffer]);
    const whole = found.length - (found.length % PACKET_BYTES);
    const seen = kept(found.subarray(0, whole));
    found = found.subarray(whole);
    while (expected.length < seen.length && tick < ticks) {
      expected = Buffer.concat([expected, kept(stream.next())]);
      tick += 1;
    }
    if (!expected.subarray(0, seen.length).equals(seen)) return false;
    expected = expected.subarray(seen.length);
  }
  return tick === ticks && expected.length === 0 && found.length === 0;
}

function withoutPat(bytes: Buffer): Buffer {
  const packets = Array.from({ length: bytes.length / PACKET_BYTES }, (_, index) => index * PACKET_BYTES);
  return Buffer.concat(
    packets.filter((at) => pidAt(bytes, at) !== 0).map((at) => bytes.subarray(at, at + PACKET_BYTES)),
  );
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** The largest memory of the host with so many sources: its program, its JavaScript values, and data that waits for disks. */
export function hostMemoryLimitMiB(sources: number): number {
  const programMiB = 64;
  const waitingBytes = HOST_LIMITS.backlogsBytes + sources * HOST_LIMITS.backlogBytes;
  return programMiB + HOST_LIMITS.heapMiB + waitingBytes / 1024 / 1024;
}
