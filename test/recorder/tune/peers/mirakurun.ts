import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { freePort } from "../../../free-port.ts";
import { outOfPatience } from "../../../patience.ts";
import { ELSEWHERE, ONE, TWO } from "../fakes/air.ts";
import { packageOf, running } from "./program.ts";

/** The channels of its one tuner: each is a multiplex, sent by an ffmpeg of its own. */
const CHANNELS = [[ONE, TWO], [ELSEWHERE]] as const;

/** It listens on loopback only where the machine has a private address as well: here it believes that loopback is one. */
const PRIVATE_LOOPBACK = `const os = require("node:os");
os.networkInterfaces = () => ({ lo: [{ address: "127.0.0.2", family: "IPv4", internal: false }] });
`;

/** A Mirakurun 2 with one tuner, which has found its services. */
export async function startMirakurun(program: string, folder: string) {
  await mkdir(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  const port = await freePort();
  await writeFile(file("loopback.cjs"), PRIVATE_LOOPBACK);
  await writeFile(file("server.yml"), `logLevel: 2\nport: ${port}\ndisableIPv6: true\n`);
  await writeFile(
    file("tuners.yml"),
    `- name: One\n  types: [GR]\n  command: sh ${file("tune-")}<channel>\n`,
  );
  const channels = CHANNELS.map((_, index) => `- name: C${index}\n  type: GR\n  channel: '${index}'\n`);
  await writeFile(file("channels.yml"), channels.join(""));
  for (const [index, services] of CHANNELS.entries()) {
    await writeFile(file(`tune-${index}`), `exec ffmpeg ${multiplexArguments(services)}\n`);
  }
  const start = () =>
    running(process.execPath, ["-r", file("loopback.cjs"), "lib/server.js"], {
      cwd: packageOf(program),
      env: {
        SERVER_CONFIG_PATH: file("server.yml"),
        TUNERS_CONFIG_PATH: file("tuners.yml"),
        CHANNELS_CONFIG_PATH: file("channels.yml"),
        SERVICES_DB_PATH: file("services.json"),
        PROGRAMS_DB_PATH: file("programs.json"),
      },
    });
  let server = start();
  const kill = () => server[Symbol.asyncDispose]();
  const address = `http://127.0.0.1:${port}`;
  try {
    await foundServices(address);
  } catch (error) {
    await kill();
    throw new Error(`Mirakurun did not find its services: ${server.said()}`, { cause: error });
  }
  return {
    address,
    kill,
    async restart() {
      await kill();
      server = start();
      await foundServices(address);
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** Until it has scanned all channels, and its tuner can be had. */
async function foundServices(address: string): Promise<void> {
  const signal = outOfPatience();
  const isFound = async () => (await listOf(address, "services", signal)).length === CHANNELS.flat().length;
  while (!(await isFound())) await systemClock().sleep(200, signal);
  await untilFree(address, signal);
}

/** Waits until only the server itself uses its tuner, to read listings at the lowest priority: it yields to everybody. */
export async function untilFree(address: string, signal: AbortSignal): Promise<void> {
  const isFree = async () => {
    const tuners = await listOf(address, "tuners", signal);
    return tuners.length > 0 && tuners.every(({ users }) => users?.every(({ priority }) => priority < 0));
  };
  while (!(await isFree())) await systemClock().sleep(200, signal);
}

interface Listed {
  readonly users?: readonly { readonly priority: number }[];
}

async function listOf(address: string, what: string, signal: AbortSignal): Promise<readonly Listed[]> {
  try {
    return (await (await fetch(`${address}/api/${what}`, { signal })).json()) as readonly Listed[];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function multiplexArguments(services: (typeof CHANNELS)[number]): string {
  const { onid, tsid } = services[0];
  const maps = services.map(() => "-map 0:v -map 1:a").join(" ");
  const programmes = services.map(
    ({ sid }, index) => `-program title=S${sid}:program_num=${sid}:st=${2 * index}:st=${2 * index + 1}`,
  );
  return [
    "-nostdin -loglevel error -re -f lavfi -i testsrc=size=160x120:rate=25 -f lavfi -i sine=sample_rate=48000",
    `${maps} -c:v mpeg2video -b:v 200k -g 12 -c:a mp2 -b:a 64k -f mpegts -mpegts_flags nit`,
    `-mpegts_transport_stream_id ${tsid} -mpegts_original_network_id ${onid} ${programmes.join(" ")}`,
    "-flush_packets 1 pipe:1",
  ].join(" ");
}
