import type { Socket } from "node:dgram";
import { readFile } from "node:fs/promises";
import { systemClock } from "../src/kit/time/clock.ts";
import { outOfPatience } from "./patience.ts";

const LOOK_MS = 5;
const DATAGRAMS_AT_ONCE = 20;
/** With its datagrams at once, well below the smallest receive buffer of a kernel. */
const WAITING_MAX_BYTES = 64 * 1024;
const clock = systemClock();

/** Bytes that wait in the fullest socket that reads a UDP port; `undefined` if none does (proc(5): /proc/net/udp). */
export async function waitingAt(port: number): Promise<number | undefined> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const reader = new RegExp(`: [0-9A-F]{8}:${hex} \\S+ \\S+ [0-9A-F]+:([0-9A-F]+)`, "g");
  const queues = [...(await readFile("/proc/net/udp", "utf8")).matchAll(reader)];
  return queues.length === 0
    ? undefined
    : Math.max(...queues.map(([, bytes = "0"]) => Number.parseInt(bytes, 16)));
}

/** Resolves when a process reads the port. */
export async function readerAt(port: number): Promise<void> {
  const patience = outOfPatience();
  while ((await waitingAt(port)) === undefined) await clock.sleep(LOOK_MS, patience);
}

/** Resolves when readers of the port have taken most of what was sent. */
export async function roomAt(port: number): Promise<void> {
  const patience = outOfPatience();
  while (((await waitingAt(port)) ?? 0) > WAITING_MAX_BYTES) await clock.sleep(LOOK_MS, patience);
}

/** Sends datagrams so that none is lost, however slow the readers are. */
export async function sendAll(
  datagrams: Iterable<Uint8Array>,
  { socket, host, port }: { readonly socket: Socket; readonly host: string; readonly port: number },
): Promise<void> {
  let sent = 0;
  for (const each of datagrams) {
    if (sent % DATAGRAMS_AT_ONCE === 0) await roomAt(port);
    sent += 1;
    await new Promise<void>((resolve) => socket.send(each, port, host, () => resolve()));
  }
}
