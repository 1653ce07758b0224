import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";

const DIST = join(import.meta.dirname, "../../dist");

/** The content of each file of the program. */
const files = new Map(
  readdirSync(DIST)
    .filter((name) => /^(main|daemon)[^/]*\.js$/.test(name))
    .map((name) => [name, readFileSync(join(DIST, name), "utf8")]),
);

/** The files that are loaded with a file, directly or through others. */
function loadedWith(name: string, loaded: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  if (loaded.has(name)) return loaded;
  const imports = (files.get(name) ?? "").matchAll(/^import (?:.* from )?"([^"]+)";$/gm);
  return [...imports].reduce<ReadonlySet<string>>(
    (all, [, from = ""]) => loadedWith(from.replace(/^\.\//, ""), all),
    new Set([...loaded, name]),
  );
}

const daemon = () => [...loadedWith("main.js"), ...loadedWith("daemon.js")];

it("the daemon consists of few files, and its start loads no other package except fluent-ffmpeg", () => {
  const others = daemon().filter((name) => !files.has(name) && !isBuiltin(name));
  expect(others).toEqual(["fluent-ffmpeg"]);
  expect(daemon().filter((name) => files.has(name)).length).toBeLessThanOrEqual(8);
});

it("the daemon loads the driver of PostgreSQL only in a fleet", () => {
  const holders = [...files].filter(([, text]) => text.includes("node_modules/pg/")).map(([name]) => name);
  const ofDaemon = holders.filter((name) => name.startsWith("daemon"));
  expect(ofDaemon).not.toEqual([]);
  expect(daemon().filter((name) => ofDaemon.includes(name))).toEqual([]);
});

it("the daemon's files lack unused parts: other languages, schema compilers, request injection", () => {
  const text = daemon()
    .map((name) => files.get(name) ?? "")
    .join("\n");
  expect(text.length).toBeGreaterThan(100_000);
  for (const part of ["zod/v4/locales/he.js", "node_modules/ajv/", "light-my-request/"])
    expect(text).not.toContain(part);
  // The files name the origin of each part; without these names the search above would prove nothing.
  expect(text).toContain("node_modules/zod/v4/");
});

it("a command loads its own part of the program, not the daemon's or that of other commands", () => {
  const loaded = [
    ...loadedWith("main.js"),
    ...loadedWith("main.commands.js"),
    ...loadedWith("main.status.js"),
  ];
  const bytes = loaded.reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
  const all = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(all / 8);
});

it("every file of the program is stored with one byte for each character", () => {
  const wide = [...files].filter(([, text]) => /[^\0-\xff]/.test(text)).map(([name]) => name);
  expect(wide).toEqual([]);
});
