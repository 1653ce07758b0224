// Writes docs/dev/requirements.md: every numbered requirement, and where tests have names that begin with its number. With --check it
// only says whether the page is current, and which requirement that must be proven has no test.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const TARGET = "docs/dev/requirements.md";
const INVARIANTS = "src/simulator/weeks/invariant.ts";

/** In a few words; `open` says what of it is not built. */
const REQUIREMENTS = {
  "R-01": { title: "What was missed while the recorder was off is failed, and says when it was off" },
  "R-02": { title: "Plan and heartbeat are on disk: each window in the dead time gives one missed outcome" },
  "R-03": { title: "Started inside a window, it records at once and says how late" },
  "R-04": { title: "Completed needs verified bytes of the event" },
  "R-05": { title: "Running only with payload on disk; an empty capture leaves no file" },
  "R-06": { title: "Nothing stays running: no data, or past the end, leads on" },
  "R-07": { title: "A full disk or a write error fails, and says so" },
  "R-08": { title: "Told only once committed, in order, never back, never lost" },
  "R-09": { title: "Failed, late, damaged, conflicting: one notification, at least once" },
  "R-10": { title: "Why was this not recorded: answered from the ledger" },
  "R-11": { title: "A failed answer changes nothing" },
  "R-12": { title: "Empty and shrunken lists are quarantined" },
  "R-13": { title: "Any order of a list gives the same; forgets first" },
  "R-14": { title: "The same list writes nothing; a rescheduled timer stays itself" },
  "R-15": { title: "A malformed timer is reported for itself, the others are processed" },
  "R-16": { title: "An event with a new id keeps its recording" },
  "R-17": { title: "What is ordered here is ordered once" },
  "R-18": { title: "An update never cancels what runs; moved and longer events are followed" },
  "R-19": { title: "The event is reported, never the padded window; no duration below a minute" },
  "R-20": { title: "Every capable tuner is tried, with bounded back-off, until the window ends" },
  "R-21": { title: "Nothing is held after the end" },
  "R-22": { title: "Services of one multiplex need one tuner" },
  "R-23": { title: "Recordings on one shared stream do not affect one another" },
  "R-24": { title: "Back-to-back windows on one service: one tuner, both files hold the overlap" },
  "R-25": { title: "Touching windows on one tuner trim padding, and say so" },
  "R-26": { title: "k starts at once on k tuners all start" },
  "R-27": { title: "A recording takes a tuner from any lower use" },
  "R-28": { title: "A dropped stream is a gap, and goes on in the same recording" },
  "R-29": { title: "Payload is removed by retention or request only" },
  "R-30": { title: "One writer to a recording" },
  "R-31": { title: "Bytes are reserved, low water closes the least, the full day is foretold" },
  "R-32": { title: "A missing mount is storage offline, not deletion" },
  "R-33": { title: "Names that cannot be are made safe; no two share one" },
  "R-34": { title: "The recorder may be killed during a recording without a lost packet" },
  "R-35": { title: "UTC inside, names unambiguous in the hour that comes twice" },
  "R-36": { title: "No terminal decision on a clock that is not trusted; jumps re-plan" },
  "R-37": { title: "A timer 60 days ahead does not fire at once" },
  "R-38": {
    title: "The next wake is published, set and read back; sleep is inhibited",
    open: "a clock that wakes a real machine was not tried; that a real logind keeps it awake is shown by `npm run test:systemd` alone",
  },
  "R-39": { title: "Secrets are shown nowhere" },
  "R-40": { title: "Names are refreshed until the recording begins" },
  "R-41": { title: "Running-status may extend, never end early" },
  "R-42": { title: "Every wait has a deadline, every queue a limit" },
  "R-43": { title: "A 401 keeps the token, backs off, and heals by signing in" },
  "R-44": { title: "Each failure of the way has its code; none ends the process" },
  "R-45": { title: "One report per timer and sync, the most specific cause" },
};
/** These must each have a test. */
const PROVEN = Object.keys(REQUIREMENTS).filter((id) => id <= "R-19" || id >= "R-35");

const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .sort()
  .flatMap((path) => namesIn(join("test", path)));
const invariants = [...readFileSync(INVARIANTS, "utf8").matchAll(/^ {2}\| "(R-\d\d .*)"/gm)].map(
  ([, name]) => name,
);
const text = pageOf();
const unproven = PROVEN.filter((id) => !tests.some(({ ids }) => ids.includes(id)));

if (process.argv.includes("--check")) {
  const isCurrent = readFileSync(TARGET, "utf8") === text;
  if (!isCurrent) console.error(`${TARGET} is not current: node scripts/make-requirements.mjs`);
  for (const id of unproven) console.error(`no test is named by ${id} (${REQUIREMENTS[id].title})`);
  process.exitCode = isCurrent && unproven.length === 0 ? 0 : 1;
} else {
  writeFileSync(TARGET, text);
}

/** Tests whose names begin with numbers of requirements; a range names none of them. */
function namesIn(file) {
  const found = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) && namesTests(node)) {
      const start = /^(?:R-\d\d,? )+(?!…)/.exec(node.text)?.[0];
      if (start !== undefined) found.push({ file, ids: start.match(/R-\d\d/g) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true));
  return found;
}

/** Whether a text is an argument of `it`, `test` or `describe`, or of their tables, and not within what they run. */
function namesTests(node) {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at)) return false;
    if (ts.isCallExpression(at) && /^(?:it|test|describe)\b/.test(at.expression.getText())) return true;
  }
  return false;
}

function pageOf() {
  const rows = Object.entries(REQUIREMENTS).map(([id, { title, open }]) => {
    const gap = open === undefined ? "" : ` **Not all of it:** ${open}.`;
    return `| ${id} | ${title}.${gap} | ${testsText(id)} | ${invariantsText(id)} |`;
  });
  return `# Requirements, and what proves them

Written by \`node scripts/make-requirements.mjs\` from the names of the tests and from the invariants that simulated weeks are held against
([simulation.md](simulation.md)). A test fails when this page is not current, or when one of R-01 to R-19 and R-35 to R-45 has no
test that is named by it. A requirement without a test here is not proven, whatever is built of it.

| | requirement | tests | invariants of simulated weeks |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
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
