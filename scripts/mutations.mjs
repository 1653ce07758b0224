// Removes each protection of the recorder in turn and checks that the simulated weeks detect it; writes docs/dev/mutations.md.
//   node scripts/mutations.mjs                 all protections (npm run mutations)
//   node scripts/mutations.mjs --only "a name" --only …   these only; the other rows of the page stay
//   node scripts/mutations.mjs --seeds 20      fewer seeds; a later seed may still detect a mutation
//   node scripts/mutations.mjs --page          rewrites the page from the table, with the findings on the page
//   node scripts/mutations.mjs --check         no simulation: every patch applies, and the page lists every protection
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import ts from "typescript";
import { PROTECTIONS } from "./mutation-table.mjs";

const TARGET = "docs/dev/mutations.md";
const SEEDS_MAX = 200;
/** A week takes about a second on an idle machine; one this long never ends. */
const WEEK_MS = 240_000;
/** One test with its imports. */
const TEST_MS = 120_000;
/** The files that a named test needs. */
const COPIED = ["src", "test", "scripts/built.mjs", "package.json", "tsconfig.json", "vitest.config.ts"];
const UNNOTICED = "**not noticed**";
const ENDLESS = "the week never ends";

const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    only: { type: "string", multiple: true },
    page: { type: "boolean" },
    seeds: { type: "string" },
  },
});
const seeds = Math.min(SEEDS_MAX, Number(values.seeds ?? SEEDS_MAX));
const complaints = PROTECTIONS.flatMap(misfits);
if (complaints.length === 0 && values.check !== true) await measure(values.page === true ? [] : values.only);
if (values.check === true) complaints.push(...staleness());
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? (process.exitCode ?? 0) : 1;

async function measure(only = PROTECTIONS.map(({ name }) => name)) {
  const unknown = only.filter((name) => !PROTECTIONS.some((each) => each.name === name));
  if (unknown.length > 0) throw new Error(`no protection is called: ${unknown.join(", ")}`);
  mkdirSync("build", { recursive: true });
  const rows = rowsOf(readPage());
  for (const protection of PROTECTIONS.filter(({ name }) => only.includes(name))) {
    const found = await findingOf(protection);
    if (found === undefined) process.exitCode = 1;
    const text = found ?? UNNOTICED;
    console.log(`${protection.name}: ${text}`);
    rows.set(protection.name, text);
  }
  writeFileSync(TARGET, pageOf(rows));
}

/** The reasons why a protection cannot be removed. */
function misfits({ name, file, edits, test }) {
  const isThere = test === undefined || readFileSync(test.file, "utf8").includes(test.name);
  const missing = isThere ? [] : [`${name}: ${test.file} has no test called: ${test.name}`];
  const unfit = edits
    .map((edit) => ({ file, ...edit }))
    .map((edit) => ({ ...edit, times: readFileSync(edit.file, "utf8").split(edit.find).length - 1 }))
    .filter(({ times }) => times !== 1)
    .map((edit) => `${name}: in ${edit.file}, expected once, found ${edit.times} times:\n${edit.find}`);
  return [...missing, ...unfit];
}

/** The sources without the protection, by their paths. */
function patched({ file, edits }) {
  const sources = new Map();
  for (const { find, put, file: path = file } of edits) {
    const source = sources.get(path) ?? readFileSync(path, "utf8");
    sources.set(
      path,
      source.replace(find, () => put),
    );
  }
  return sources;
}

