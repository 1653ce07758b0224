// Writes docs/dev/requirements.md: every numbered requirement, and the test files with names that begin with its number; then what an
// outside tester found, with the tests of outside-tests.mjs. With --check, it only reports whether the page is current, which
// requirement lacks a mandatory test, and which named test does not exist. It writes nothing while one does not.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { FIRST_HOUR, STORM } from "./outside-tests.mjs";

const TARGET = "docs/dev/requirements.md";
const INVARIANTS = "src/simulator/weeks/invariant.ts";
const { scripts: SCRIPTS } = JSON.parse(readFileSync("package.json", "utf8"));
const BENCHES = readdirSync("bench")
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => [...readFileSync(join("bench", name), "utf8").matchAll(/^ {2}name: "([\w-]+)"/gm)])
  .map(([, name]) => name);

/** Each requirement in a few words; `open` names the missing part. */
const REQUIREMENTS = {
  "R-01": {
    title: "A recording missed during an outage of the recorder is failed, and its message names the outage",
  },
  "R-02": { title: "Plan and heartbeat are on disk: each window in an outage gives one missed outcome" },
  "R-03": { title: "A recorder started inside a window records at once and reports the delay" },
  "R-04": { title: "A recording is completed only with verified payload of the event" },
  "R-05": { title: "A recording is running only with payload on disk; an empty capture leaves no file" },
  "R-06": { title: "No recording stays running without data or after its window" },
  "R-07": { title: "A full disk or a write error ends a recording, and its message says so" },
  "R-08": { title: "Reports follow the commit, in order; none goes back and none is lost" },
  "R-09": {
    title: "A failed, late, damaged or conflicting recording gives one notification, delivered at least once",
  },
  "R-10": { title: "The ledger answers why a timer was not recorded" },
  "R-11": { title: "A failed answer changes nothing" },
  "R-12": { title: "Empty and shrunken lists are quarantined" },
  "R-13": { title: "The order of a list does not matter; forgets come first" },
  "R-14": { title: "An unchanged list causes no write; a rescheduled timer keeps its recording" },
  "R-15": { title: "A malformed timer is reported on its own; the others are processed" },
  "R-16": { title: "An event with a new id keeps its recording" },
  "R-17": { title: "A booking made here is sent once" },
  "R-18": { title: "An update never cancels a running recording; moved and longer events are followed" },
  "R-19": { title: "Reports give the event, never the padded window, and no duration below a minute" },
  "R-20": { title: "Every capable tuner is tried, with bounded back-off, until the window ends" },
  "R-21": { title: "Tuners, files and processes are released at the end" },
  "R-22": { title: "Services of one multiplex need one tuner" },
  "R-23": { title: "Recordings on one shared stream do not affect one another" },
  "R-24": { title: "Back-to-back windows on one service use one tuner, and both files contain the overlap" },
  "R-25": { title: "Adjacent windows on one tuner lose padding, and the reports say so" },
  "R-26": { title: "k recordings that begin together on k tuners all start" },
  "R-27": { title: "A recording takes a tuner from any less important use" },
  "R-28": { title: "A dropped stream leaves a gap, and the same recording continues" },
  "R-29": { title: "Only retention or a request removes payload" },
  "R-30": { title: "A recording has one writer" },
  "R-31": {
    title: "Space is reserved, low space stops the least important recordings, and a full disk is predicted",
  },
  "R-32": { title: "A missing mount counts as storage offline, not as deletion" },
  "R-33": { title: "Invalid file names are made safe, and no two recordings share one" },
  "R-34": { title: "Killing the recorder during a recording loses no packet" },
  "R-35": { title: "Times are UTC inside, and names are unambiguous when an hour occurs twice" },
  "R-36": { title: "An untrusted clock makes no terminal decision, and a clock step causes a replan" },
  "R-37": { title: "A timer 60 days ahead does not fire at once" },
  "R-38": {
    title: "The next wake is published, set and read back; sleep is inhibited",
    open: "waking a real machine is untested; only `npm run test:systemd` tests a real logind",
  },
  "R-39": { title: "No output contains secrets" },
  "R-40": { title: "Names are refreshed until the recording begins" },
  "R-41": { title: "The running status may extend a recording, but never ends it early" },
  "R-42": { title: "Every wait has a deadline, every queue a limit" },
  "R-43": { title: "A 401 keeps the token, causes back-off, and ends with a sign-in" },
  "R-44": { title: "Every external failure has a code, and none ends the process" },
  "R-45": { title: "One report per timer and sync, with the most specific cause" },
};
/** Each of these needs a test. */
const PROVEN = Object.keys(REQUIREMENTS).filter((id) => id <= "R-19" || id >= "R-35");

const TEXTS = new Map();
const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .sort()
  .flatMap((path) => namesIn(join("test", path)));
const invariants = [...readFileSync(INVARIANTS, "utf8").matchAll(/^ {2}\| "(R-\d\d .*)"/gm)].map(
  ([, name]) => name,
);
const text = pageOf();
const missing = [
  ...PROVEN.filter((id) => !tests.some(({ ids }) => ids.includes(id))).map(
    (id) => `no test name begins with ${id} (${REQUIREMENTS[id].title})`,
  ),
  ...[...FIRST_HOUR, ...STORM].flatMap(missingOf),
];
for (const each of missing) console.error(each);

