// node scripts/make-performance.mjs FIGURES.json: what `npm run bench -- captures --json` found, as a table in docs/performance.md
// (between its two marks) and as docs/captures.svg. Run by hand, where the figures were taken on a machine with nothing else to do.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DOCS = join(import.meta.dirname, "../docs");
const [BEGIN, END] = ["<!-- captures -->", "<!-- captures end -->"];
const COLOURS = ["#0b6e4f", "#1f6feb", "#b35900", "#8250df", "#6e7781"];
const PANELS = [
  { measure: "cpu", title: "CPU seconds per recording and minute" },
  { measure: "memory", title: "memory of all processes (PSS), MB" },
];
const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [300, 200, 50, 30, 70];

const { machine, results } = JSON.parse(await readFile(process.argv[2] ?? "", "utf8"));
const captures = results.filter(({ benchmark }) => benchmark === "captures");
const cases = captures.flatMap((result) => {
  const [, name, count] = /^([^/]+) × (\d+)$/.exec(result.case) ?? [];
  return name === undefined ? [] : [{ ...result, name, count: Number(count) }];
});
const names = [...new Set(cases.map(({ name }) => name))];
const counts = [...new Set(cases.map(({ count }) => count))].sort((a, b) => a - b);

await writeFile(join(DOCS, "captures.svg"), plot());
const page = await readFile(join(DOCS, "performance.md"), "utf8");
const [before, rest = ""] = page.split(BEGIN);
const [, after] = rest.split(END);
if (after === undefined) throw new Error(`docs/performance.md has no ${BEGIN} … ${END}`);
await writeFile(join(DOCS, "performance.md"), `${before}${BEGIN}\n${table()}\n${END}${after}`);

function table() {
  const { processor, cores, memoryGiB, system, node } = machine;
  const rows = captures.map(({ case: name, measure, unit, rounds, ...spread }) => {
    const figures = ["min", "median", "max"].map((which) => figure(spread[which]));
    return `| ${[name, measure, ...figures, unit, rounds].join(" | ")} |`;
  });
  return [
    `${cores} cores (${processor}), ${memoryGiB} GiB, ${system}, Node.js ${node}.`,
    "",
    "![CPU time and memory by recordings at once](captures.svg)",
    "",
    "| case | measure | min | median | max | unit | rounds |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** JSON knows no NaN: what was not seen is null. */
function figure(value) {
  if (value === null) return "–";
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function plot() {
  const width = PANELS.length * (WIDTH + GAP) + LEFT;
  const height = TOP + HEIGHT + 40 + 18 * names.length;
  const legend = names.map((name, nth) => {
    const y = TOP + HEIGHT + 50 + 18 * nth;
    return `<rect x="${LEFT}" y="${y - 9}" width="14" height="4" fill="${COLOURS[nth]}"/><text x="${LEFT + 20}" y="${y}">${escaped(name)}</text>`;
  });
  const lines = [...PANELS.map(panel), ...legend].join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">\n<title>CPU time and memory by recordings at once</title>\n<rect width="100%" height="100%" fill="#fff"/>\n${lines}\n</svg>\n`;
}

function panel({ measure, title }, nth) {
  const mine = cases.filter((each) => each.measure === measure);
  const top = Math.max(...mine.map(({ max }) => max));
  const x0 = LEFT + nth * (WIDTH + GAP);
  const x = (count) =>
    x0 + (counts.length < 2 ? WIDTH / 2 : (WIDTH * counts.indexOf(count)) / (counts.length - 1));
  const y = (value) => TOP + HEIGHT * (1 - value / top);
  const series = names.map((name, at) => {
    const points = mine.filter((each) => each.name === name).sort((a, b) => a.count - b.count);
    const path = points.map(({ count, median }) => `${x(count)},${y(median)}`).join(" ");
    const spreads = points.map(
      ({ count, min, max }) =>
        `<line x1="${x(count)}" x2="${x(count)}" y1="${y(min)}" y2="${y(max)}" stroke="${COLOURS[at]}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${COLOURS[at]}" stroke-width="2"/>${spreads.join("")}`;
  });
  const steps = [0, 0.5, 1].map(
    (share) =>
      `<line x1="${x0}" x2="${x0 + WIDTH}" y1="${y(share * top)}" y2="${y(share * top)}" stroke="#ddd"/><text x="${x0 - 6}" y="${y(share * top) + 4}" text-anchor="end">${figure(share * top)}</text>`,
  );
  const marks = counts.map(
    (count) => `<text x="${x(count)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${count}</text>`,
  );
  return [`<text x="${x0}" y="16">${title}</text>`, ...steps, ...marks, ...series].join("\n");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
