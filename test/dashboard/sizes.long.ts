import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSay } from "../../src/words/catalogue.ts";
import { textsOf } from "../../src/words/language.ts";
import { type Browser, openBrowser, openPage } from "./browser.ts";
import { CUT, OVERLAPS } from "./cut.ts";
import { openLargeHousehold } from "./large-household.ts";
import { LARGE_PLACES, LISTS } from "./large-places.ts";

const HEIGHT = 900;
const SCREENS_MAX = 3;
const LOCALE = "ja";
/** All places, all sizes, and what axe-core finds in them: test/long/every-size.long.ts. */
const DIALOGS = ["a planned recording", "a finished recording", "the guide service", "a new rule", "a show"];
const PLACES = LARGE_PLACES.filter(({ name }) => name.startsWith("/") || DIALOGS.includes(name));

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function expectFits(page: Page, what: string): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), `${what}: too wide`).toBe(
    false,
  );
  expect(await page.evaluate(CUT), `${what}: cut`).toEqual([]);
  expect(await page.evaluate(OVERLAPS), `${what}: overlaps`).toEqual([]);
  const screens = await page.evaluate<number>("document.documentElement.scrollHeight / innerHeight");
  const isPage = what.startsWith("/") && !LISTS.includes(what);
  if (isPage) expect(screens, `${what}: screens`).toBeLessThanOrEqual(SCREENS_MAX);
}

describe(`with 16 channels and 5 timers with long titles, in ${LOCALE},`, () => {
  let household: Awaited<ReturnType<typeof openLargeHousehold>>;
  beforeAll(async () => {
    household = await openLargeHousehold({ channels: 16, timers: 5, entries: 5 });
  });
  afterAll(() => household[Symbol.asyncDispose]());

  it.each([390, 1440])("each page and dialog fits at %s px", async (width) => {
    const say = createSay({ locale: LOCALE, text: await textsOf(LOCALE) });
    const place = { base: household.base, width, height: HEIGHT, locale: LOCALE };
    const { page } = await openPage(browser, place);
    for (const { name, open } of PLACES) {
      await open(page, say);
      await expectFits(page, name);
      await page.goto("about:blank");
    }
    await page.close();
  });
});
