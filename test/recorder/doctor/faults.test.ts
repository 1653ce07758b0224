import { once } from "node:events";
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findMarked } from "../../../src/kit/process/marked-process.ts";
import { HOUR } from "../../../src/model/time.ts";
import { HOST_MARK } from "../../../src/recorder/capture/host/protocol.ts";
import { allows } from "../../../src/recorder/config/identity.ts";
import { examine } from "../../../src/recorder/doctor/examine.ts";
import type { Finding } from "../../../src/recorder/doctor/finding.ts";
import { commandLine } from "../../cli/command-line.ts";
import { type Hosted, hosted } from "../../guide-server/hosted.ts";
import { IS_LONG } from "../../lane.ts";
import { type Station, startStation } from "../capture/station.ts";
import { API_KEY, Setup } from "./machine.ts";

let service: Hosted;
let air: Station;
beforeAll(async () => {
  service = await hosted({ apiKey: API_KEY });
  air = await startStation({
    services: (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify([{ triplet: { onid: 1, tsid: 2, sid: 3 }, path: "/3" }]));
    },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await air[Symbol.asyncDispose]();
});

let folder = "";
let setup: Setup;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-doctor-"));
  await chmod(folder, 0o755);
  setup = await Setup.of(folder, service, new URL(air.url("services")).origin);
});
afterEach(async () => {
  // A fault may have made it read-only, and only root removes what is in such a folder.
  await chmod(setup.data, 0o755).catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

interface Fault {
  readonly plant: () => Promise<unknown> | unknown;
  readonly check: string;
  /** A pattern for the finding's text: the place, or the remedy. */
  readonly says: string | RegExp;
  /** Set where other checks then find nothing, or something else: the fault has a machine of its own. */
  readonly isAlone?: boolean;
}

/** An address of this machine at which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/** Others cannot give files away, and write nothing more into a folder that they made read-only. */
const IS_ROOT = process.getuid?.() === 0;

const fresh = (text: string) => `ffmpeg version ${text} Copyright`;

const FAULTS: Readonly<Record<string, Fault>> = {
  "a configuration with a misspelt key": {
    plant: () => setup.set("recordings", { foldr: "/tmp" }),
    check: "configuration",
    says: /line \d+: recordings\.foldr: unknown key, did you mean folder\?/,
    isAlone: true,
  },
  "a Node.js that is too old": {
    plant: () => {
      setup.machine = { ...setup.machine, nodeVersion: "20.18.1" };
    },
    check: "node",
    says: "Node.js 20.18.1",
  },
  "no ffmpeg": {
    plant: () => setup.set("capture", { ffmpegPath: join(folder, "bin/none") }),
    check: "ffmpeg",
    says: "apt install ffmpeg",
    isAlone: true,
  },
  "an old ffmpeg before the right one in PATH": {
    plant: () => setup.program("ffmpeg", `echo "${fresh("3.4.8")}"`),
    check: "ffmpeg",
    says: "ffmpeg 3.4.8",
    isAlone: true,
  },
  "an ffmpeg that was built without UDP": {
    plant: () =>
      setup.program(
        "ffmpeg",
        `case "$*" in *protocols*) echo file http rtp tcp;; *formats*) echo mpegts rtsp;; *) echo "${fresh("7.1")}";; esac`,
      ),
    check: "ffmpeg",
    says: "protocol udp",
  },
  "a capture host that cannot start": {
    plant: () => {
      setup.machine = { ...setup.machine, hostProgram: join(folder, "gone/main.js") };
    },
    check: "host",
    says: /Cannot find module .*gone\/main\.js.*capture\.engine to ffmpeg/,
  },
  "an encoder that this machine does not have": {
    plant: () => setup.set("profile", { kind: "transcode", codec: "hevc", encoder: "hevc_none" }),
    check: "profile",
    says: "hevc_none",
  },
  "work that starved the daemon": {
    plant: async () => {
      const [kind, at, until] = ["hook", Date.now(), Date.now() + HOUR];
      const file = join(setup.data, "set-aside.json");
      await writeFile(file, JSON.stringify([{ kind, subject: "4711-1", at, times: 2, until }]), {
        mode: 0o644,
      });
    },
    check: "set-aside",
    says: /hook 4711-1 blocked the daemon \(2 times.*Meanwhile, the hooks of this recording wait/,
  },
  "a recordings folder that cannot be written": {
    plant: () => chmod(setup.recordings, 0o555),
    check: "recordings",
    says: "chown",
  },
  "a recordings folder that is a link to a missing one": {
    plant: async () => {
      await rm(setup.recordings, { recursive: true });
      await symlink("disk/recordings", setup.recordings);
    },
    check: "recordings",
    says: /is a link, and there is no folder .*\/disk\/recordings .*Mount the disk of/,
    isAlone: true,
  },
  "a disk that is not mounted": {
    plant: () => setup.set("recordings", { mountPoint: setup.recordings }),
    check: "recordings",
    says: "no disk is mounted",
  },
  "a disk that is full": {
    plant: () => setup.set("space", { lowBytes: Number.MAX_SAFE_INTEGER }),
    check: "disk",
    says: "space.lowBytes",
  },
  "a state of the daemon that belongs to somebody else": {
    plant: async () => {
      await writeFile(join(setup.data, "document.json"), "{}");
      if (!IS_ROOT) await chmod(setup.data, 0o555);
    },
    check: "data",
    says: "chown",
    isAlone: !IS_ROOT,
  },
  "a ledger that a daemon left that was run as root": {
    plant: async () => {
      await mkdir(join(setup.data, "ledger"));
      await writeFile(join(setup.data, "ledger/1.jsonl"), "");
      if (!IS_ROOT) await chmod(setup.data, 0o555);
    },
    check: "data",
    says: /ledger, .*1\.jsonl belong to a different user.*chown -R|may not write to .*chown/,
    isAlone: !IS_ROOT,
  },
  "secrets that others can read": {
    plant: () => chmod(join(setup.data, "secrets.yaml"), 0o644),
    check: "secrets",
    says: "chmod 600",
    isAlone: true,
  },
  "a guide service whose name nobody knows": {
    plant: () => setup.set("guide", { url: "http://guide.invalid/" }),
    check: "names",
    says: "guide.invalid",
    isAlone: true,
  },
  "a guide service that does not answer": {
    plant: async () => setup.set("guide", { url: await deadAddress() }),
    check: "guide",
    says: "guide.url",
    isAlone: true,
  },
  "a region that the service does not have": {
    plant: () => setup.set("guide", { regionId: 99 }),
    check: "guide",
    says: "one of 1 (Sydney), 2 (Perth)",
  },
  "a device that the account does not have": {
    plant: () => setup.set("guide", { deviceId: 4711 }),
    check: "account",
    says: "no device 4711",
  },
  "nobody signed in": {
    plant: () => rm(join(setup.data, "secrets.yaml")),
    check: "account",
    says: "recorderd login",
    isAlone: true,
  },
  "a guide service with another time": {
    plant: () => {
      const { clock } = setup;
      setup.clock = { ...clock, now: () => clock.now() + HOUR };
    },
    check: "clock",
    says: "1 h behind",
    isAlone: true,
  },
  "a clock that NTP has not set": {
    plant: () => setup.program("timedatectl", "echo NTP=yes; echo NTPSynchronized=no"),
    check: "clock",
    says: "timedatectl set-ntp true",
  },
  "a card that is not plugged in": {
    plant: () => rm(join(folder, "dvb"), { recursive: true }),
    check: "cards",
    says: "dmesg",
  },
  "a card that the daemon may not use": {
    plant: () => chmod(join(folder, "dvb/adapter0/frontend0"), 0o040),
    check: "cards",
    says: "usermod -aG",
  },
  "a channel list that is not there": {
    plant: () => rm(join(folder, "channels.conf")),
    check: "tuners",
    says: "channels.conf",
  },
  "a tuner's server that is switched off": {
    plant: async () => {
      setup.config = {
        ...setup.config,
        tuners: [{ kind: "mock", id: "off", broadcaster: await deadAddress() }],
      };
    },
    check: "tuners",
    says: "tuner off",
    isAlone: true,
  },
  "buffers that are too small": {
    plant: () => writeFile(join(folder, "proc/sys/net/core/rmem_max"), "212992\n"),
    check: "limits",
    says: "sysctl --system",
  },
  "too few open files": {
    plant: () =>
      writeFile(join(folder, "proc/self/limits"), "Max open files            256       512   files\n"),
    check: "limits",
    says: "LimitNOFILE",
  },
  "the unit of another version": {
    plant: () => writeFile(join(folder, "own.service"), "[Unit]\n"),
    check: "unit",
    says: "systemctl daemon-reload",
  },
  "a drop-in that ends captures": {
    plant: () => setup.dropIn("[Service]\nKillMode=mixed\n", "zz.conf"),
    check: "unit",
    says: "KillMode=mixed",
  },
  "a drop-in past with-notify": {
    plant: () =>
      setup.dropIn(`[Service]\nExecStart=\nExecStart=recorderd run --config ${setup.file}\n`, "zz.conf"),
    check: "unit",
    says: "recorderd-with-notify",
  },
  "a folder that the unit keeps read-only": {
    plant: () => setup.dropIn("[Service]\nReadWritePaths=\nReadWritePaths=/srv\n", "zz.conf"),
    check: "unit",
    says: /ReadWritePaths=\S+recordings/,
  },
  "a daemon that hangs": {
    plant: async () => {
      const file = join(setup.data, "daemon.lock");
      await writeFile(file, "4242\n");
      const { ino } = await stat(file);
      const lock = `1: FLOCK  ADVISORY  WRITE 4242 08:01:${ino} 0 EOF\n`;
      await writeFile(join(folder, "proc/locks"), lock);
    },
    check: "control",
    says: "process 4242",
  },
  "a place without a folder for the control socket": {
    plant: () => setup.set("control", { socket: join(folder, "none/control.sock") }),
    check: "control",
    says: "install -d",
  },
};

/** The nth fault of each check is on the nth machine: a whole examination for each fault would cost a minute of processor time. */
function machines(): readonly (readonly string[])[] {
  const shared: string[][] = [];
  const alone: string[][] = [];
  for (const [name, { check, isAlone }] of Object.entries(FAULTS)) {
    if (isAlone === true) alone.push([name]);
    else {
      const free = shared.find((names) => names.every((other) => FAULTS[other]?.check !== check));
      if (free === undefined) shared.push([name]);
      else free.push(name);
    }
  }
  return [...shared, ...alone];
}

function bads(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ verdict }) => verdict === "bad");
}

