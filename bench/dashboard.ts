import { chromium } from "playwright-core";
import { openDashboardDoor } from "./dashboard-door.ts";
import { largeWorld } from "./dashboard-world.ts";
import { type Benchmark, type Measures, ms } from "./harness.ts";

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

/** Chromium on the dashboard as it is built, served as the daemon serves it, on loopback. Needs `npm run build` and Chromium. */
export const dashboardBenchmark: Benchmark = {
  name: "dashboard",
  open: async () => {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-gpu"],
    });
    const cases = SIZES.flatMap((size) =>
      ["/", "/timers", "/recordings"].map((path) => ({
        name: `${path}, ${size.timers} timers, ${size.entries} recordings`,
        run: () => visit(browser, { path, size }),
      })),
    );
    return { cases, [Symbol.asyncDispose]: () => browser.close() };
  },
};

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
