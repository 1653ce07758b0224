// npm-package.mjs MODULES OUT: makes the npm package in the folder OUT and prints its file. In it are the packages that MODULES
// has, as package-lock.json says: neither overrides nor a lock of ours count where npm installs a file.
// docs/dev/decisions/0043-complete-packages.md
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isNeeded } from "./needed-files.mjs";
import { documents } from "./package-documents.mjs";

const ROOT = dirname(import.meta.dirname);
const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
process.chdir(ROOT);
mkdirSync(out, { recursive: true });
const work = mkdtempSync(join(out, "npm-"));
const folder = join(work, "package");
// npm selects our files by `files`.
for (const { path } of pack({ from: ROOT, more: ["--dry-run"] }).files)
  cpSync(join(ROOT, path), join(folder, path));
const pages = [...documents()];
for (const path of pages) cpSync(join(ROOT, path), join(folder, path));
cpSync(modules, join(folder, "node_modules"), { recursive: true, filter: isNeeded });

const { devDependencies: _tools, overrides: _forced, scripts: _scripts, ...kept } = read("package.json");
const versionOf = (name) => read(join("node_modules", name, "package.json")).version;
const dependencies = Object.fromEntries(
  Object.keys(kept.dependencies).map((name) => [name, versionOf(name)]),
);
const files = [...kept.files, ...pages];
const manifest = { ...kept, files, dependencies, bundleDependencies: true };
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(join(out, pack({ from: folder, more: ["--pack-destination", out] }).filename));
rmSync(work, { recursive: true });

function read(name) {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** @returns what npm says of the package in `from` */
function pack({ from, more }) {
  const options = {
    cwd: from,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  };
  return JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", ...more], options))[0];
}
