import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSay, type Say } from "../../src/words/catalogue.ts";
import { textsOf } from "../../src/words/language.ts";
import { casesOf, IS_LONG } from "../lane.ts";
import { type Browser, openBrowser, openPage } from "./browser.ts";
import { CUT, OVERLAPS } from "./cut.ts";
import { LONG_TITLES, openLargeHousehold } from "./large-household.ts";
import { PAGES } from "./places.ts";

const HEIGHT = 900;
/** A list of all there is may be as long as it has to be. */
const LISTS = ["/guide", "/recordings", "/timers"];

const WIDTHS = [390, 1024, 1440];
/** Thousands of timers take seconds for each page. */
const SIZES = (
  [
    { channels: 16, timers: 5, entries: 5, locale: "ja", widths: IS_LONG ? WIDTHS : [390, 1440] },
    { channels: 200, timers: 5000, entries: 2000, locale: "de", widths: WIDTHS },
  ] as const
).slice(0, casesOf({ sample: 1, all: 2 }));

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Each dialog, and how it is opened. */
const DIALOGS: Readonly<Record<string, (page: Page, say: Say) => Promise<void>>> = {
  "a planned recording": async (page) => {
    await page.goto("/timers#recording/r1");
  },
  "a finished recording": async (page) => {
    await page.goto("/recordings#recording/old1");
  },
  "the guide service": async (page) => {
    await page.goto("/more#guide-service");
  },
  "a new rule": async (page, say) => {
    await page.goto("/series");
    await page.getByRole("button", { name: say("rules-new") }).click();
    await page.getByRole("dialog").getByText(say("rules-more")).click();
  },
  "a show": async (page) => {
    await page.goto("/guide");
    await page
      .getByRole("button", { name: new RegExp(`^(\\d+:\\d+ )?${LONG_TITLES[0]}`) })
      .first()
      .click();
  },
};

async function expectFits(page: Page, what: string): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), `${what}: too wide`).toBe(
    false,
  );
  expect(await page.evaluate(CUT), `${what}: cut`).toEqual([]);
  expect(await page.evaluate(OVERLAPS), `${what}: overlaps`).toEqual([]);
}

describe.each(SIZES)(
  "with $channels channels and $timers timers, in $locale,",
  ({ locale, widths, ...size }) => {
    let household: Awaited<ReturnType<typeof openLargeHousehold>>;
    beforeAll(async () => {
      household = await openLargeHousehold(size);
    });
    afterAll(() => household[Symbol.asyncDispose]());

    it.each(widths)("each page and dialog fits at %s px", async (width) => {
      const say = createSay({ locale, text: await textsOf(locale) });
      const { page } = await openPage(browser, { base: household.base, width, height: HEIGHT, locale });
      for (const path of PAGES) {
        await page.goto(path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.getByRole("status").first().waitFor({ state: "attached" });
        if (path === "/guide") await page.locator("button.cell, .on-air-now").first().waitFor();
        await expectFits(page, path);
        const screens = await page.evaluate<number>("document.documentElement.scrollHeight / innerHeight");
        if (!LISTS.includes(path)) expect(screens, `${path}: screens`).toBeLessThanOrEqual(3);
      }
      for (const [name, open] of Object.entries(DIALOGS)) {
        await open(page, say);
        await page.getByRole("dialog").waitFor();
        await expectFits(page, name);
        await page.goto("about:blank");
      }
      await page.close();
    });
  },
);
