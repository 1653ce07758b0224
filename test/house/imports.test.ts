import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FOLDERS, mayImport } from "../../scripts/import-table.mjs";
import { inLong } from "../lane.ts";

const SCRIPT = resolve("scripts/check-imports.mjs");
const PACKAGES = [
  "undici",
  "fast-xml-parser",
  "node-cron",
  "fluent-ffmpeg",
  "pino",
  "lowdb",
  "yaml",
  "fastify",
  "commander",
];

let folder: string;
/** The findings of the check for `files`: path → text. */
async function said(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await rm(join(folder, "src"), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const run = promisify(execFile)(process.execPath, [SCRIPT], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
  const { stderr } = await run.catch((error: { readonly stderr: string }) => error);
  return stderr.split("\n").filter((line) => line !== "");
}

const imports = (...names: readonly string[]) => names.map((name) => `import "${name}";\n`).join("");
const WORD = "export const word = 1;\n";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-imports-"));
  for (const name of [".dependency-cruiser.cjs", "tsconfig.json"]) await copyFile(name, join(folder, name));
  for (const name of [...PACKAGES, "zod", "left-pad"]) {
    const at = join(folder, "node_modules", name);
    await mkdir(at, { recursive: true });
    await writeFile(
      join(at, "package.json"),
      `{ "name": "${name}", "version": "1.0.0", "main": "index.js" }`,
    );
    await writeFile(join(at, "index.js"), "");
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the import rules", () => {
  it("accept allowed imports", async () => {
    expect(
      await said({
        "src/model/a.ts": WORD,
        "src/model/time.ts": imports("./a.ts"),
        "src/kit/time/clock.ts": `${imports("../../model/time.ts", "node:timers/promises")}setTimeout(() => {}, 1); Date.now();\n`,
        "src/recorder/engine/core/decide.ts": imports("../../../model/a.ts", "./closing.ts"),
        "src/recorder/engine/core/closing.ts": imports("../../../model/a.ts"),
        "src/recorder/engine/runtime/acts.ts": imports("node:fs", "../core/decide.ts"),
        "src/recorder/capture/a.ts": `${imports("../../model/a.ts", "../../kit/time/clock.ts", "zod")}// Date.now(), process.env\nnew Date(0);\n`,
        "src/recorder/tune/registry.ts": imports("./drivers/a.ts"),
        "src/recorder/tune/drivers/a.ts": imports("../../../model/a.ts"),
        "src/recorder/store/a.ts": imports("lowdb", "zod"),
        "src/main.ts": `${imports("commander")}process.exit(0);\n`,
      }),
    ).toEqual([]);
  });

  it("reject each import between folders that the table does not allow", async () => {
    const names = Object.keys(FOLDERS);
    const fileIn = (name: string) => (name.endsWith(".ts") ? name : `${name}/planted.ts`);
    const forbidden = new Set<string>();
    const files: Record<string, string> = {};
    for (const name of names) {
      const from = fileIn(name);
      const others = names.map(fileIn).filter((to) => to !== from && !mayImport(from, to));
      for (const to of others) forbidden.add(`folders: src/${from} → src/${to}`);
      const specs = others.map((to) => `./${relative(dirname(from), to)}`.replace("./..", ".."));
      files[`src/${from}`] = imports(...specs);
    }
    const told = (await said(files)).filter((line) => line.startsWith("folders: "));
    expect(told.sort()).toEqual([...forbidden].sort());
    expect(forbidden.size).toBeGreaterThan(1000);
  }, 120_000);

  it("name only existing folders, and pure folders import only pure ones", () => {
    for (const [name, { pure, imports: others }] of Object.entries(FOLDERS)) {
      for (const path of [name, ...others])
        expect([path, existsSync(join("src", path))]).toEqual([path, true]);
      if (pure) expect([name, others.filter((other) => FOLDERS[other]?.pure !== true)]).toEqual([name, []]);
    }
  });

  inLong("fail if they checked nothing, for any reason", async () => {
    const told = await said({ "src/model/a.ts": WORD, "src/model/b.ts": WORD });
    expect(told).toEqual(["only 0 imports seen in 2 files"]);
  });
});

describe("the check of a tree that breaks every rule", () => {
  const ambient = [
    "Date.now();",
    "new Date();",
    "new Date().getTime();",
    "setTimeout(() => {}, 1);",
    "setInterval(() => {}, 1);",
    "setImmediate(() => {});",
    "performance.now();",
    "AbortSignal.timeout(1);",
    "Math.random();",
    "process.env;",
    "process.hrtime();",
  ];
  const files: Record<string, string> = {
    "src/model/a.ts": imports("node:fs", "left-pad"),
    "src/model/b.ts": imports("./c.ts"),
    "src/model/c.ts": imports("./b.ts"),
    "src/recorder/engine/core/decide.ts": imports("../gone.ts"),
    "src/recorder/engine/core/settle.ts": imports("node:fs"),
    "src/recorder/store/a.ts": imports(
      "left-pad",
      "node:timers",
      "node:timers/promises",
      "node:perf_hooks",
      "node:process",
    ),
    "src/recorder/tune/drivers/a.ts": imports("./b.ts"),
    "src/recorder/tune/drivers/b.ts": WORD,
    "src/recorder/config/a.ts": imports("../tune/drivers/b.ts", "../../../test/a.ts"),
    "test/a.ts": WORD,
    "src/web/packages.ts": imports(...PACKAGES),
    "src/elsewhere/a.ts": imports("../model/a.ts"),
    "src/model/ambient.ts": ambient.join("\n"),
  };
  let told: readonly string[];
  beforeAll(async () => {
    told = await said(files);
  });

  it("names a file that is in no folder of the table", () => {
    expect(told).toContain("folders: src/elsewhere/a.ts is in no folder of scripts/import-table.mjs");
  });

  it("names each violation", () => {
    const lines = new Set(told.map((line) => line.replace(/ → node_modules\/.*/, "")));
    for (const expected of [
      "no-cycles: src/model/b.ts → src/model/c.ts",
      "pure: src/model/a.ts → fs",
      "pure: src/model/a.ts",
      "pure: src/recorder/engine/core/settle.ts → fs",
      "drivers-know-no-driver: src/recorder/tune/drivers/a.ts → src/recorder/tune/drivers/b.ts",
      "only-the-registry-names-drivers: src/recorder/config/a.ts → src/recorder/tune/drivers/b.ts",
      "src-knows-no-test: src/recorder/config/a.ts → test/a.ts",
      "every-package-has-an-owner: src/recorder/store/a.ts",
      "time-comes-from-the-clock: src/recorder/store/a.ts → timers",
      "time-comes-from-the-clock: src/recorder/store/a.ts → timers/promises",
      "time-comes-from-the-clock: src/recorder/store/a.ts → perf_hooks",
      "the-process-belongs-to-main: src/recorder/store/a.ts → process",
      "not-unresolvable: src/recorder/engine/core/decide.ts → ../gone.ts",
      ...PACKAGES.map((name) => `owner-of-${name}: src/web/packages.ts`),
    ]) {
      expect(lines).toContain(expected);
    }
  });

  it("names each use of clocks, timers, randomness and the process outside their folders", () => {
    const found = told.flatMap((line) => /^ambient: src\/model\/ambient\.ts:(\d+) /.exec(line)?.[1] ?? []);
    expect(found.map(Number).sort((a, b) => a - b)).toEqual(ambient.map((_, index) => index + 1));
  });
});
