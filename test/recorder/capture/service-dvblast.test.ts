import { type ChildProcess, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { NULL_PID, PACKET_BYTES, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { readerAt, waitingAt } from "../../datagrams.ts";
import { outOfPatience } from "../../patience.ts";
import { filtered, packetsOf, RAI, RAI_SIDS } from "./filtered.ts";

const DATAGRAM_BYTES = 7 * PACKET_BYTES;
/** So few lie in a socket's buffer at once that the smallest buffer of a kernel holds them. */
const DATAGRAMS_AT_ONCE = 20;
const PAUSE_MS = 10;
/** The last PID of the tables in EN 300 468 §5.1.3: dvblast generates those of a service itself, or leaves them out. */
const LAST_TABLE_PID = 0x1f;
const clock = systemClock();

/** Receives dvblast's output for one service. */
interface Output {
  readonly sid: number;
  readonly socket: Socket;
  readonly received: Buffer[];
}

/** Packets of streams: neither stuffing nor tables, nor the PMT. */
function streamsIn(stream: Uint8Array, pmtPid: number | undefined): Buffer {
  return packetsOf(stream, (pid) => pid > LAST_TABLE_PID && pid !== NULL_PID && pid !== pmtPid);
}

function pmtPidOf(stream: Uint8Array, sid: number): number | undefined {
  const inspector = new Inspector(undefined);
  inspector.push(stream);
  inspector.settle();
  return inspector.inspection().services.find((service) => service.sid === sid)?.pmtPid;
}

async function bound(): Promise<Socket> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  return socket;
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const patience = outOfPatience();
  while (!(await holds())) await clock.sleep(PAUSE_MS, patience);
}

describe("a service from a real multiplex and the same from dvblast", () => {
  const outputs: Output[] = [];
  let folder = "";
  let dvblast: ChildProcess | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recorderd-split-"));
    for (const sid of RAI_SIDS) {
      const received: Buffer[] = [];
      const socket = (await bound()).on("message", (datagram) => received.push(datagram));
      outputs.push({ sid, socket, received });
    }
    const sender = await bound();
    const free = await bound();
    const { port } = free.address();
    free.close();
    await once(free, "close");
    const config = join(folder, "outputs");
    const lines = outputs.map(({ sid, socket }) => `127.0.0.1:${socket.address().port}/udp\t1\t${sid}\n`);
    await writeFile(config, lines.join(""));
    const args = ["--config-file", config, "--any-type", "--ecm-passthrough"];
    dvblast = spawn("dvblast", [...args, "--rtp-input", `@127.0.0.1:${port}/udp`], { stdio: "ignore" });
    await readerAt(port);
    const ports = [port, ...outputs.map(({ socket }) => socket.address().port)];
    for (let at = 0; at < RAI.length; ) {
      for (let sent = 0; sent < DATAGRAMS_AT_ONCE && at < RAI.length; sent += 1) {
        sender.send(RAI.subarray(at, at + DATAGRAM_BYTES), port, "127.0.0.1");
        at += DATAGRAM_BYTES;
      }
      // Nothing is lost: the next ones go when dvblast has taken these, and its outputs are read.
      await clock.sleep(PAUSE_MS, outOfPatience());
      for (const each of ports) await until(async () => (await waitingAt(each)) === 0);
    }
    sender.close();
  }, 60_000);

  afterAll(async () => {
    if (dvblast?.exitCode === null) {
      const gone = once(dvblast, "exit");
      dvblast.kill("SIGKILL");
      await gone;
    }
    for (const { socket } of outputs) socket.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(RAI_SIDS)("%d has the same packets in every one of its streams, in the same order", async (sid) => {
    const ours = filtered(RAI, sid);
    const pmtPid = pmtPidOf(ours, sid);
    const expected = streamsIn(ours, pmtPid);
    const received = outputs.find((each) => each.sid === sid)?.received ?? [];
    const theirs = () => streamsIn(Buffer.concat(received), pmtPid);
    // The last of them are still on their way.
    await until(() => theirs().length >= expected.length).catch(() => {});
    const pids = (stream: Uint8Array) => {
      const found = new Set<number>();
      for (let at = 0; at < stream.length; at += PACKET_BYTES) found.add(pidAt(stream, at));
      return [...found].sort((a, b) => a - b);
    };
    expect(pids(theirs())).toEqual(pids(expected));
    expect(expected.length).toBeGreaterThan(PACKET_BYTES * 2000);
    expect(theirs().equals(expected)).toBe(true);
  });
});
