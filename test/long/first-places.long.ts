import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openPage } from "../dashboard/browser.ts";
import {
  ACCOUNT,
  answerGuide,
  answerRecordings,
  answerTuner,
  answerUser,
  episodesOf,
  Home,
  makeAccount,
} from "../dashboard/first-steps.ts";
import { listing } from "../guide-server/xmltv/listing.ts";
import { faultsAt, READERS } from "./readers.ts";

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

const STEPS = ["guide", "recorder", "tuners", "recordings", "user", "check"];
const GUIDE_PAGES = ["/", "/pages/guide", "/pages/series", "/pages/channels", "/pages/more", "/pages/users"];
const CHANNEL = "tv.101002210220";

let browser: Awaited<ReturnType<typeof openBrowser>>;
let home: Home;
let guide = "";
let recorder = "";
/** The sessions at the guide server and at setup. */
let cookies: Cookies = [];

beforeAll(async () => {
  browser = await openBrowser();
  home = await Home.open();
  const start = Math.ceil(Date.now() / 1000) * 1000;
  const episodes = episodesOf({ channel: CHANNEL, title: "Harbour Watch", start });
  await writeFile(join(home.path, "guide.xml"), listing({ [CHANNEL]: "Harbour One" }, episodes));
  const all = await home.runAll("guide.xml");
  guide = new URL(all.guide).origin;
  recorder = new URL(all.recorder).origin;
  const { page } = await openPage(browser, { base: guide });
  await makeAccount(page, home);
  await page.goto(all.recorder);
  await answerGuide(page, { url: all.guide, account: ACCOUNT });
  await answerTuner(page, { kind: "mock", address: all.air, offers: "1 of the 1" });
  await answerRecordings(page, { folder: join(home.path, "recordings"), before: 1, after: 1 });
  await answerUser(page);
  await page.getByRole("button", { name: "Save and start" }).waitFor();
  cookies = await page.context().cookies();
  await page.close();
});

afterAll(async () => {
  await browser?.close();
  await home?.[Symbol.asyncDispose]();
});

async function asHousehold(page: Page, address: string): Promise<void> {
  await page.context().addCookies(cookies);
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Setup, with every answer given: each of its steps can be opened. */
const OF_SETUP = STEPS.map((step, at) => ({
  name: `setup, ${step}`,
  base: () => recorder,
  open: async (page: Page) => {
    await asHousehold(page, "/");
    await page.locator(".steps button").nth(at).click();
    await page.locator("#step-title").waitFor();
  },
}));

const OF_GUIDE_SERVER = GUIDE_PAGES.map((path) => ({
  name: `guide server, ${path}`,
  base: () => guide,
  open: async (page: Page) => asHousehold(page, path),
}));

const SIGN_IN = {
  name: "guide server, sign-in",
  base: () => guide,
  open: async (page: Page) => {
    await page.goto("/");
    await page.locator("form").first().waitFor();
  },
};

const SIGN_IN_AT_SETUP = {
  name: "setup, sign-in",
  base: () => recorder,
  open: async (page: Page) => {
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
  },
};

/** Every language is seen on a phone: each has its longest words. */
const VIEWERS = READERS.map((reader) =>
  reader.scheme === "light" ? { ...reader, width: 390 as const } : reader,
);

it.each(VIEWERS)(
  "a reader of $language, $scheme, at $width pixels, finds no fault in setup, at sign-in and on the guide server's pages",
  async (reader) => {
    const faults: string[] = [];
    for (const { base, ...place } of [SIGN_IN, SIGN_IN_AT_SETUP, ...OF_SETUP, ...OF_GUIDE_SERVER]) {
      const isList = place.name.includes("guide server, /pages/guide");
      faults.push(...(await faultsAt(browser, reader, { ...place, base: base(), isList })));
    }
    expect(faults).toEqual([]);
  },
);
