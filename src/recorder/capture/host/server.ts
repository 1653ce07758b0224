import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { blockThread, type Clock, yieldToLoop } from "../../../kit/time/clock.ts";
import { type Copy, startCopy } from "./copy.ts";
import { HOST_LIMITS } from "./limits.ts";
import { type CopyOrder, type FromHost, onMessages, PROTOCOL, send, type ToHost } from "./protocol.ts";
import { Sources } from "./sources.ts";

/** Short enough that data is on disk a tenth of a second after a start; long enough to cost no noticeable CPU time. */
const LOOK_MS = 50;
/**
 * Pause of the thread while all sources can wait: servers send many small packets, and each would wake it. Orders wait too, so an
 * announced order prevents the pause: its first byte must be on disk within a tenth of a second.
 */
const HOLD_MS = 100;

export interface HostServerParts {
  /** Path of its socket. */
  readonly path: string;
  readonly version: string;
  readonly clock: Clock;
}

/**
 * The capture host: copies sources to files as ordered over its socket. It ends after a time without work, or when the signal is
 * aborted.
 */
export async function serveCaptures(
  { path, version, clock }: HostServerParts,
  signal: AbortSignal,
): Promise<void> {
  const copies = new Map<string, Copy>();
  /** The clients without whom a copy is of no use. */
  const owners = new Map<string, Socket>();
  const sources = new Sources(() => clock.monotonicMs());
  const starting = new Set<string>();
  const daemons = new Set<Socket>();
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  let busyAtMs = clock.monotonicMs();
  let alertUntilMs = busyAtMs;

  const broadcast = (message: FromHost) => {
    for (const socket of daemons) send(socket, message);
  };

  async function start(order: CopyOrder, socket: Socket): Promise<void> {
    const { id } = order;
    starting.add(id);
    try {
      const onEnded = () => {
        if (copies.get(id) !== copy) return;
        copies.delete(id);
        owners.delete(id);
        busyAtMs = clock.monotonicMs();
        broadcast({ type: "ended", id });
      };
      const copy = await startCopy(order, { sources, clock, onEnded });
      copies.set(id, copy);
      if (order.endsWithClient === true) own(socket, id);
    } finally {
      starting.delete(id);
    }
    broadcast({ type: "started", id });
  }

  async function carryOut(socket: Socket, message: ToHost): Promise<void> {
    if (message.type === "leave") return void leaving.abort();
    if (message.type === "alert") {
      alertUntilMs = clock.monotonicMs() + HOST_LIMITS.alertMs;
      return;
    }
    const { request } = message;
    try {
      if (message.type === "start") await start(message.order, socket);
      else await copies.get(message.id)?.stop("requested");
      send(socket, { type: "done", request });
    } catch (error) {
      const syscall = error instanceof Error && "syscall" in error ? String(error.syscall) : "";
      const text = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      send(socket, { type: "failed", request, code, syscall, message: text });
    }
  }

  function own(socket: Socket, id: string): void {
    owners.set(id, socket);
    if (socket.destroyed) endThoseOf(socket);
  }

  function endThoseOf(socket: Socket): void {
    for (const [id, owner] of owners) if (owner === socket) void copies.get(id)?.stop("requested");
  }

  function addClient(socket: Socket): void {
    daemons.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      daemons.delete(socket);
      endThoseOf(socket);
    });
    onMessages<ToHost>(socket, (message) => void carryOut(socket, message));
    send(socket, { type: "hello", protocol: PROTOCOL, version, running: [...copies.keys()] });
  }

  // A killed host left the socket; no other host runs, or we would not have been started.
  await rm(path, { force: true });
  const server = createServer(addClient);
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
    if (copies.size + starting.size === 0 && idleMs >= HOST_LIMITS.idleMs) break;
  }
  server.close();
  await Promise.all([...copies.values()].map((copy) => copy.stop("over")));
  for (const socket of daemons) socket.end();
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}
