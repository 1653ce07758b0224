import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { SECOND } from "../../src/model/time.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { SIM_API_KEY, SIM_REGION } from "../../src/simulator/world.ts";
import { pause, type TestWorld, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { outOfPatience } from "../patience.ts";
import { bareDebian, nodePackage } from "./bare.ts";
import { Machine, whyNoMachine } from "./machine.ts";

const PACKAGES = join(import.meta.dirname, "../../build/package");
const README = join(import.meta.dirname, "../../README.md");
const INSTALL_MS = 900_000;

/** The commands under the heading `Install`. */
async function installCommands(): Promise<readonly string[]> {
  const [, install = ""] = (await readFile(README, "utf8")).split("\n## Install\n");
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(install) ?? [];
  return block.split("\n").flatMap((line) => {
    const command = line.replace(/\s+#.*$/, "").trim();
    return command === "" ? [] : [command];
  });
}

describe.each([
  { suite: "trixie", nodeFrom: "Debian" },
  { suite: "bookworm", nodeFrom: "elsewhere" },
])("a bare Debian $suite", ({ suite, nodeFrom }) => {
  let why = whyNoMachine();
  let machine: Machine | undefined;
  let world: TestWorld;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    if (why !== undefined) return;
    const base = await bareDebian(suite);
    if (typeof base === "string") {
      why = base;
      return;
    }
    folder = await temporaryFolder();
    world = await testWorld(folder.path);
    // In memory: other files with the packages must not stay.
    const packages = join(folder.path, "packages");
    await mkdir(packages);
    for (const name of await readdir(PACKAGES)) {
      if (name.endsWith(".deb")) await cp(join(PACKAGES, name), join(packages, name));
    }
    if (nodeFrom === "elsewhere") await nodePackage(packages);
    machine = await Machine.boot(
      [`${packages}:/opt/packages`, `${base.archives}:/var/cache/apt/archives`],
      base.root,
    );
    // The person who installs says yes.
    const yes = 'APT::Get::Assume-Yes "true";\nBinary::apt::APT::Keep-Downloaded-Packages "true";\n';
    await machine.write("etc/apt/apt.conf.d/90test", yes);
  });

  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  it("records its first show with the commands in the README", { timeout: 2 * INSTALL_MS }, async ({
    skip,
  }) => {
    if (machine === undefined) {
      process.stderr.write(`skipped, there is no bare Debian ${suite}: ${why}\n`);
      return skip(why);
    }
    const there = machine;
    const commands = await installCommands();
    expect(commands.map((command) => command.split(" ").slice(0, 2).join(" "))).toEqual([
      "apt install",
      "recorderd setup",
      "recorderd doctor",
      "systemctl enable",
      "recorderd status",
    ]);
    const [install = "", setup = "", doctor = "", enable = "", status = ""] = commands;
    const inPackages = (command: string) => there.do(`cd /opt/packages && ${command}`, INSTALL_MS);

    if (nodeFrom === "elsewhere") await inPackages("apt install ./nodejs.deb");
    await inPackages(install);
    const { email, password } = world.world.account;
    const { baseUrl: broadcaster } = world.world.broadcaster;
    const tuner = JSON.stringify({ kind: "mock", id: "sim", broadcaster });
    const answers = [
      world.world.guideUrl,
      SIM_API_KEY,
      SIM_REGION,
      email,
      password,
      "new",
      tuner,
      "",
      "",
      1,
      1,
    ];
    await there.write("root/answers", answers.map((answer) => `${answer}\n`).join(""));
    // The network around this machine is not asked for tuners.
    await there.do(`${setup} --no-discover </root/answers`);
    const config = parse(await readFile(there.seen("etc/recorderd/recorderd.yaml"), "utf8"));
    const said = await there.ask(doctor);
    expect(said.out).toMatch(/guide/i);

    const start = Math.ceil(Date.now() / SECOND + 20) * SECOND;
    const show = { channel: 1, title: "The first show", start, durationMs: 5 * SECOND };
    const timerId = await world.world.book(show, config.guide.deviceId);
    await there.do(enable);
    let found: Recording | undefined;
    while (found === undefined || !isTerminal(found.state)) {
      const { out } = await there.ask(`${status} --json`);
      const snapshot = out.startsWith("{") ? (JSON.parse(out) as Snapshot) : undefined;
      found = snapshot?.recordings.find((recording) => recording.timerId === timerId);
      await pause(200);
    }
    expect({ state: found.state, file: found.evidence?.file }).toEqual({
      state: "completed",
      file: expect.stringMatching(/^\/srv\/recordings\/The first show/),
    });
    await using file = openInspection(there.seen(found.evidence?.file ?? ""), undefined);
    expect(await file.advance(outOfPatience())).toMatchObject({
      continuityErrors: 0,
      junkBytes: 0,
    });
    expect(await there.do(status)).toContain("The first show");
    expect(await there.do("stat -c %U:%G /srv/recordings/*.ts")).toBe("recorderd:recorderd");
  });
});
