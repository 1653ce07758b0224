import { spawnSync } from "node:child_process";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-setup-"));
  await mkdir(join(folder, "scripts"));
  await mkdir(join(folder, "bin"));
  await copyFile("scripts/setup.sh", join(folder, "scripts/setup.sh"));
  await writeFile(join(folder, "package-lock.json"), "{}");
  for (const name of ["sh", "dirname", "find", "env", "mkdir"])
    await symlink(where(name), join(folder, "bin", name));
  await symlink(process.execPath, join(folder, "bin/node"));
  await stub("npm", 'if [ "$1" = ci ]; then mkdir -p node_modules && : >node_modules/.package-lock.json; fi');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function where(name: string): string {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return stdout.trim();
}

/** A program that notes how it was called. */
async function stub(name: string, then = ""): Promise<void> {
  const path = join(folder, "bin", name);
  await writeFile(path, `#!${where("sh")}\necho "${name} $*" >>"${folder}/calls"\n${then}\n`);
  await chmod(path, 0o755);
}

async function setUp() {
  await rm(join(folder, "calls"), { force: true });
  const { status, stdout, stderr } = spawnSync(where("sh"), [join(folder, "scripts/setup.sh")], {
    encoding: "utf8",
    // Nothing but what the test put there: the system's own programs are not found.
    env: { PATH: join(folder, "bin"), SBIN: join(folder, "sbin") },
  });
  const calls = await readFile(join(folder, "calls"), "utf8").catch(() => "");
  // Probing for a Python module changes nothing.
  const isChange = (line: string) => line !== "" && !line.startsWith("python3 ");
  return { status, stdout, stderr, calls: calls.split("\n").filter(isChange) };
}

async function withSystemPrograms(): Promise<void> {
  for (const name of ["ffmpeg", "ffprobe", "dvblast", "flock", "python3", "chromium", "nginx", "haproxy"])
    await stub(name);
}

/** Modules that Python programs in tests import, `sys` apart, which is built in. A fixture's generator does not run in tests. */
async function importedModules(): Promise<readonly string[]> {
  const files = await readdir("test", { recursive: true });
  const programs = files.filter((name) => /\.(py|test\.ts)$/.test(name) && !name.startsWith("fixtures/"));
  const modules = new Set<string>();
  for (const name of programs) {
    const text = await readFile(join("test", name), "utf8");
    const lists = name.endsWith(".py")
      ? text.matchAll(/^(?:import|from) ([\w.]+)/gm)
      : text.matchAll(/"import sys, ([\w.]+)/g);
    for (const [, module = ""] of lists) if (module !== "sys") modules.add(module);
  }
  return [...modules].sort();
}

describe("setup", () => {
  it("installs packages of npm and builds where the system's programs are there", async () => {
    await withSystemPrograms();
    expect(await setUp()).toMatchObject({
      status: 0,
      stdout: "setup: ready\n",
      calls: ["npm ci --no-audit --no-fund", "npm run --silent build"],
    });
  });

  it("installs nothing the second time, and again when the lock file is newer", async () => {
    await withSystemPrograms();
    await setUp();
    expect((await setUp()).calls).toEqual(["npm run --silent build"]);
    const later = Math.ceil(performance.timeOrigin / 1000) + 86_400;
    await utimes(join(folder, "package-lock.json"), later, later);
    expect((await setUp()).calls).toContain("npm ci --no-audit --no-fund");
  });

  it("as root installs what is missing, each package once", async () => {
    await stub("apt-get");
    await stub("id", "echo 0");
    await stub("flock");
    const { status, calls } = await setUp();
    expect(status).toBe(0);
    expect(calls).toContain("apt-get update -q");
    expect(calls).toContain(
      "apt-get install -y -q --no-install-recommends ffmpeg dvblast python3 chromium nginx haproxy",
    );
  });

  it("starts no web server that only tests need, neither now nor with the machine", async () => {
    await withSystemPrograms();
    await rm(join(folder, "bin/nginx"));
    await stub("apt-get", `echo "offline $SYSTEMD_OFFLINE" >>"${folder}/calls"`);
    await stub("id", "echo 0");
    await stub("systemctl");
    const { calls } = await setUp();
    expect(calls).toContain("apt-get install -y -q --no-install-recommends nginx");
    expect(calls).toContain("offline 1");
    expect(calls).toContain("systemctl disable --quiet nginx");
  });

  it("finds programs for tests where only root's PATH looks", async () => {
    await withSystemPrograms();
    await mkdir(join(folder, "sbin"));
    for (const name of ["nginx", "haproxy"])
      await rename(join(folder, "bin", name), join(folder, "sbin", name));
    expect((await setUp()).calls).toEqual(["npm ci --no-audit --no-fund", "npm run --silent build"]);
  });

  it("installs python3 where the one that is there lacks a module that tests import", async () => {
    await withSystemPrograms();
    await stub("apt-get");
    await stub("id", "echo 0");
    await stub("python3", `[ "$2" != "import xml.dom.minidom" ]`);
    expect((await setUp()).calls).toContain("apt-get install -y -q --no-install-recommends python3");
  });

  it("checks every Python module that tests import", async () => {
    const script = await readFile("scripts/setup.sh", "utf8");
    const checked = [...script.matchAll(/^needs_module (\S+)/gm)].map(([, module]) => module);
    expect(await importedModules()).toEqual(checked);
  });

  it("installs by sudo where it may", async () => {
    await stub("apt-get");
    await stub("id", "echo 1000");
    await stub("sudo", 'if [ "$1" != -v ]; then "$@"; fi');
    const { status, calls } = await setUp();
    expect(status).toBe(0);
    expect(calls).toContain("sudo apt-get update -q");
    expect(calls).toContain(
      "apt-get install -y -q --no-install-recommends ffmpeg dvblast util-linux python3 chromium nginx haproxy",
    );
  });

  it("says what to run as root where it may not, and changes nothing", async () => {
    await stub("apt-get");
    await stub("id", "echo 1000");
    await stub("sudo", "exit 1");
    const { status, stderr, calls } = await setUp();
    expect(status).toBe(1);
    expect(stderr).toContain(
      "apt-get install --no-install-recommends ffmpeg dvblast util-linux python3 chromium nginx haproxy",
    );
    expect(calls.filter((call) => /^(apt-get|npm)/.test(call))).toEqual([]);
  });

  it("names the packages where there is no apt-get", async () => {
    const { status, stderr, calls } = await setUp();
    expect(status).toBe(1);
    expect(stderr).toContain(
      "your system's package manager, then run setup again: ffmpeg dvblast util-linux python3 chromium nginx haproxy",
    );
    expect(calls).toEqual([]);
  });

  it("fails where a step fails", async () => {
    await withSystemPrograms();
    await stub("npm", "exit 3");
    expect(await setUp()).toMatchObject({ status: 3, stdout: "" });
  });

  it.each(["20.18.3", "18.20.0"])("asks for a newer Node than %s", async (version) => {
    await withSystemPrograms();
    await rm(join(folder, "bin/node"));
    // Runs what the script asks of node, with another version in place.
    const real = process.execPath;
    await stub(
      "node",
      `exec "${real}" -e "Object.defineProperty(process.versions,'node',{value:'${version}'});$2"`,
    );
    const { status, stderr } = await setUp();
    expect(status).toBe(1);
    expect(stderr).toContain("Node.js 20.19 or newer");
  });
});
