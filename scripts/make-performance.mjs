// node scripts/make-performance.mjs [captures FIGURES.json] [long FIGURES.json] [profile FIGURES.json]: takes in what `npm run bench --
// captures --save FIGURES.json` (or `profile`) found, as docs/dev/captures.json, docs/dev/captures-long.json and docs/dev/captures-profile.json,
// and makes of those that are there the tables in docs/dev/performance.md (each between its two marks) and docs/dev/captures.svg.
// Run by hand, where the figures were taken on a machine with nothing else to do. With --check alone it only says whether all is current.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DOCS = join(import.meta.dirname, "../docs/dev");
/** A run of all contenders, one for a long time, and what the loops do. */
const RUNS = [
  { name: "captures", benchmark: "captures", file: "captures.json", hasPlot: true },
  { name: "long", benchmark: "captures", file: "captures-long.json", hasPlot: false },
  { name: "profile", benchmark: "profile", file: "captures-profile.json", hasPlot: false },
];
const COLOURS = ["#0b6e4f", "#1f6feb", "#b35900", "#8250df", "#6e7781", "#cf222e"];
/** Capture-only contenders are shown as part of their product. */
const PANELS = [
  { measure: "cpu", part: "captures, cpu", title: "CPU seconds per recording and minute" },
  { measure: "memory", part: "captures, memory", title: "memory of all processes (PSS), MB" },
];
const PART_OF = "recorderd, host";
const PART_NAME = "of it the host by itself";
const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [300, 200, 50, 30, 70];

const isCheck = process.argv[2] === "--check";
for (let at = 2; at + 1 < process.argv.length; at += 2) await takeIn(process.argv[at], process.argv[at + 1]);
for (const run of RUNS) {
  const text = await readFile(join(DOCS, run.file), "utf8").catch(() => undefined);
  if (text !== undefined) await make(run, JSON.parse(text));
}

async function put(name, text) {
  const path = join(DOCS, name);
  const before = await readFile(path, "utf8").catch(() => "");
  if (before === text) return;
  if (!isCheck) return await writeFile(path, text);
  process.stderr.write(`docs/dev/${name} is not current: node scripts/make-performance.mjs\n`);
  process.exitCode = 1;
}

async function takeIn(name, path) {
  const run = RUNS.find((each) => each.name === name);
  if (run === undefined) throw new Error(`one of ${RUNS.map((each) => each.name).join(", ")}, not ${name}`);
  const { machine, notes, results } = JSON.parse(await readFile(path, "utf8"));
  const mine = results.filter(({ benchmark }) => benchmark === run.benchmark);
  const rows = mine.map((each) => JSON.stringify(each, (_, value) => rounded(value))).join(",\n");
  const head = `"machine": ${JSON.stringify(machine)},\n"notes": ${JSON.stringify(notes)}`;
  await writeFile(join(DOCS, run.file), `{\n${head},\n"results": [\n${rows}\n]\n}\n`);
}

function rounded(value) {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

async function make({ name, hasPlot }, { machine, notes, results }) {
  const cases = results.map((result) => {
    const [, over, count, under] = /^(.+?) × (\d+)(?: \/ (.+) × \d+)?$/.exec(result.case);
    return {
      ...result,
      name: under === undefined ? over : `${over} / ${under}`,
      count: Number(count),
      under,
    };
  });
  const counts = [...new Set(cases.map(({ count }) => count))].sort((a, b) => a - b);
  if (hasPlot) await put("captures.svg", plot(cases, counts));
  const { processor, cores, memoryGiB, system, node } = machine;
  const rounds = Math.max(...cases.map((each) => each.rounds));
  const about = `${cores} cores (${processor}), ${memoryGiB} GiB, ${system}, Node.js ${node}; ${rounds} ${rounds === 1 ? "round" : "rounds"}.`;
  const made = [
    [about, ...notes.map((note) => `${note}.`)].join(" "),
    ...(hasPlot ? ["![CPU time and memory by recordings at once](captures.svg)"] : []),
    table(cases, { counts, isRatio: false }),
    table(cases, { counts, isRatio: true }),
  ];
  const page = await readFile(join(DOCS, "performance.md"), "utf8");
  const [begin, end] = [`<!-- ${name} -->`, `<!-- ${name} end -->`];
  const [before, rest = ""] = page.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`docs/dev/performance.md has no ${begin} … ${end}`);
  await put("performance.md", `${before}${begin}\n${made.filter(Boolean).join("\n\n")}\n${end}${after}`);
}

