import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { haproxy, nginx, type ReverseProxy } from "../proxy.ts";

const CONFIG = join(import.meta.dirname, "../../config");
const EXAMPLE = join(CONFIG, "haproxy-guide.example.cfg");

/** HAProxy with the example's configuration, in front of guide servers on these ports of loopback. */
export async function balancer(servers: readonly number[]): Promise<ReverseProxy> {
  const port = await freePort();
  const example = await readFile(EXAMPLE, "utf8");
  const head = example.replace("127.0.0.1:8437", `127.0.0.1:${port}`).replace(/^ {2}server .*\n/gm, "");
  const lines = servers.map((server) => `  server guide${server} 127.0.0.1:${server}`);
  return haproxy(port, `${head}${lines.join("\n")}`);
}

/** The same with nginx. */
export async function nginxBalancer(servers: readonly number[]): Promise<ReverseProxy> {
  const port = await freePort();
  const example = await readFile(join(CONFIG, "nginx-guide.example.conf"), "utf8");
  const lines = servers.map((server) => `  server 127.0.0.1:${server} max_fails=1 fail_timeout=2s;`);
  const inner = example
    .replace("127.0.0.1:8437", `127.0.0.1:${port}`)
    .replace(/(?: {2}server 127\.0\.0\.1:\d+ .*\n)+/, `${lines.join("\n")}\n`);
  return nginx(port, inner);
}
