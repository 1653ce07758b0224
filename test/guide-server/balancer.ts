import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { haproxy, type ReverseProxy } from "../proxy.ts";

const EXAMPLE = join(import.meta.dirname, "../../config/haproxy-guide.example.cfg");

/** HAProxy with the example's configuration, in front of guide servers on these ports of loopback. */
export async function balancer(servers: readonly number[]): Promise<ReverseProxy> {
  const port = await freePort();
  const example = await readFile(EXAMPLE, "utf8");
  const head = example.replace("127.0.0.1:8437", `127.0.0.1:${port}`).replace(/^ {2}server .*\n/gm, "");
  const lines = servers.map((server) => `  server guide${server} 127.0.0.1:${server}`);
  return haproxy(port, `${head}${lines.join("\n")}`);
}