const casesShown = machines().filter((_, index) => IS_LONG || index % 2 === 0);

describe("recorderd doctor", () => {
  it("finds no fault in a working setup", async () => {
    const findings = await setup.examine();
    expect(bads(findings)).toEqual([]);
    expect(new Set(findings.map(({ check }) => check)).size).toBe(21);
    expect(findings.filter(({ verdict }) => verdict === "unknown").map(({ check }) => check)).toEqual([
      "names",
      "control",
    ]);
  });

  it.each(casesShown.map((names) => [names.join(", "), names] as const))(
    "finds %s and names the remedy",
    async (_all, names) => {
      for (const name of names) await FAULTS[name]?.plant();
      const faults = bads(await setup.examine());
      for (const name of names) {
        const found = faults.find((fault) => fault.check === FAULTS[name]?.check);
        expect(found, `${name}: ${JSON.stringify(faults)}`).toBeDefined();
        expect(`${found?.found} ${found?.expected} ${found?.todo}`, name).toMatch(FAULTS[name]?.says ?? "");
        expect(found?.todo).not.toBe("");
      }
    },
  );

  it("leaves no test file", async () => {
    const before = await readdir(setup.data);
    await setup.examine();
    expect(await readdir(setup.data)).toEqual(before);
    expect((await findMarked(HOST_MARK)).filter(({ mark }) => mark.startsWith(setup.data))).toEqual([]);
    expect(await readdir(setup.recordings)).toEqual([]);
  });

  it.skipIf(!IS_ROOT)("finds the user of the unit while the data folder belongs to root", async () => {
    await setup.dropIn("[Service]\nUser=nobody\n", "user.conf");
    for (const path of [setup.data, setup.recordings]) await chown(path, 0, 0);
    const found = bads(await setup.examine()).map((fault) => `${fault.check} ${fault.found}`);
    expect(found).toContainEqual(expect.stringMatching(/^recordings nobody may not write/));
  });

  it.each([
    ["no configuration", () => rm(setup.file, { force: true })],
    ["the example for one", () => copyFile("config/recorderd.example.yaml", setup.file)],
  ])("recommends setup for %s, and continues with independent checks", async (_name, plant) => {
    await plant();
    const { file, machine, clock } = setup;
    const findings = await examine({ file, machine, clock }, new AbortController().signal);
    expect(findings.map(({ check }) => check)).toEqual(["configuration", "node", "ffmpeg"]);
    const [fault, ...others] = bads(findings);
    expect(fault?.todo).toContain(`recorderd setup --config ${setup.file}`);
    expect(others).toEqual([]);
  });

  it("exits with 1 after a fault, with --json too", async () => {
    const { out, code } = await commandLine(["doctor", "--config", join(folder, "none.yaml"), "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      faults: 1,
      findings: [
        { check: "configuration", verdict: "bad", code: "FILE_UNREADABLE" },
        { check: "node" },
        { check: "ffmpeg" },
      ],
    });
    const text = await commandLine(["doctor", "--config", join(folder, "none.yaml")], { columns: 60 });
    expect(text.code).toBe(1);
    expect(text.out).toContain("One fault.");
    expect(Math.max(...text.out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(160);
  });
});

describe("file permissions", () => {
  it("are those of the owner, otherwise of a group, otherwise of others", () => {
    const file = { mode: 0o100_460, uid: 7, gid: 8 };
    expect(allows(file, 6, { uid: 7, gids: [8] })).toBe(false);
    expect(allows(file, 4, { uid: 7, gids: [] })).toBe(true);
    expect(allows(file, 6, { uid: 9, gids: [1, 8] })).toBe(true);
    expect(allows(file, 4, { uid: 9, gids: [1] })).toBe(false);
    expect(allows(file, 6, { uid: 0, gids: [] })).toBe(true);
  });
});