if (process.argv.includes("--check")) {
  const isCurrent = readFileSync(TARGET, "utf8") === text;
  if (!isCurrent) console.error(`${TARGET} is not current: node scripts/make-requirements.mjs`);
  process.exitCode = isCurrent && missing.length === 0 ? 0 : 1;
} else if (missing.length > 0) {
  process.exitCode = 1;
} else {
  writeFileSync(TARGET, text);
}

/** Tests whose names begin with numbers of requirements; a range counts for none. */
function namesIn(file) {
  const source = readFileSync(file, "utf8");
  // Reading the syntax of all tests takes seconds.
  if (!/["'`]R-\d\d/.test(source)) return [];
  return textsIn(file, source).flatMap(({ text: name, isName }) => {
    const start = isName ? /^(?:R-\d\d,? )+(?!…)/.exec(name)?.[0] : undefined;
    return start === undefined ? [] : [{ file, ids: start.match(/R-\d\d/g) }];
  });
}

/** The texts of a file, and whether each is part of the name of a test. Several findings name one file. */
function textsIn(file, source) {
  const known = TEXTS.get(file);
  if (known !== undefined) return known;
  const found = [];
  TEXTS.set(file, found);
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) found.push({ text: node.text, isName: namesTests(node) });
    // A name with values in it, as it is written.
    if (ts.isTemplateExpression(node))
      found.push({ text: node.getText().slice(1, -1), isName: namesTests(node) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
  return found;
}

/** The tests, scripts and benchmarks that a finding names and that do not exist. */
function missingOf({ holds, tests: named, scripts = [], benches = [] }) {
  const unknown = Object.entries(named).flatMap(([file, names]) => {
    if (!existsSync(file)) return [file];
    const texts = textsIn(file, readFileSync(file, "utf8"));
    return names
      .map((name) => [name].flat())
      .filter(
        ([name, row]) =>
          !texts.some(({ text: written, isName }) => isName && written.includes(name)) ||
          (row !== undefined && !texts.some(({ text: written }) => written === row)),
      )
      .map((name) => `${file}: ${name.join(", ")}`);
  });
  return [
    ...unknown.map((name) => `no test ${name}`),
    ...scripts.filter((name) => !(name in SCRIPTS)).map((name) => `no script ${name}`),
    ...benches.filter((name) => !BENCHES.includes(name)).map((name) => `no benchmark ${name}`),
  ].map((what) => `${what} (${holds})`);
}

/** Whether a text is an argument of `it`, `test` or `describe`, or of their tables, outside the function that they run. */
function namesTests(node) {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at)) return false;
    if (ts.isCallExpression(at) && /^(?:it|test|describe)\b/.test(at.expression.getText())) return true;
  }
  return false;
}

function pageOf() {
  const rows = Object.entries(REQUIREMENTS).map(([id, { title, open }]) => {
    const gap = open === undefined ? "" : ` **Incomplete:** ${open}.`;
    return `| ${id} | ${title}.${gap} | ${testsText(id)} | ${invariantsText(id)} |`;
  });
  return `# Requirements and their tests

\`node scripts/make-requirements.mjs\` writes this page from the names of the tests and the invariants of the simulated weeks
([simulation.md](simulation.md)). A test fails if this page is out of date, or if one of R-01 to R-19 and R-35 to R-45 has no
test with its number. A requirement without a test on this page is unproven. What an outside tester found is in
\`scripts/outside-tests.mjs\`; the same test fails if a test that is named there does not exist.

| | requirement | tests | invariants of simulated weeks |
| --- | --- | --- | --- |
${rows.join("\n")}

## The first hour

An outside tester installed the product on bare machines, as a newcomer who follows the README to the word. Each thing that failed
in that hour holds now.

${findingsText(FIRST_HOUR)}

## The storm

The same tester killed, filled, damaged and misled the recorder on purpose. Each thing that it did not withstand holds now.

${findingsText(STORM)}
`;
}

function findingsText(findings) {
  const rows = findings.map(({ holds, tests: named, scripts = [], benches = [] }, at) => {
    const shown = [
      ...Object.entries(named).map(([file, names]) => `\`${file}\`: ${names.map(nameText).join("; ")}`),
      ...scripts.map((name) => `\`npm run ${name}\``),
      ...benches.map((name) => `\`npm run bench -- ${name}\``),
    ];
    return `| ${at + 1} | ${cell(holds)}. | ${shown.join("<br>")} |`;
  });
  return ["| | what holds | tests |", "| --- | --- | --- |", ...rows].join("\n");
}

function nameText(name) {
  const [part, row] = [name].flat();
  return cell(row === undefined ? `“${part}”` : `“${part}” (${row})`);
}

function testsText(id) {
  const files = new Set(tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file));
  return files.size === 0 ? "none yet" : [...files].map((file) => `\`${file}\``).join("<br>");
}

function invariantsText(id) {
  return invariants
    .filter((name) => name.startsWith(id))
    .map((name) => cell(name.slice(id.length + 1)))
    .join("<br>");
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
