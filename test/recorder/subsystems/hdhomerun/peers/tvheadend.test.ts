import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pid } from "node:process";
import { expect, it } from "vitest";
import { freePort } from "../../../../free-port.ts";
import { told } from "../../../../kit/tool.ts";
import { inProcess, simTuners } from "../../../../main-job/in-process.ts";
import { pause, temporaryFolder, testWorld } from "../../../../main-job/recorder.ts";
import { installed, running } from "../../../tune/peers/program.ts";
import { answers, ask } from "../../../tune/peers/tvheadend.ts";

const program = installed("tvheadend", "RECORDERD_TVHEADEND");
/** A loopback address of this process alone, other than those of the tests of the emulation in the same process. */
const HOST = `127.${129 + ((pid >> 16) & 0x3f)}.${(pid >> 8) & 0xff}.${pid & 0xff}`;
const CHANNELS: readonly number[] = [1, 5];

interface Node {
  readonly uuid: string;
}

interface Entries<T> {
  readonly entries: readonly T[];
}

/** A Tvheadend without settings or passwords, which searches one address for HDHomeRuns. */
async function startClient(folder: string) {
  await mkdir(folder);
  await writeFile(join(folder, "config"), JSON.stringify({ version: 24, hdhomerun_ip: HOST }));
  const [http, htsp] = [await freePort(), await freePort()];
  const place = `-c ${folder} -b 127.0.0.1 --http_port ${http} --htsp_port ${htsp} -B`;
  const server = running(program ?? "", `${place} -C --noacl -a -1`.split(" "));
  await answers(http);
  return { server, address: `http://127.0.0.1:${http}` };
}

/** Its tuners, as virtual channels need them, on a network of these channels. */
async function setUp(address: string, device: string): Promise<void> {
  await ask(address, "api/idnode/save", { node: { uuid: device, fe_override: "CableCARD" } });
  const network = { class: "dvb_network_cablecard", conf: { networkname: "Recorder", skipinitscan: false } };
  const { uuid } = (await ask(address, "api/mpegts/network/create", network)) as Node;
  for (const vchan of CHANNELS)
    await ask(address, "api/mpegts/network/mux_create", { uuid, conf: { enabled: true, vchan } });
  const tuners = (await ask(address, "api/hardware/tree", { uuid: device })) as readonly Node[];
  for (const tuner of tuners)
    await ask(address, "api/idnode/save", { node: { uuid: tuner.uuid, enabled: true, networks: [uuid] } });
}

it.skipIf(program === undefined)(
  "a real Tvheadend finds the recorder as an HDHomeRun, scans its channels and plays them (needs tvheadend)",
  async (context) => {
    await using folder = await temporaryFolder();
    const { server, address } = await startClient(join(folder.path, "tvheadend"));
    await using _server = server;
    const settings = JSON.stringify(await ask(address, "api/config/load", {}));
    context.skip(
      !settings.includes('"hdhomerun_ip"'),
      "this Tvheadend was built without its HDHomeRun client",
    );
    await using world = await testWorld(folder.path, 12);
    await using recorder = await inProcess(folder.path, world, {
      tuners: simTuners(world, 2),
      hdhomerun: { host: HOST, port: 0, name: "Living room" },
    });
    while (recorder.daemon.hdhomerunPort === undefined) await pause(50);
    const found = async () => (await ask(address, "api/hardware/tree", { uuid: "root" })) as readonly Node[];
    await expect.poll(found).toHaveLength(1);
    const [device] = await found();
    await setUp(address, device?.uuid ?? "");
    const services = async () => {
      const grid = (await ask(address, "api/mpegts/service/grid", {})) as Entries<{
        readonly uuid: string;
        readonly svcname: string;
        readonly lcn: number;
        readonly sid: number;
      }>;
      return grid.entries.toSorted((a, b) => a.lcn - b.lcn);
    };
    const isScanned = async () => {
      const { entries } = (await ask(address, "api/mpegts/mux/grid", {})) as Entries<{
        readonly scan_state: number;
      }>;
      return entries.length === CHANNELS.length && entries.every(({ scan_state }) => scan_state === 0);
    };
    await expect.poll(isScanned).toBe(true);
    expect(await services(), server.said()).toMatchObject([
      { svcname: "Sim\u00a01", lcn: 1, sid: 544 },
      { svcname: "Sim\u00a05", lcn: 5, sid: 548 },
    ]);
    for (const { uuid, svcname } of await services()) {
      const input = `${address}/stream/service/${uuid}`;
      const args = ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", input];
      const { out } = await told("ffprobe", { args });
      expect([svcname, ...new Set(out.trim().split(/\s+/))]).toEqual([svcname, "video", "audio"]);
    }
    const leases = () => recorder.daemon.snapshot().tuners.flatMap((tuner) => tuner.leases).length;
    await expect.poll(leases).toBe(0);
  },
);
