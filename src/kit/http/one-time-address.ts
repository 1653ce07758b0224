import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { getuid } from "node:process";
import type { DurationMs } from "../../model/time.ts";
import { readFile } from "../files/steady-fs.ts";
import type { Clock } from "../time/clock.ts";

/** A player's request is shorter. */
const REQUEST_LENGTH_MAX = 8192;

/**
 * A loopback address that leads to `target` (http or rtsp) once: for the first client, if it is a process of our own user. A
 * child gets a secret address this way without showing it in the process list.
 *
 * @param patienceMs lifetime of the address
 */
export async function oneTimeAddress(
  target: string,
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: DurationMs },
): Promise<string> {
  const isRtsp = /^rtsp:/i.test(target);
  const way = { path: `/${randomBytes(16).toString("hex")}`, target };
  const server = isRtsp ? rtspServer(way) : httpServer(way);
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  void closeLater(server, clock, patienceMs);
  return `${isRtsp ? "rtsp" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}${way.path}`;
}

interface OneTimeTarget {
  readonly path: string;
  readonly target: string;
}

function httpServer({ path, target }: OneTimeTarget): Server {
  const server = createHttpServer(async ({ url, socket }, response) => {
    const isOurs = url === path && (await isOfOurUser(socket));
    response.writeHead(isOurs ? 302 : 404, { connection: "close", ...(isOurs ? { location: target } : {}) });
    response.end(() => {
      if (isOurs) server.close();
    });
  });
  return server;
}

/** Answers the first request, whatever it is, and nothing more. @see RFC 2326 §11.3 */
function rtspServer({ path, target }: OneTimeTarget): Server {
  assert(!/[\r\n]/.test(target), "an address is one line");
  const server = createServer((socket) => {
    let request = "";
    socket.setEncoding("latin1").on("error", () => {});
    socket.on("data", async (text: string) => {
      request += text;
      if (request.length > REQUEST_LENGTH_MAX) socket.destroy();
      if (!request.includes("\r\n\r\n")) return;
      socket.removeAllListeners("data");
      const [, asked = ""] = /^\S+ rtsp:\/\/[^/\s]+(\/\S*) /i.exec(request) ?? [];
      const [, number = "0"] = /^CSeq: *(\d+)/im.exec(request) ?? [];
      const isOurs = asked === path && (await isOfOurUser(socket));
      const status = isOurs ? `302 Found\r\nLocation: ${target}` : "404 Not Found";
      socket.end(`RTSP/1.0 ${status}\r\nCSeq: ${number}\r\n\r\n`);
      if (isOurs) server.close();
    });
  });
  return server;
}

async function closeLater(server: Server, clock: Clock, ms: DurationMs): Promise<void> {
  const closed = new AbortController();
  server.once("close", () => closed.abort());
  await clock.sleep(ms, closed.signal).catch(() => {});
  server.close();
}

async function isOfOurUser({ remotePort = 0, localPort = 0 }: Socket): Promise<boolean> {
  return (await ownerOf(remotePort, localPort)) === getuid?.();
}

/** The uid of the process at the other end of a loopback connection. @see proc_net(5) */
async function ownerOf(remotePort: number, localPort: number): Promise<number | undefined> {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  const table = await readFile("/proc/self/net/tcp", "utf8").catch(() => "");
  const fields = table.split("\n").map((line) => line.trim().split(/\s+/));
  const row = fields.find(
    ([, local, remote]) => local === `0100007F:${hex(remotePort)}` && remote === `0100007F:${hex(localPort)}`,
  );
  return row === undefined ? undefined : Number(row[7]);
}
