import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "../../src/model/time.ts";
import { createSay } from "../../src/words/catalogue.ts";
import { textsOf } from "../../src/words/language.ts";
import { LANGUAGES_SHOWN } from "../lane.ts";
import { eveningZone, openPage, violations } from "./browser.ts";
import { CUT } from "./cut.ts";
import { type Household, openHousehold } from "./household.ts";
import { drawLogos, fillGuide } from "./programme.ts";

const CHANNELS = 16;
/** Those with a logo. */
const LOGOS = ["Sim 1", "Sim 2", "Sim 4"];

let household: Household;

beforeAll(async () => {
  const from = Math.floor(Date.now() / HOUR) * HOUR - 24 * HOUR;
  household = await openHousehold(CHANNELS, ({ world }) =>
    fillGuide(world, { channels: CHANNELS, from, to: from + 72 * HOUR }),
  );
  await drawLogos(household.browser, household.recorder.data, LOGOS);
});
afterAll(() => household[Symbol.asyncDispose]());

const LOGO = ".grid-names img";
const NARROW = "button.cell.narrow";
const cells = (page: Page) => page.locator("button.cell");

/** Whether the middle of an element can be seen and pressed: nothing is over it. */
function isOnTop(place: Locator): Promise<boolean> {
  return place.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(one.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
  });
}

async function openGrid(page: Page): Promise<void> {
  await page.goto("/guide");
  await cells(page).first().waitFor();
}

