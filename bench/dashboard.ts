import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { openDashboardDoor } from "./dashboard-door.ts";
import { largeWorld } from "./dashboard-world.ts";
import { type Benchmark, type Case, type Measures, ms } from "./harness.ts";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";
const SIZES = [
  { timers: 50, entries: 20 },
  { timers: 5000, entries: 2000 },
];

/** In the page: when what the recorder told is on the screen, and when a new title is. */
const STOPWATCH = `
  const shown = (find, then) => {
    const look = () => (find() ? requestAnimationFrame(() => then(performance.now())) : requestAnimationFrame(look));
    look();
  };
  window.contentMs = new Promise((resolve) =>
    shown(() => document.querySelector("a.line, a.tonight-row, a.shelf-item"), resolve));
  window.titleAt = (title) => new Promise((resolve) =>
    shown(() => document.body.textContent.includes(title), (at) => resolve(performance.timeOrigin + at)));
`;

/** Benchmarks of this and of another version. */
type Built = { readonly dashboardBenchmark: Benchmark | typeof dashboardBenchmark };

/**
 * Chromium on the dashboard as it is built, served as the daemon serves it, on loopback. Needs `npm run build` and Chromium.
 *
 * @param against folder of another version, built with its benchmarks: its cases run in turns with these
 */
export function dashboardBenchmark({ against }: { readonly against?: string | undefined }): Benchmark {
  return {
    name: "dashboard",
    open: async (folder) => {
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ["--no-sandbox", "--disable-gpu"],
      });
      const own = SIZES.flatMap((size) =>
        ["/", "/timers", "/recordings"].map((path) => ({
          name: `${path}, ${size.timers} timers, ${size.entries} recordings`,
          run: () => visit(browser, { path, size }),
        })),
      );
      const other = against === undefined ? undefined : await openOther(against, folder);
      const measures = ["first paint", "content on screen"];
      return {
        cases: own.flatMap((each) => [each, ...(other?.casesOf(each.name) ?? [])]),
        ratios:
          other === undefined ? [] : own.map(({ name }) => ({ over: name, under: before(name), measures })),
        async [Symbol.asyncDispose]() {
          await browser.close();
          await other?.close();
        },
      };
    },
  };
}

const before = (name: string) => `${name}, before`;

/** The benchmark of another version. It finds its pages in the current folder. */
async function openOther(against: string, folder: string) {
  const { dashboardBenchmark: built } = (await import(resolve(against, "build/bench/dashboard.js"))) as Built;
  const opened = await (typeof built === "function" ? built({}) : built).open(folder);
  return {
    casesOf: (name: string): readonly Case[] =>
      opened.cases
        .filter((each) => each.name === name)
        .map(({ run }) => ({ name: before(name), run: () => inFolder(against, run) })),
    close: () => opened[Symbol.asyncDispose](),
  };
}

async function inFolder(folder: string, run: Case["run"]): Promise<Measures> {
  const here = process.cwd();
  process.chdir(folder);
  try {
    return await run();
  } finally {
    process.chdir(here);
  }
}

async function visit(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  { path, size }: { readonly path: string; readonly size: (typeof SIZES)[number] },
): Promise<Measures> {
  let { snapshot, entries } = largeWorld(Date.now(), size);
  await using door = await openDashboardDoor({
    snapshot: () => snapshot,
    entries: () => entries,
    channels: [],
    shows: [],
  });
  const page = await browser.newPage({ baseURL: door.base });
  try {
    await page.addInitScript(STOPWATCH);
    await page.goto(path);
    const contentMs: number = await page.evaluate("window.contentMs");
    const paintMs: number = await page.evaluate(
      `performance.getEntriesByName("first-contentful-paint")[0].startTime`,
    );
    const sentBytes: number = await page.evaluate(
      `performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)`,
    );
    const seen = page.evaluate<number>(`window.titleAt("New title")`);
    // The page has begun to look before anything changes.
    await page.evaluate("1");
    const [first, ...others] = snapshot.recordings;
    const [newest, ...older] = entries;
    if (first === undefined || newest === undefined) throw new Error("an empty world");
    snapshot = { ...snapshot, recordings: [{ ...first, name: "New title" }, ...others] };
    entries = [{ ...newest, name: "New title" }, ...older];
    const changedAt = performance.timeOrigin + performance.now();
    door.events.touch();
    const eventMs = (await seen) - changedAt;
    return {
      "first paint": ms(paintMs),
      "content on screen": ms(contentMs),
      "event to screen": ms(eventMs),
      // The stream of events is not among them: it goes on.
      "sent for the page": { value: sentBytes / 1000, unit: "kB" },
    };
  } finally {
    await page.close();
  }
}