/** Builds the recorder without the protection, next to the unpatched build. */
function buildWithout(protection) {
  const folder = mkdtempSync("build/mutation-");
  cpSync("dist", folder, { recursive: true });
  for (const [path, source] of patched(protection)) {
    const { outputText } = ts.transpileModule(source, { compilerOptions: COMPILER_OPTIONS });
    writeFileSync(join(folder, path.replace(/^src\//, "").replace(/\.ts$/, ".js")), outputText);
  }
  return folder;
}

/** The check that detects the mutation: the named test, otherwise the first seed. In the page's wording. */
async function findingOf(protection) {
  if (protection.test !== undefined) return testThatFails(protection);
  const found = await seedThatBreaks(protection);
  return found === undefined ? undefined : `seed ${found.seed}: ${found.invariant}`;
}

/** The named test passes with the sources as they are, and fails without the protection. */
function testThatFails(protection) {
  const { file, name } = protection.test;
  const folder = mkdtempSync("build/mutation-");
  try {
    for (const path of COPIED) {
      cpSync(path, join(folder, path), { recursive: true });
    }
    const sound = runTest(folder, protection.test);
    if (sound.passed !== 1 || sound.failed !== 0) {
      throw new Error(`${file}: “${name}” must pass once without a patch: ${sound.text}`);
    }
    for (const [path, source] of patched(protection)) writeFileSync(join(folder, path), source);
    const { failed } = runTest(folder, protection.test);
    return failed === 1 ? `test: ${name} (${file})` : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTest(folder, { file, name }) {
  const pattern = `${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
  const vitest = join(process.cwd(), "node_modules/vitest/vitest.mjs");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, "run", "--root", folder, file, "--testNamePattern", pattern, "--reporter", "json"],
    { encoding: "utf8", timeout: TEST_MS },
  );
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(stdout);
    return { passed, failed, text: `${passed} passed, ${failed} failed` };
  } catch {
    return { passed: 0, failed: 0, text: `${stdout}${stderr}` };
  }
}

/** The first seed that detects the mutation, and the broken invariant. */
async function seedThatBreaks(protection) {
  const folder = buildWithout(protection);
  const child = spawn(process.execPath, ["scripts/mutation-weeks.mjs", folder, "1", String(seeds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve, reject) => {
    child.on("close", resolve);
    child.on("error", reject);
  });
  let seed = 0;
  let isEndless = false;
  const giveUp = () => {
    isEndless = true;
    child.kill("SIGKILL");
  };
  let patience = setTimeout(giveUp, WEEK_MS);
  let found;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      clearTimeout(patience);
      patience = setTimeout(giveUp, WEEK_MS);
      const said = JSON.parse(line);
      seed = said.seed;
      if (said.invariant !== undefined) found = said;
    }
    const code = await ended;
    if (isEndless) return { seed, invariant: ENDLESS };
    if (code !== 0) throw new Error(`${protection.name}: the simulation of seed ${seed} failed`);
    return found;
  } finally {
    clearTimeout(patience);
    rmSync(folder, { recursive: true, force: true });
  }
}

function readPage() {
  try {
    return readFileSync(TARGET, "utf8");
  } catch {
    return "";
  }
}

/** The findings on the page, by protection. */
function rowsOf(page) {
  const rows = page.matchAll(/^\| (?<name>[^|]+) \| [^|]+ \| [^|]+ \| (?<found>[^|]+) \|$/gm);
  return new Map([...rows].map(({ groups }) => [groups.name, groups.found]));
}

function pageOf(rows) {
  const lines = PROTECTIONS.map(
    ({ name, decides, without }) =>
      `| ${name} | ${decides} | ${without} | ${rows.get(name) ?? "not yet measured"} |`,
  );
  return `# What the simulation notices

\`npm run mutations\` writes this page. For each protection in \`scripts/mutation-table.mjs\`, it removes the protection from a copy of the
recorder with an exact patch. Then it simulates one week for each seed, 1 to ${SEEDS_MAX}, with every kind of fault
([simulation.md](simulation.md)), until an invariant of \`src/simulator/weeks/invariant.ts\` breaks. If none breaks, the simulation
needs a better one. The unpatched recorder must keep all of them: \`npm run test:long\` checks these seeds, and \`npm test\` the first.
Checked last on 2026-11-26, without the long tests: seeds 1 to 100, 118 and 173 kept them.

Some protections matter only in a rare moment, such as an event that moves in the seconds in which its file is made. For these, the
table names a test, which must pass with the protection and fail without it. \`test/house/docs.test.ts\` fails if a patch no longer
applies, or if this page does not list the whole table.

| protection | requirement or decision | without it | detected by |
| --- | --- | --- | --- |
${lines.join("\n")}
`;
}

/** The ways in which the page is out of date. */
function staleness() {
  const page = readPage();
  const rows = rowsOf(page);
  const current = page === pageOf(rows);
  const open = PROTECTIONS.filter(({ name }) => rows.get(name) === UNNOTICED);
  return [
    ...(current ? [] : [`${TARGET} does not match the table: run npm run mutations`]),
    ...open.map(({ name }) => `${TARGET} lists a mutation that nothing detects: ${name}`),
  ];
}
