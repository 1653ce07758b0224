import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLONED_MOUNTS, whyNotHere } from "./rights.ts";

const run = promisify(execFile);
const why = whyNotHere({
  only: "install packages",
  programs: ["dpkg", "dpkg-deb", "unshare", "chroot"],
  unshare: ["-m"],
});

/** A root of its own, with the system's programs and an empty package database. $1: the folder, $2: what to run in it. */
const IN_ROOT = `
  set -e
  mkdir -p "$1/root" && cd "$1/root"
  mount -t tmpfs none .
  mkdir -p usr dev etc/recorderd tmp packages var/lib/dpkg/info var/lib/dpkg/updates
  touch var/lib/dpkg/status
  for name in bin sbin lib lib64; do [ ! -e "/$name" ] || ln -s "usr/$name" "$name"; done
  mount --bind /usr usr
  mount --bind /dev dev
  mount --bind "$1/packages" packages
  # What makes users and folders is the system's, and not in question here.
  mkdir stubs
  printf '#!/bin/sh\\n' >stubs/systemd-sysusers
  printf '#!/bin/sh\\nmkdir -p /etc/recorderd\\n' >stubs/systemd-tmpfiles
  chmod 755 stubs/*
  mkdir etc/alternatives && cp -a /etc/alternatives/. etc/alternatives/
  PATH=/stubs:/usr/sbin:/usr/bin:/sbin:/bin exec chroot . /bin/sh -ec "$2"
`;

/** Answers a question of dpkg, if there is one, with the maintainer's version. */
const INTERACTIVE = "yes Y | dpkg -i";
const BATCH = "dpkg -i </dev/null";
const CONFIG = "/etc/recorderd/recorderd.yaml";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-deb-"));
  // The package up to version 0.1.0; then versions without a conffile, each with another example.
  await makePackage("1", { [CONFIG.slice(1)]: "example: 1\n" }, [CONFIG]);
  await makePackage("2", { "opt/recorderd/example.yaml": "example: 2\n" });
  await makePackage("3", { "opt/recorderd/example.yaml": "example: 3\n" });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** With the maintainer scripts of the real one. */
async function makePackage(
  version: string,
  files: Readonly<Record<string, string>>,
  conffiles: readonly string[] = [],
): Promise<void> {
  const place = join(folder, `build-${version}`);
  await cp("packaging/debian", join(place, "DEBIAN"), { recursive: true, mode: 0 });
  for (const name of await readdir(join(place, "DEBIAN")))
    await run("chmod", ["755", join(place, "DEBIAN", name)]);
  const control = `Package: recorderd\nVersion: ${version}\nArchitecture: all\nMaintainer: nobody <n@example.org>\nDescription: test\n`;
  await writeFile(join(place, "DEBIAN/control"), control);
  if (conffiles.length > 0) await writeFile(join(place, "DEBIAN/conffiles"), `${conffiles.join("\n")}\n`);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(place, name, ".."), { recursive: true });
    await writeFile(join(place, name), text);
  }
  await mkdir(join(folder, "packages"), { recursive: true });
  await run("dpkg-deb", ["--root-owner-group", "--build", place, join(folder, "packages", `${version}.deb`)]);
}

async function inRoot(...commands: readonly string[]): Promise<string> {
  const script = commands.join("\n");
  const { stdout } = await run("unshare", [
    "-m",
    ...CLONED_MOUNTS,
    "sh",
    "-c",
    IN_ROOT,
    "sh",
    folder,
    script,
  ]);
  return stdout;
}

const upgrade = (how: string, version: string) => how.replace("-i", `-i /packages/${version}.deb`);
const show = (what: string) => `echo "[$(cat ${what} 2>/dev/null || echo none)]"`;

describe.skipIf(why !== undefined)(
  `the Debian package${why === undefined ? "" : ` (skipped: ${why})`}`,
  () => {
    it.each([
      ["not interactive", BATCH],
      ["interactive", INTERACTIVE],
    ])("keeps the user's configuration over upgrades with changed examples: %s", async (_name, how) => {
      const said = await inRoot(
        upgrade(BATCH, "1"),
        `echo "ours: 1" >${CONFIG}`,
        upgrade(how, "2"),
        upgrade(how, "3"),
        show(CONFIG),
        "dpkg -s recorderd | grep ^Status",
      );
      expect(said).toMatch(/\[ours: 1\]\nStatus: install ok installed\n$/);
      expect(said).not.toMatch(/What would you like to do/);
    });

    it("removes the unchanged example that earlier versions installed as configuration", async () => {
      expect(await inRoot(upgrade(BATCH, "1"), upgrade(BATCH, "2"), show(CONFIG))).toMatch(/\[none\]\n$/);
    });

    it("keeps the configuration on removal, and deletes all of it on purge", async () => {
      const said = await inRoot(
        upgrade(BATCH, "1"),
        upgrade(BATCH, "2"),
        `echo "ours: 1" >${CONFIG}; echo "ours: 0" >${CONFIG}.previous; mkdir -p /var/lib/recorderd/ledger`,
        "dpkg -r recorderd",
        show(CONFIG),
        "dpkg -P recorderd",
        "ls -d /etc/recorderd /var/lib/recorderd* 2>&1 || true",
      );
      expect(said).toContain("[ours: 1]");
      expect(said.match(/No such file/g)).toHaveLength(2);
    });

    it("is built without a conffile", async () => {
      const script = await readFile("scripts/package.mjs", "utf8");
      expect(script).not.toMatch(/conffiles"|at\("etc\//);
    });
  },
);
