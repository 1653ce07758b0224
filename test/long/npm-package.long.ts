import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { documents } from "../../scripts/package-documents.mjs";

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const FLOOR = [20, 19, 0];
const PREFIX = "node_modules/";
let folder: string;
/** The packages that the program uses when it runs, by their place. */
let used: ReadonlyMap<string, Locked>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-npm-"));
  const lock = JSON.parse(await readFile("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  used = new Map(
    Object.entries(lock.packages).filter(([path, { dev }]) => path.startsWith(PREFIX) && dev !== true),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Copies the installed packages to the layout that `npm ci --omit=dev` creates. */
async function modules(): Promise<string> {
  const place = join(folder, "node_modules");
  await mkdir(place);
  const nested = /\/node_modules(\/|$)/;
  for (const path of used.keys()) {
    const filter = (file: string) => !nested.test(file.slice(path.length));
    await cp(path, join(place, path.slice(PREFIX.length)), { recursive: true, filter });
  }
  return place;
}

it("the npm package installs offline, with exactly the versions of the lock file, and all pages", async () => {
  const script = ["scripts/npm-package.mjs", await modules(), join(folder, "out")];
  const file = execFileSync(process.execPath, script, { encoding: "utf8" }).trim();
  const home = join(folder, "home");
  const flags = ["--offline", "--cache", join(folder, "cache"), "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", "--global", "--prefix", home, ...flags, file], { stdio: "pipe" });

  const said = execFileSync(join(home, "bin/recorderd"), ["--version"], { encoding: "utf8" });
  const installed = join(home, "lib/node_modules/recorderd");
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(said).toBe(`${manifest.version}\n`);
  const ofLock = (name: string) => used.get(`${PREFIX}${name}`)?.version;
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(version).toBe(ofLock(name));
  const versions = new Map<string, string>();
  for (const path of used.keys()) {
    const { version } = JSON.parse(await readFile(join(installed, path, "package.json"), "utf8"));
    versions.set(path, version);
  }
  expect(versions).toEqual(new Map([...used].map(([path, { version }]) => [path, version])));
  for (const path of documents()) expect(existsSync(join(installed, path)), path).toBe(true);
  const list = ["ls", "--all", "--parseable", "--prefix", installed];
  // The first line is the package itself.
  const places = execFileSync("npm", list, { encoding: "utf8" }).trim().split("\n").slice(1);
  expect(places.map((place) => place.slice(installed.length + 1)).sort()).toEqual([...used.keys()].sort());
});

/** Handles ranges such as `^16 || >=18.2`, the only kinds that packages use here. */
function acceptsFloor(range: string): boolean {
  return range.split("||").some((part) => {
    const [, sign, digits = ""] = /^\s*(>=|\^)\s*v?([\d.x]+)\s*$/.exec(part) ?? [];
    const wanted = digits.split(".").map((digit) => (digit === "x" ? 0 : Number(digit)));
    const at = FLOOR.findIndex((number, place) => number !== (wanted[place] ?? 0));
    const isNewer = at === -1 || (FLOOR[at] ?? 0) > (wanted[at] ?? 0);
    return sign === ">=" ? isNewer : sign === "^" && isNewer && wanted[0] === FLOOR[0];
  });
}

it("every package that the program uses accepts the oldest supported Node.js", () => {
  const refused = [...used].filter(([, { engines }]) => !acceptsFloor(engines?.node ?? ">=0"));
  expect(refused.map(([path, { engines }]) => `${path} wants ${engines?.node}`)).toEqual([]);
  expect([">=22", "^22", "^18 || ^16", ">=20.20"].filter(acceptsFloor)).toEqual([]);
  expect([">=v12.22.7", ">= 14.6", "^16 || >=20", "^20.1", ">=0.8.x"].every(acceptsFloor)).toBe(true);
});
