import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { blockThread, type Clock, yieldToLoop } from "../../../kit/time/clock.ts";
import { LIMITS } from "../../../model/limits.ts";
import { type Copy, startCopy } from "./copy.ts";
import { type CopyOrder, type FromHost, onMessages, PROTOCOL, send, type ToHost } from "./protocol.ts";
import { Sources } from "./sources.ts";

/** Often enough that what came is on disk a tenth of a second later at the start, and that nobody sees it in the CPU time. */
const LOOK_MS = 50;
/**
 * Where all sources can wait, the thread is held up for so long between two looks: servers send many small pieces, and each would wake it.
 * An order that comes meanwhile waits too: so not where one is announced, which is to have its first byte on disk after a tenth of a second.
 */
const HOLD_MS = 100;

export interface HostServerParts {
  /** Where it listens. */
  readonly path: string;
  readonly version: string;
  readonly clock: Clock;
}

/**
 * The capture host: copies sources to files as it is asked over its socket, until it has had nothing to do for a while or the signal
 * is aborted.
 */
export async function serveCaptures(
  { path, version, clock }: HostServerParts,
  signal: AbortSignal,
): Promise<void> {
  const copies = new Map<string, Copy>();
  const sources = new Sources(() => clock.monotonicMs());
  const starting = new Set<string>();
  const daemons = new Set<Socket>();
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  let busyAtMs = clock.monotonicMs();
  let alertUntilMs = busyAtMs;

  const tell = (message: FromHost) => {
    for (const socket of daemons) send(socket, message);
  };

  async function start(order: CopyOrder): Promise<void> {
    const { id } = order;
    starting.add(id);
    try {
      const onEnded = () => {
        if (copies.get(id) !== copy) return;
        copies.delete(id);
        busyAtMs = clock.monotonicMs();
        tell({ type: "ended", id });
      };
      const copy = await startCopy(order, { sources, clock, onEnded });
      copies.set(id, copy);
    } finally {
      starting.delete(id);
    }
    tell({ type: "started", id });
  }

  async function obey(socket: Socket, message: ToHost): Promise<void> {
    if (message.type === "leave") return void leaving.abort();
    if (message.type === "alert") {
      alertUntilMs = clock.monotonicMs() + LIMITS.hostAlertMs;
      return;
    }
    const { request } = message;
    try {
      if (message.type === "start") await start(message.order);
      else await copies.get(message.id)?.stop("asked");
      send(socket, { type: "done", request });
    } catch (error) {
      const syscall = error instanceof Error && "syscall" in error ? String(error.syscall) : "";
      const text = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      send(socket, { type: "failed", request, code, syscall, message: text });
    }
  }

  function welcome(socket: Socket): void {
    daemons.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => daemons.delete(socket));
    onMessages<ToHost>(socket, (message) => void obey(socket, message));
    send(socket, { type: "hello", protocol: PROTOCOL, version, running: [...copies.keys()] });
  }

  // Left by a host that was killed: no other lives, or we would not have been started.
  await rm(path, { force: true });
  const server = createServer(welcome);
  await listening(server, path);
  await chmod(path, 0o600);
  while (!ending.aborted) {
    const nowMs = clock.monotonicMs();
    sources.look(nowMs);
    let canWait = copies.size > 0 && starting.size === 0 && nowMs >= alertUntilMs;
    for (const copy of copies.values()) canWait = copy.look(nowMs) && canWait;
    if (canWait) {
      blockThread(HOLD_MS);
      await yieldToLoop();
      continue;
    }
    await clock.sleep(LOOK_MS, ending).catch(() => {});
    const idleMs = clock.monotonicMs() - Math.max(busyAtMs, alertUntilMs);
    if (copies.size + starting.size === 0 && idleMs >= LIMITS.hostIdleMs) break;
  }
  server.close();
  await Promise.all([...copies.values()].map((copy) => copy.stop("told")));
  for (const socket of daemons) socket.end();
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}