/** Evaluates an expression for each of these elements, in their order. */
async function each<T = unknown>(page: Page, selector: string, what: string): Promise<readonly T[]> {
  const all = `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
  return page.evaluate(`${all}.map((one) => (${what}))`);
}

describe("the logos of channels", () => {
  it("stand beside the names in the grid, and the names of others stand alone", async () => {
    const watched = await openPage(household.browser, { base: household.base });
    const { page } = watched;
    await openGrid(page);
    const names = page.locator(".grid-name");
    const withLogo = names.filter({ has: page.locator("img") });
    expect(await withLogo.allTextContents()).toEqual(LOGOS);
    await expect.poll(() => each(page, LOGO, "one.naturalWidth > 0")).toEqual([true, true, true]);
    // The name is there: a picture's text would say it twice.
    expect(await each(page, LOGO, "[one.alt, one.loading]")).toEqual(Array(3).fill(["", "lazy"]));
    expect([watched.strangers, watched.errors]).toEqual([[], []]);
    await page.close();
  });

  it("move nothing when they arrive", async () => {
    const { page } = await openPage(household.browser, { base: household.base });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/v1/channels/*/logo", async (route) => {
      await held;
      await route.continue();
    });
    await openGrid(page);
    const places = () => each(page, ".grid-names b", "JSON.stringify(one.getBoundingClientRect())");
    const before = await places();
    release();
    await expect.poll(() => each(page, LOGO, "one.naturalWidth > 0")).toEqual([true, true, true]);
    expect(await places()).toEqual(before);
    await page.close();
  });
});

/** The contrast of the colour at the left edge with the ground of its cell, by genre. @see WCAG 2.2, 1.4.11 */
const CONTRASTS = `[...document.querySelectorAll("button.cell[data-genre]")].map((one) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(one);
  const edge = style.boxShadow.replace(/ -?[\\d.]+px.*$/, "");
  const [a, b] = [light(edge), light(style.backgroundColor)];
  return [one.dataset.genre, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
})`;

describe.each([
  ["light", false],
  ["dark", true],
] as const)("the genres in the grid, %s,", (_name, dark) => {
  it("have a colour that is seen, and are in the name of the cell and in the dialog", async () => {
    const { page } = await openPage(household.browser, { base: household.base, dark });
    await openGrid(page);
    const contrasts = (await page.evaluate(CONTRASTS)) as readonly (readonly [string, number])[];
    expect(new Set(contrasts.map(([genre]) => genre)).size).toBe(10);
    expect(contrasts.filter(([, contrast]) => contrast < 3)).toEqual([]);
    const film = page
      .getByRole("button", { name: /^The long voyage \d\d:\d\d .* Films and series$/ })
      .first();
    await film.click();
    await page.getByRole("dialog").getByText("Films and series").waitFor();
    await page.keyboard.press("Escape");
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});

describe("a cell of the grid", () => {
  it("without room for letters has none, and its whole name all the same", async () => {
    const { page } = await openPage(household.browser, { base: household.base });
    await openGrid(page);
    expect(await page.locator(NARROW).count()).toBeGreaterThan(0);
    const lettersPx = await each<number>(page, `${NARROW} .cell-words`, "one.clientWidth");
    expect(lettersPx.filter((px) => px > 1)).toEqual([]);
    const names = await each<string>(page, NARROW, "one.textContent");
    const whole = /^[A-Z].+ \d\d:\d\d .*| \+\d+\d+ short shows: [A-Z]/;
    expect(names.filter((name) => !whole.test(name))).toEqual([]);
    expect(await page.evaluate(CUT)).toEqual([]);
    await page.close();
  });

  it("without room for letters grows when it is pointed at, and offers its buttons", async () => {
    const { page } = await openPage(household.browser, { base: household.base, timeZone: eveningZone() });
    await openGrid(page);
    const cell = page
      .locator(".grid li")
      .filter({ has: page.getByRole("button", { name: "Record Goals" }) })
      .first();
    expect((await cell.boundingBox())?.width).toBeLessThan(48);
    await cell.hover();
    expect((await cell.boundingBox())?.width).toBe(240);
    for (const part of [cell.locator(".cell-title"), cell.getByRole("button", { name: "Record Goals" })]) {
      expect(await isOnTop(part)).toBe(true);
    }
    // Several that share a place each get theirs.
    const orders = ["Record Spot", "Record Trailer"].map((name) => ({ name, exact: true }));
    // The first one of the grid may be over by now: it has no such buttons.
    const shared = orders
      .reduce(
        (places, order) => places.filter({ has: page.getByRole("button", order) }),
        page.locator(".grid li:has(.grown)"),
      )
      .first();
    await shared.hover();
    const areOnTop = orders.map((order) => isOnTop(shared.getByRole("button", order)));
    expect(await Promise.all(areOnTop)).toEqual([true, true]);
    await page.close();
  });

  it("that began before the visible part shows its title all the same", async () => {
    const { page } = await openPage(household.browser, { base: household.base });
    await openGrid(page);
    const behind = `(() => {
      const edge = document.querySelector(".grid-names").getBoundingClientRect().right;
      const cells = [...document.querySelectorAll(".grid li")].filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < edge && right > edge + 60;
      });
      return cells.map((one) => one.querySelector(".cell-title").getBoundingClientRect().left >= edge);
    })()`;
    const seen = await page.evaluate<readonly boolean[]>(behind);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).not.toContain(false);
    await page.close();
  });
});

describe("the grid", () => {
  it("jumps to the evening, and back to now", async () => {
    const { page } = await openPage(household.browser, { base: household.base, locale: "de-DE" });
    await openGrid(page);
    const grid = page.getByRole("region", { name: "Programm nach Sender und Zeit" });
    const leftOf = async (place: Locator) =>
      ((await place.boundingBox())?.x ?? 0) - ((await grid.boundingBox())?.x ?? 0);
    await page.getByRole("button", { name: "Primetime" }).click();
    const evening = page.locator(".grid-axis span", { hasText: "20:00" });
    await expect.poll(() => leftOf(evening)).toBeGreaterThan(120);
    expect(await leftOf(evening)).toBeLessThan(300);
    await page.getByRole("button", { name: "Nächster Tag" }).click();
    await page.getByRole("strong").getByText("Morgen").waitFor();
    await expect.poll(() => leftOf(evening)).toBeGreaterThan(120);
    await page.getByRole("button", { name: "Jetzt", exact: true }).click();
    await page.getByRole("strong").getByText("Heute").waitFor();
    await expect.poll(() => leftOf(page.locator(".grid-now"))).toBeGreaterThan(120);
    // Late in the evening, the grid ends before its present can be at the left.
    expect(await leftOf(page.locator(".grid-now"))).toBeLessThan((await grid.boundingBox())?.width ?? 0);
    await page.close();
  });
});

describe.each(LANGUAGES_SHOWN)("the guide on a phone in %s", (language) => {
  it("begins with what is on now and next, opens a show by a tap, and has the grid", async () => {
    const watched = await openPage(household.browser, { base: household.base, width: 390, locale: language });
    const { page } = watched;
    const say = createSay({ locale: language, text: await textsOf(language) });
    const fits = async () => {
      expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
      expect(await page.evaluate(CUT)).toEqual([]);
      expect(await violations(page)).toEqual([]);
    };
    await page.goto("/guide");
    const list = page.getByRole("list", { name: say("programme-look-now") });
    const first = list.getByRole("listitem").first();
    await first.getByRole("button").nth(1).waitFor();
    expect(await list.getByRole("listitem").first().getAttribute("aria-setsize")).toBe(String(CHANNELS));
    await fits();
    const [title = ""] = (await first.getByRole("button").first().locator("strong").allTextContents()).map(
      (text) => text.split(" · ")[0],
    );
    await first.getByRole("button").first().click();
    await page.getByRole("dialog", { name: title }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: say("programme-look-grid"), exact: true }).click();
    await cells(page).first().waitFor();
    await fits();
    expect(watched.errors).toEqual([]);
    await page.close();
  });
});