/** A row for each measure of each contender, a column for each size. */
function table(cases, { counts, isRatio }) {
  const mine = cases.filter(({ under }) => (under !== undefined) === isRatio);
  if (mine.length === 0) return "";
  const measures = [...new Set(mine.map(({ measure }) => measure))];
  const rows = measures.flatMap((measure) => {
    const having = mine.filter((each) => each.measure === measure);
    return [...new Set(having.map(({ name }) => name))].map((name) => {
      const cells = counts.map((count) =>
        spread(having.find((each) => each.name === name && each.count === count)),
      );
      const { unit } = having[0];
      return `| ${[unit === "" || isRatio ? measure : `${measure}, ${unit}`, name, ...cells].join(" | ")} |`;
    });
  });
  return [
    `| ${[isRatio ? "ratio" : "measure", "", ...counts.map((count) => `× ${count}`)].join(" | ")} |`,
    `| --- | --- |${counts.map(() => " --- |").join("")}`,
    ...rows,
  ].join("\n");
}

/** Middle, and smallest to largest where that is something else. */
function spread(result) {
  if (result === undefined) return "";
  const [min, median, max] = [result.min, result.median, result.max].map(figure);
  return min === max ? median : `${median} (${min} … ${max})`;
}

/** JSON knows no NaN: what was not seen is null. */
function figure(value) {
  if (value === null) return "–";
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function plot(cases, counts) {
  const names = [...new Set(cases.filter(({ under }) => under === undefined).map(({ name }) => name))];
  const series = [
    ...names.map((name, nth) => ({ name, of: name, colour: COLOURS[nth], isPart: false })),
    ...(names.includes(PART_OF)
      ? [
          {
            name: `${PART_OF}: ${PART_NAME}`,
            of: PART_OF,
            colour: COLOURS[names.indexOf(PART_OF)],
            isPart: true,
          },
        ]
      : []),
  ];
  const width = PANELS.length * (WIDTH + GAP) + LEFT;
  const height = TOP + HEIGHT + 40 + 18 * series.length;
  const legend = series.map(({ name, colour, isPart }, nth) => {
    const y = TOP + HEIGHT + 50 + 18 * nth;
    return `<line x1="${LEFT}" x2="${LEFT + 14}" y1="${y - 4}" y2="${y - 4}" stroke="${colour}" stroke-width="3"${dashes(isPart)}/><text x="${LEFT + 20}" y="${y}">${escaped(name)}</text>`;
  });
  const lines = [...PANELS.map((each, nth) => panel(each, { nth, cases, counts, series })), ...legend];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">\n<title>CPU time and memory by recordings at once</title>\n<rect width="100%" height="100%" fill="#fff"/>\n${lines.join("\n")}\n</svg>\n`;
}

function dashes(isPart) {
  return isPart ? ' stroke-dasharray="4 3"' : "";
}

function panel({ measure, part, title }, { nth, cases, counts, series }) {
  const mine = cases.filter(({ under }) => under === undefined);
  const pointsOf = ({ of, isPart }) =>
    mine
      .filter((each) => each.name === of && each.measure === (isPart ? part : measure))
      .sort((a, b) => a.count - b.count);
  const top = Math.max(...series.flatMap(pointsOf).map(({ max }) => max));
  const x0 = LEFT + nth * (WIDTH + GAP);
  const x = (count) =>
    x0 + (counts.length < 2 ? WIDTH / 2 : (WIDTH * counts.indexOf(count)) / (counts.length - 1));
  const y = (value) => (TOP + HEIGHT * (1 - value / top)).toFixed(1);
  const drawn = series.map((each) => {
    const points = pointsOf(each);
    const path = points.map(({ count, median }) => `${x(count)},${y(median)}`).join(" ");
    const spreads = points.map(
      ({ count, min, max }) =>
        `<line x1="${x(count)}" x2="${x(count)}" y1="${y(min)}" y2="${y(max)}" stroke="${each.colour}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${each.colour}" stroke-width="2"${dashes(each.isPart)}/>${spreads.join("")}`;
  });
  const steps = [0, 0.5, 1].map(
    (share) =>
      `<line x1="${x0}" x2="${x0 + WIDTH}" y1="${y(share * top)}" y2="${y(share * top)}" stroke="#ddd"/><text x="${x0 - 6}" y="${Number(y(share * top)) + 4}" text-anchor="end">${figure(share * top)}</text>`,
  );
  const marks = counts.map(
    (count) => `<text x="${x(count)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${count}</text>`,
  );
  return [`<text x="${x0}" y="16">${title}</text>`, ...steps, ...marks, ...drawn].join("\n");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
