import { spawnSync } from "node:child_process";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
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

/** Part of every system; `id` is for each test to say. */
const EVERYWHERE = [
  "sh",
  "dirname",
  "find",
  "env",
  "mkdir",
  "bash",
  "dd",
  "nice",
  "tail",
  "timeout",
  "tar",
  "getent",
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-setup-"));
  await mkdir(join(folder, "scripts"));
  await mkdir(join(folder, "bin"));
  for (const name of ["setup.sh", "install-programs.sh", "programs.txt"])
    await copyFile(join("scripts", name), join(folder, "scripts", name));
  await writeFile(join(folder, "package-lock.json"), "{}");
  await runsOn("debian");
  for (const name of EVERYWHERE) await symlink(where(name), join(folder, "bin", name));
  await symlink(process.execPath, join(folder, "bin/node"));
  await stub("npm", 'if [ "$1" = ci ]; then mkdir -p node_modules && : >node_modules/.package-lock.json; fi');
  await stub("id", "echo 1000");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Places of the system's own programs: asking for them again for each stub would take most of the time of these tests. */
const places = new Map<string, string>();

function where(name: string): string {
  const place =
    places.get(name) ?? spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  places.set(name, place);
  return place;
}

function runsOn(distribution: string): Promise<void> {
  return writeFile(join(folder, "os-release"), `NAME="Some Linux"\nID=${distribution}\n`);
}

/** A program that notes how it was called. */
async function stub(name: string, then = ""): Promise<void> {
  const path = join(folder, "bin", name);
  // Never through a link to the system's own.
  await rm(path, { force: true });
  await writeFile(path, `#!${where("sh")}\necho "${name} $*" >>"${folder}/calls"\n${then}\n`);
  await chmod(path, 0o755);
}

async function isRoot(): Promise<void> {
  await stub("apt-get", `echo "offline $SYSTEMD_OFFLINE" >>"${folder}/calls"`);
  await stub("id", "echo 0");
}

const setUp = () => called("scripts/setup.sh");
/** The setup that `npm test` does first. */
const setUpTests = () => called("scripts/install-programs.sh", "test");

async function called(script: string, ...args: readonly string[]) {
  await rm(join(folder, "calls"), { force: true });
  const { status, stdout, stderr } = spawnSync(where("sh"), [join(folder, script), ...args], {
    encoding: "utf8",
    // Nothing but what the test put there: the system's own programs are not found.
    env: {
      PATH: join(folder, "bin"),
      SBIN: join(folder, "sbin"),
      POSTGRESQL: join(folder, "postgresql"),
      OS_RELEASE: join(folder, "os-release"),
    },
  });
  const calls = await readFile(join(folder, "calls"), "utf8").catch(() => "");
  // Questions change nothing.
  const isChange = (line: string) => line !== "" && !/^(python3|id|sudo -v)/.test(line);
  return { status, stdout, stderr, calls: calls.split("\n").filter(isChange) };
}

/** Stands in for each program of one use that the system has not. */
async function withPrograms(use: "run" | "test"): Promise<void> {
  const list = await readFile("scripts/programs.txt", "utf8");
  const programs = [...list.matchAll(new RegExp(`^(?:\\w+,)*${use}(?:,\\w+)* +([^\\s:]+) `, "gm"))];
  for (const [, name = ""] of programs) if (name !== "id" && !EVERYWHERE.includes(name)) await stub(name);
}

const INSTALL = "apt-get install -y -q --no-install-recommends";
const DONE = ["npm ci --no-audit --no-fund", "npm run --silent build"];
/** In the order of the list, each once. */
const FOR_TESTS =
  "dvblast python3 chromium-headless-shell hdhomerun-config nginx haproxy postgresql xz-utils bzip2 zstd openssl perl-base bsdutils debianutils coreutils util-linux mount e2fsprogs";

describe("setup", () => {
  it("installs npm packages and builds if the system's programs are present", async () => {
    await withPrograms("run");
    expect(await setUp()).toMatchObject({ status: 0, stdout: "setup: ready\n", calls: DONE });
  });

  it("installs nothing the second time, and installs again if the lock file is newer", async () => {
    await withPrograms("run");
    await setUp();
    expect((await setUp()).calls).toEqual(["npm run --silent build"]);
    const later = Math.ceil(performance.timeOrigin / 1000) + 86_400;
    await utimes(join(folder, "package-lock.json"), later, later);
    expect((await setUp()).calls).toContain("npm ci --no-audit --no-fund");
  });

  it("as root installs only missing programs for operation, each package once", async () => {
    await isRoot();
    await stub("flock");
    await stub("fallocate");
    await stub("setpriv");
    await stub("ionice");
    const { status, calls } = await setUp();
    expect(status).toBe(0);
    expect(calls.filter((call) => call.startsWith("apt-get"))).toEqual([
      "apt-get update -q",
      `${INSTALL} ffmpeg`,
    ]);
  });

  it("installs with sudo if allowed", async () => {
    await stub("apt-get");
    await stub("sudo", 'if [ "$1" != -v ]; then "$@"; fi');
    const { status, calls } = await setUp();
    expect(status).toBe(0);
    expect(calls).toContain("sudo apt-get update -q");
    expect(calls).toContain(`${INSTALL} ffmpeg util-linux`);
  });

  it("names the commands for root if sudo is not allowed, and changes nothing", async () => {
    await stub("apt-get");
    await stub("sudo", "exit 1");
    const { status, stderr, calls } = await setUp();
    expect(status).toBe(1);
    expect(stderr).toContain("apt-get install --no-install-recommends ffmpeg util-linux\n");
    expect(calls).toEqual([]);
  });

  it.each([
    ["debian", "ffmpeg util-linux"],
    ["fedora", "ffmpeg-free util-linux"],
    ["linuxmint\nID_LIKE='ubuntu debian'", "ffmpeg util-linux"],
    // The programs themselves.
    ["slackware", "ffmpeg ffprobe flock fallocate setpriv ionice"],
  ])("without apt-get names the packages of the distribution: %s", async (distribution, packages) => {
    await runsOn(distribution);
    const { status, stderr, calls } = await setUp();
    expect(status).toBe(1);
    expect(stderr).toContain(`your system's package manager, then run this again: ${packages}\n`);
    expect(calls).toEqual([]);
  });

  it("fails if a step fails", async () => {
    await withPrograms("run");
    await stub("npm", "exit 3");
    expect(await setUp()).toMatchObject({ status: 3, stdout: "" });
  });

  it.each(["20.18.3", "18.20.0"])("requires a newer Node.js than %s", async (version) => {
    await withPrograms("run");
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

describe("npm test", () => {
  it("begins with the installation of test programs", async () => {
    const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
    expect(scripts.test).toMatch(/^npm run --silent setup:tests && /);
    expect(scripts["setup:tests"]).toBe("sh scripts/install-programs.sh test");
  });

  it("installs nothing if everything is present", async () => {
    await withPrograms("test");
    expect(await setUpTests()).toEqual({ status: 0, stdout: "", stderr: "", calls: [] });
  });

  it("as root installs the programs for tests", async () => {
    await isRoot();
    expect((await setUpTests()).calls).toContain(`${INSTALL} ${FOR_TESTS}`);
  });

  it("never starts a web server that only tests need, neither now nor at boot", async () => {
    await withPrograms("test");
    await rm(join(folder, "bin/nginx"));
    await isRoot();
    await stub("systemctl");
    const { calls } = await setUpTests();
    expect(calls).toContain(`${INSTALL} nginx`);
    expect(calls).toContain("offline 1");
    expect(calls).toContain("systemctl disable --quiet nginx");
  });

  it("finds programs that are only in root's PATH", async () => {
    await withPrograms("test");
    await mkdir(join(folder, "sbin"));
    for (const name of ["nginx", "haproxy"])
      await rename(join(folder, "bin", name), join(folder, "sbin", name));
    expect(await setUpTests()).toMatchObject({ status: 0, calls: [] });
  });

  it("finds the programs of a version of PostgreSQL, which are in no PATH", async () => {
    await withPrograms("test");
    const version = join(folder, "postgresql/15/bin");
    await mkdir(version, { recursive: true });
    for (const name of ["initdb", "postgres"]) await rename(join(folder, "bin", name), join(version, name));
    expect(await setUpTests()).toMatchObject({ status: 0, calls: [] });
  });

  it("installs python3 if the present one lacks a module that tests import", async () => {
    await withPrograms("test");
    await isRoot();
    await stub("python3", `[ "$2" != "import xml.dom.minidom" ]`);
    expect((await setUpTests()).calls).toContain(`${INSTALL} python3`);
  });
});
