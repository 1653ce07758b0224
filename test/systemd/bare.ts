import { execFile, execFileSync } from "node:child_process";
import { cp, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Bare systems and packages of Debian stay here: a second run is quick. */
const HOME = join(import.meta.dirname, "../../build/bare");
const FETCH_MS = 15 * 60_000;

/** A Debian as it is before anything is installed, with an init and nothing else. */
export interface BareDebian {
  readonly root: string;
  /** For the packages that apt fetches. */
  readonly archives: string;
}

/** @returns why it cannot be had here, where it cannot */
export async function bareDebian(suite: string): Promise<BareDebian | string> {
  const root = join(HOME, suite);
  const archives = join(HOME, `${suite}-archives`);
  await mkdir(archives, { recursive: true });
  const isThere = await stat(root).catch(() => undefined);
  if (isThere !== undefined) return { root, archives };
  const part = `${root}.part`;
  await rm(part, { recursive: true, force: true });
  try {
    const args = ["--variant=minbase", "--include=systemd,dbus", suite, part];
    await run("debootstrap", args, { timeout: FETCH_MS, maxBuffer: 64 * 1024 * 1024 });
  } catch {
    return `Debian ${suite} cannot be fetched`;
  }
  await rename(part, root);
  return { root, archives };
}

/**
 * This machine's Node.js as a package: stands for one from elsewhere, which the README asks for where Debian's own is too old.
 *
 * @returns its name in `folder`
 */
export async function nodePackage(folder: string): Promise<string> {
  const tree = join(HOME, "nodejs");
  const version = process.versions.node;
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  await rm(tree, { recursive: true, force: true });
  await mkdir(join(tree, "DEBIAN"), { recursive: true });
  await mkdir(join(tree, "usr/bin"), { recursive: true });
  await cp(process.execPath, join(tree, "usr/bin/node"));
  const control = [
    "Package: nodejs",
    `Version: ${version}-1`,
    `Architecture: ${architecture}`,
    "Maintainer: recorderd <recorderd@example.org>",
    "Depends: libstdc++6",
    "Description: Node.js of the machine that tests",
    "",
  ];
  await writeFile(join(tree, "DEBIAN/control"), control.join("\n"));
  const name = "nodejs.deb";
  await run("dpkg-deb", ["--root-owner-group", "-Zgzip", "-z1", "--build", tree, join(folder, name)]);
  await rm(tree, { recursive: true, force: true });
  return name;
}
