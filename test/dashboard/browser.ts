import { createRequire } from "node:module";
import { join } from "node:path";
import type Axe from "axe-core";
import { type Browser as Chromium, chromium, type Page } from "playwright-core";
import { endWithWorker } from "../end-of-worker.ts";
import { environmentOfChromium, shiftClock } from "./shifted-clock.ts";

/** Opens pages, each with a profile of its own. Closing it closes them. */
export interface Browser extends AsyncDisposable {
  newPage: Chromium["newPage"];
  close(): Promise<void>;
}

/** Starting Chromium takes seconds: all files of a worker share one, which ends with the worker. */
let shared: Promise<Chromium> | undefined;
endWithWorker(async () => (await shared)?.close());

export async function openBrowser(): Promise<Browser> {
  // A test may have brought it down.
  if ((await shared)?.isConnected() === false) shared = undefined;
  shared ??= launch();
  const chromium = await shared;
  const pages = new Set<Page>();
  const close = async () => {
    await Promise.all([...pages].map((page) => page.context().close()));
    pages.clear();
  };
  return {
    async newPage(options) {
      const page = await chromium.newPage(options);
      await shiftClock(page);
      pages.add(page);
      page.on("close", () => pages.delete(page));
      return page;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Chromium without its windows, which take a third of its processor time. `npm test` installs it. */
function launch(): Promise<Chromium> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell",
    // Its sandbox needs namespaces, which containers do not have; what it shows is our own.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--in-process-gpu"],
    env: environmentOfChromium(),
  });
}

/** A zone in which it is between six and seven in the evening: the day of the guide has hours left. */
export function eveningZone(): string {
  const ahead = ((18 - new Date().getUTCHours() + 35) % 24) - 11;
  // POSIX counts hours behind UTC.
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

/** A page that notes its requests to other hosts and its errors. */
export interface Watched {
  readonly page: Page;
  /** Addresses of requests to other hosts. */
  readonly strangers: readonly string[];
  /** Errors of scripts, and of the content security policy. */
  readonly errors: readonly string[];
}

export async function openPage(
  browser: Browser,
  {
    base,
    width = 1280,
    height = 800,
    dark = false,
    isSelfSigned = false,
    locale = "en-GB",
    hasTouch = false,
    timeZone = "Europe/Berlin",
  }: {
    readonly base: string;
    readonly width?: number;
    readonly height?: number;
    readonly dark?: boolean;
    /** The certificate is none that browsers know. */
    readonly isSelfSigned?: boolean;
    /** The browser's language. */
    readonly locale?: string;
    /** Has a touch screen and no mouse. */
    readonly hasTouch?: boolean;
    /** The browser's zone. */
    readonly timeZone?: string;
  },
): Promise<Watched> {
  const page = await browser.newPage({
    baseURL: base,
    ignoreHTTPSErrors: isSelfSigned,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    locale,
    hasTouch,
    isMobile: hasTouch,
    timezoneId: timeZone,
  });
  page.setDefaultTimeout(150_000);
  const strangers: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(data|blob):/.test(url)) strangers.push(url);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    const { url } = message.location();
    // A recording that has just begun has no picture yet, and a busy machine may be too slow to make one: the page shows its channel.
    const isPictureLacking =
      url.endsWith("/thumbnail") && /^Failed to load resource: .* (404|409)/.test(message.text());
    if (message.type() === "error" && !isPictureLacking) errors.push(`${message.text()} (${url})`);
  });
  return { page, strangers, errors };
}

const UNDER_MORE = ["Timeline", "Timers", "Tuners", "Log", "Users"];

/** Goes to a page by clicks. */
export async function goTo(page: Page, name: string): Promise<void> {
  const places = page.getByRole("navigation", { name: "Pages" });
  const isUnderMore = UNDER_MORE.includes(name);
  await places.getByRole("link", { name: isUnderMore ? "More" : name }).click();
  if (isUnderMore) await page.getByRole("main").getByRole("link", { name, exact: true }).click();
}

/** Has the recorder ask its guide service for timers, by clicks. */
export async function syncNow(page: Page): Promise<void> {
  await goTo(page, "More");
  await page.getByRole("button", { name: "Sync now" }).click();
}

/** Signs out, by clicks. */
export async function signOut(page: Page): Promise<void> {
  await goTo(page, "More");
  await page.getByRole("button", { name: "Sign out" }).click();
}

/** Names of rules and the elements that break them. axe describes other elements only if asked. */
const FAULTS = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 200)).join(" | ")))`;

/** The short form: each page gets it anew, and the long one has 1.5 MB. */
const { source: AXE }: typeof Axe = createRequire(import.meta.url)("axe-core/axe.min.js");

/** The faults that axe-core finds in the page, rule by rule: WCAG 2.2 AA and good practice. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Not as a script of the page: its policy lets none in.
  if (await page.evaluate("window.axe === undefined")) await page.evaluate(AXE);
  return page.evaluate(FAULTS);
}

/** Saves a picture for docs/screenshots if SCREENSHOTS=1 is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env["SCREENSHOTS"] === undefined) return;
  await page.screenshot({ path: join("docs/screenshots", `${name}.png`) });
}
