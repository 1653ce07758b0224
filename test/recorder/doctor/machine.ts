import { chmod, chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Clock, systemClock } from "../../../src/kit/time/clock.ts";
import { writeSecrets } from "../../../src/recorder/config/secrets.ts";
import { examine } from "../../../src/recorder/doctor/examine.ts";
import type { Finding } from "../../../src/recorder/doctor/finding.ts";
import { type Machine, THIS_MACHINE } from "../../../src/recorder/doctor/machine.ts";
import type { Hosted } from "../../guide-server/hosted.ts";
import { HOST_PROGRAM } from "../capture/host.ts";

export const API_KEY = "key of the application";
/** The daemon's user, if the test is root and can give files away. */
const DAEMON = process.getuid?.() === 0 ? 23_456 : (process.getuid?.() ?? 0);

/** A machine on which all is well: real files, a real guide service, a real ffmpeg. What is planted in it is a fault. */
export class Setup {
  readonly folder: string;
  readonly data: string;
  readonly recordings: string;
  readonly file: string;
  config: Record<string, object>;
  machine: Machine;
  clock: Clock;

  private constructor(folder: string, service: Hosted, broadcaster: string) {
    this.folder = folder;
    this.data = join(folder, "data");
    this.recordings = join(folder, "recordings");
    this.file = join(folder, "recorderd.yaml");
    this.clock = systemClock();
    this.config = {
      guide: { url: service.baseUrl, regionId: 1, deviceId: service.deviceId },
      recordings: { folder: this.recordings },
      capture: { engine: "auto" },
      space: { lowBytes: 2, stopBytes: 1 },
      data: { folder: this.data },
      control: { socket: join(this.data, "control.sock") },
      tuners: [
        { kind: "mock", id: "sim", broadcaster },
        { kind: "dvb", id: "card", adapter: 0, channelList: join(folder, "channels.conf") },
      ],
    };
    this.machine = {
      nodeVersion: THIS_MACHINE.nodeVersion,
      path: `${join(folder, "bin")}:${THIS_MACHINE.path}`,
      proc: join(folder, "proc"),
      dvb: join(folder, "dvb"),
      hostProgram: HOST_PROGRAM,
      unitFolders: [join(folder, "etc"), join(folder, "usr")],
      ownUnit: join(folder, "own.service"),
    };
  }

  static async of(folder: string, service: Hosted, broadcaster: string): Promise<Setup> {
    const setup = new Setup(folder, service, broadcaster);
    for (const name of [
      "data",
      "recordings",
      "bin",
      "dvb/adapter0",
      "proc/self",
      "proc/sys/net/core",
      "etc",
      "usr",
    ]) {
      await mkdir(join(folder, name), { recursive: true });
    }
    await writeSecrets(setup.data, {
      apiKey: API_KEY,
      account: { email: service.email, token: service.token },
    });
    const files = {
      "channels.conf": await readFile("test/fixtures/channel-lists/vdr-channels.conf", "utf8"),
      "dvb/adapter0/frontend0": "",
      "proc/self/limits": "Max open files            1024                 524288               files     \n",
      "proc/sys/net/core/rmem_max": "8388608\n",
      "proc/locks": "",
      "own.service": await readFile("systemd/recorderd.service", "utf8"),
      "usr/recorderd.service": await readFile("systemd/recorderd.service", "utf8"),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await setup.program("timedatectl", "echo NTP=yes; echo NTPSynchronized=yes");
    await setup.program("dvblast", "exit 0");
    const device = join(folder, "dvb/adapter0/frontend0");
    for (const path of [setup.data, setup.recordings, join(setup.data, "secrets.yaml"), device]) {
      await chown(path, DAEMON, DAEMON);
    }
    await setup.dropIn(`[Service]
ExecStart=
ExecStart=/usr/bin/env recorderd-with-notify recorderd run --config ${setup.file}
ReadWritePaths=${folder}
`);
    return setup;
  }

  async program(name: string, script: string): Promise<string> {
    const file = join(this.folder, "bin", name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  }

  async dropIn(text: string, name = "local.conf"): Promise<void> {
    await mkdir(join(this.folder, "etc/recorderd.service.d"), { recursive: true });
    await writeFile(join(this.folder, "etc/recorderd.service.d", name), text);
  }

  /** Keys of one group of the configuration. */
  set(group: string, keys: object): void {
    this.config = { ...this.config, [group]: { ...this.config[group], ...keys } };
  }

  async examine(): Promise<readonly Finding[]> {
    await writeFile(this.file, stringify(this.config));
    const { file, machine, clock } = this;
    return examine({ file, machine, clock }, new AbortController().signal);
  }
}
