import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { bundledInto } from "../../kit/bundled.ts";

export interface HostileSenders extends AsyncDisposable {
  url(path: string): string;
}

/** @param ports of the senders of datagrams, by kind */
export async function startHostileSenders(
  folder: string,
  ports: Readonly<Record<string, number>> = {},
): Promise<HostileSenders> {
  const program = await bundledInto(
    await mkdtemp(join(folder, "senders-")),
    "test/recorder/capture/hostile-senders.ts",
  );
  const child = spawn(process.execPath, [program, JSON.stringify(ports)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: (path) => `http://127.0.0.1:${Number(port)}/${path}`,
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
