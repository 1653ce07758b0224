import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SCRIPT = resolve("scripts/check-imports.mjs");
const STAGES = ["sync", "plan", "tune", "capture", "inspect", "report"];
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
/** What the check says of `files`: path → text. */
async function said(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await rm(join(folder, "src"), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const run = promisify(execFile)(process.execPath, [SCRIPT], { cwd: folder });
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
  it("let pass what they allow", async () => {
    expect(
      await said({
        "src/model/a.ts": WORD,
        "src/kit/time/clock.ts":
          `${imports("../model/a.ts", "node:timers/promises")}setTimeout(() => {}, 1); Date.now();\n`.replace(
            "model/a",
            "model/time",
          ),
        "src/model/time.ts": imports("./a.ts"),
        "src/recorder/engine/core/decide.ts": imports("../model/a.ts", "./closing.ts"),
        "src/recorder/engine/core/closing.ts": imports("../model/a.ts"),
        "src/recorder/engine/runtime/closing-acts.ts": imports("node:fs", "../capture/a.ts"),
        "src/capture/a.ts": `${imports("../model/a.ts", "../kit/clock.ts", "zod")}// Date.now(), process.env\nnew Date(0);\n`,
        "src/recorder/tune/registry.ts": imports("./drivers/a.ts"),
        "src/tune/drivers/a.ts": imports("../../model/a.ts"),
        "src/site/a.ts": imports("./b.ts", "../model/a.ts", "../kit/clock.ts", "zod"),
        "src/site/b.ts": imports("../model/a.ts"),
        "src/store/a.ts": imports("lowdb", "zod"),
        "src/main.ts": `${imports("commander")}process.exit(0);\n`,
      }),
    ).toEqual([]);
  });

  it("fire one by one, each for what it forbids", async () => {
    const files: Record<string, string> = {
      "src/model/a.ts": imports("node:fs"),
      "src/model/b.ts": imports("./c.ts"),
      "src/model/c.ts": imports("./b.ts"),
      "src/recorder/engine/core/decide.ts": imports("./engine.ts", "../gone.ts"),
      "src/recorder/engine/runtime/engine.ts": WORD,
      "src/recorder/engine/core/settle.ts": imports("node:fs"),
      "src/kit/a.ts": imports("../model/b.ts", "../engine/engine.ts"),
      "src/guide/a.ts": 'import type { word } from "../engine/engine.ts";\n',
      "src/site/a.ts": imports("../engine/engine.ts", "../guide/a.ts", "../ports.ts"),
      "src/model/ports.ts": WORD,
      "src/web/a.ts": imports("../engine/engine.ts", "../store/a.ts"),
      "src/store/a.ts": imports(
        "left-pad",
        "node:timers",
        "node:timers/promises",
        "node:perf_hooks",
        "node:process",
      ),
      "src/tune/drivers/a.ts": imports("./b.ts"),
      "src/tune/drivers/b.ts": WORD,
      "src/config/a.ts": imports("../tune/drivers/b.ts", "../../test/a.ts"),
      "test/a.ts": WORD,
      "src/packages.ts": imports(...PACKAGES),
    };
    for (const [index, stage] of STAGES.entries()) {
      const next = STAGES[(index + 1) % STAGES.length];
      files[`src/${stage}/stage.ts`] = imports(`../${next}/other.ts`);
      files[`src/${stage}/other.ts`] = WORD;
    }
    const told = new Set((await said(files)).map((line) => line.replace(/ → node_modules\/.*/, "")));
    for (const expected of [
      "no-cycles: src/model/b.ts → src/model/c.ts",
      "model-imports-nothing: src/model/a.ts → fs",
      "pure-imports-pure: src/recorder/engine/core/decide.ts → src/recorder/engine/runtime/engine.ts",
      "pure-imports-pure: src/recorder/engine/core/settle.ts → fs",
      "kit-knows-no-television: src/kit/a.ts → src/model/b.ts",
      "kit-knows-no-television: src/kit/a.ts → src/recorder/engine/runtime/engine.ts",
      "guide-knows-only-words: src/guide/a.ts → src/recorder/engine/runtime/engine.ts",
      "site-knows-no-recorder: src/site/a.ts → src/recorder/engine/runtime/engine.ts",
      "site-knows-no-recorder: src/site/a.ts → src/guide/a.ts",
      "site-knows-no-recorder: src/site/a.ts → src/model/ports.ts",
      "people-see-the-daemon-through-ports: src/web/a.ts → src/recorder/engine/runtime/engine.ts",
      "people-see-the-daemon-through-ports: src/web/a.ts → src/store/a.ts",
      "drivers-know-no-driver: src/tune/drivers/a.ts → src/tune/drivers/b.ts",
      "only-the-registry-names-drivers: src/config/a.ts → src/tune/drivers/b.ts",
      "src-knows-no-test: src/config/a.ts → test/a.ts",
      "every-package-has-an-owner: src/store/a.ts",
      "time-comes-from-the-clock: src/store/a.ts → timers",
      "time-comes-from-the-clock: src/store/a.ts → timers/promises",
      "time-comes-from-the-clock: src/store/a.ts → perf_hooks",
      "the-process-belongs-to-main: src/store/a.ts → process",
      "not-unresolvable: src/recorder/engine/core/decide.ts → ../gone.ts",
      ...PACKAGES.map((name) => `owner-of-${name}: src/packages.ts`),
      ...STAGES.map((stage, index) => {
        const next = STAGES[(index + 1) % STAGES.length];
        return `stage-${stage}-knows-no-other-stage: src/${stage}/stage.ts → src/${next}/other.ts`;
      }),
    ]) {
      expect(told).toContain(expected);
    }
  });

  it("fire for clocks, timers, chance and the process out of their place", async () => {
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
    const told = await said({
      "src/model/a.ts": imports("./b.ts", "./c.ts"),
      "src/model/b.ts": imports("./c.ts"),
      "src/model/c.ts": ambient.join("\n"),
    });
    const lines = told.map((line) => Number(/:(\d+) /.exec(line)?.[1])).sort((a, b) => a - b);
    expect(lines).toEqual(ambient.map((_, index) => index + 1));
  });

  it("fire when nothing was seen, whatever the reason", async () => {
    const told = await said({ "src/model/a.ts": WORD, "src/model/b.ts": WORD });
    expect(told).toEqual(["only 0 imports seen in 2 files"]);
  });
});
