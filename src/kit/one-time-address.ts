import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getuid } from "node:process";
import type { DurationMs } from "../model/time.ts";
import type { Clock } from "./clock.ts";

/**
 * An address on loopback that leads once to `target`: to the first who asks, if it is a process of our own user. So a secret in
 * an address reaches a child without standing in the process list, where everybody can read it.
 *
 * @param patienceMs after so long it leads nowhere any more
 */
export async function oneTimeAddress(
  target: string,
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: DurationMs },
): Promise<string> {
  const path = `/${randomBytes(16).toString("hex")}`;
  const server = createServer(async ({ url, socket }, response) => {
    const isOurs =
      url === path && (await ownerOf(socket.remotePort ?? 0, socket.localPort ?? 0)) === getuid?.();
    response.writeHead(isOurs ? 302 : 404, { connection: "close", ...(isOurs ? { location: target } : {}) });
    response.end(() => {
      if (isOurs) server.close();
    });
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  void closeLater(server, clock, patienceMs);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

async function closeLater(server: Server, clock: Clock, ms: DurationMs): Promise<void> {
  const closed = new AbortController();
  server.once("close", () => closed.abort());
  await clock.sleep(ms, closed.signal).catch(() => {});
  server.close();
}

/** The user whose process holds the other end of a connection on loopback. @see proc_net(5) */
async function ownerOf(remotePort: number, localPort: number): Promise<number | undefined> {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  const table = await readFile("/proc/self/net/tcp", "utf8").catch(() => "");
  const fields = table.split("\n").map((line) => line.trim().split(/\s+/));
  const row = fields.find(
    ([, local, remote]) => local === `0100007F:${hex(remotePort)}` && remote === `0100007F:${hex(localPort)}`,
  );
  return row === undefined ? undefined : Number(row[7]);
}
