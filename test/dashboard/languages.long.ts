import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { createSay, type Say } from "../../src/words/catalogue.ts";
import { textsOf } from "../../src/words/language.ts";
import { IS_LONG, LANGUAGES_SHOWN } from "../lane.ts";
import { openPage, violations } from "./browser.ts";
import { CUT } from "./cut.ts";
import { type Household, openHousehold } from "./household.ts";
import { PAGES, ready } from "./places.ts";

/** Nothing else on the pages has such a minute. */
const MINUTE_OF_ALL = 37;
const TITLE =
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft: 連続テレビ小説";

let household: Household;
let start: number;

beforeAll(async () => {
  household = await openHousehold(8, undefined, { timeZone: "Asia/Tokyo" });
  start = Math.ceil(Date.now() / HOUR) * HOUR + 2 * HOUR + MINUTE_OF_ALL * MINUTE;
  const { world, deviceId } = household.world;
  for (const channel of [2, 5]) {
    const event = { channel, title: `${channel} ${TITLE}`, start, durationMs: 60 * MINUTE };
    await world.book(event, deviceId);
  }
});
afterAll(() => household[Symbol.asyncDispose]());

/** Places of the navigation whose name is wider than its place. */
const WIDE_NAMES = `[...document.querySelectorAll("nav a")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)`;

/** A new rule with all its conditions and the preview of a show with a long title. */
async function openRuleDialog(page: Page, say: Say): Promise<void> {
  await page.goto("/series");
  await page.getByRole("button", { name: say("rules-new") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(say("rules-more")).click();
  await dialog.getByLabel(say("rules-field-words")).fill(TITLE);
  await dialog
    .getByRole("region", { name: say("rules-preview-list") })
    .getByRole("listitem")
    .first()
    .waitFor();
}

describe.each(LANGUAGES_SHOWN)("on a phone in %s", (language) => {
  it("every page fits, and nothing is cut", async () => {
    const watched = await openPage(household.browser, { base: household.base, width: 390, locale: language });
    const { page } = watched;
    const say = createSay({ locale: language, text: await textsOf(language) });
    for (const path of PAGES) {
      await ready(page, path);
      expect(await page.evaluate("document.documentElement.lang"), path).toBe(language);
      expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), path).toBe(false);
      expect(await page.evaluate(CUT), path).toEqual([]);
      if (IS_LONG) expect(await violations(page), path).toEqual([]);
    }
    await openRuleDialog(page, say);
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), "rule").toBe(false);
    expect(await page.evaluate(CUT), "rule").toEqual([]);
    expect(await violations(page), "rule").toEqual([]);
    await page.keyboard.press("Escape");
    expect(await page.evaluate(WIDE_NAMES)).toEqual([]);
    await page.getByRole("link", { name: say("nav-tonight"), exact: true }).click();
    await page.getByRole("heading", { name: say("decision-title") }).waitFor();
    if (!IS_LONG) expect(await violations(page)).toEqual([]);
    expect(watched.errors).toEqual([]);
    await page.close();
  });
});

it("times are those of the reader, whatever the zone of the recorder and the server is", async () => {
  const { page } = await openPage(household.browser, { base: household.base });
  const inBerlin = (at: number) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: "Europe/Berlin",
      hour: "2-digit",
      minute: "2-digit",
    }).format(at);
  const own = new Set([start, start + HOUR].map(inBerlin));
  for (const path of ["/", "/timers", "/timeline"]) {
    await ready(page, path);
    await page.getByText(inBerlin(start)).first().waitFor({ state: "attached" });
    for (const summary of await page.locator("main summary").all()) await summary.click();
    const text = (await page.locator("body").textContent()) ?? "";
    const times = text.match(new RegExp(`\\d\\d:${MINUTE_OF_ALL}`, "g")) ?? [];
    expect(
      times.filter((time) => !own.has(time)),
      path,
    ).toEqual([]);
  }
  await ready(page, "/guide");
  await page.getByRole("searchbox").fill(`2 ${TITLE}`);
  await page.getByRole("list", { name: "Search results" }).getByRole("button").first().click();
  const shown = await page.getByRole("dialog").textContent();
  expect(new Set(shown?.match(/\d\d:37/g))).toEqual(own);
  await page.close();
});
