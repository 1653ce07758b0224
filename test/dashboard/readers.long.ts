import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DashboardDoor } from "../../bench/dashboard-door.ts";
import { type Browser, openBrowser, openPage } from "./browser.ts";
import { openLargeHousehold } from "./large-household.ts";
import { ready } from "./places.ts";

/** Longer than any place. */
const FROM_RIGHT = [
  "مسلسل الحارة القديمة والجيران الذين لا ينامون أبدا في ليالي الشتاء الطويلة حين يهطل المطر على المدينة كلها",
  "חדשות הערב עם כל מה שקרה היום בארץ ובעולם ותחזית מזג האוויר למחר ולמחרתיים ולכל השבוע הבא ולחודש כולו",
] as const;

let browser: Browser;
let household: DashboardDoor;
beforeAll(async () => {
  browser = await openBrowser();
  household = await openLargeHousehold({ channels: 4, timers: 5, entries: 5, titles: FROM_RIGHT });
});
afterAll(async () => {
  await browser.close();
  await household[Symbol.asyncDispose]();
});

/** Elements that hide the beginning of a text from right to left, and how many were looked at. */
const BEGINNINGS = `(() => {
  const found = { seen: 0, hidden: [] };
  for (const one of document.querySelectorAll("body *")) {
    const style = getComputedStyle(one);
    const node = [...one.childNodes].find(({ nodeType, data }) => nodeType === 3 && /[\\u0590-\\u06ff]/.test(data));
    if (node === undefined || style.textOverflow !== "ellipsis" || one.clientWidth < 40) continue;
    const range = document.createRange();
    const at = node.data.search(/[\\u0590-\\u06ff]/);
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const [letter, place] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
    found.seen += 1;
    if (letter.left < place.left - 1 || letter.right > place.right + 1) found.hidden.push(one.className + node.data.slice(0, 20));
  }
  return found;
})()`;

describe("a title that runs from right to left", () => {
  it.each([
    ["/", 390, ".row-name"],
    ["/timers", 390, ".line"],
    ["/recordings", 1024, ".line"],
    ["/guide", 390, ".on-air-next"],
    ["/guide", 1024, "button.cell"],
  ])("is shown from its beginning on %s at %s px", async (path, width, within) => {
    const { page } = await openPage(browser, { base: household.base, width });
    await ready(page, path);
    await page.locator(within).first().waitFor();
    const { seen, hidden } = await page.evaluate<{ seen: number; hidden: readonly string[] }>(BEGINNINGS);
    expect(seen).toBeGreaterThan(2);
    expect(hidden).toEqual([]);
    await page.close();
  });
});

it("times of twelve hours keep a distance from the names beside them", async () => {
  const { page } = await openPage(browser, { base: household.base, width: 390, locale: "es-MX" });
  await ready(page, "/");
  await page.locator(".tonight-row").first().waitFor();
  expect(await page.locator(".row-time").first().textContent()).toMatch(/\d [ap]\.m\./);
  const gaps = `[...document.querySelectorAll(".tonight-row")].map((row) => {
    const range = document.createRange();
    range.selectNodeContents(row.querySelector(".row-time"));
    return row.querySelector(".row-name").getBoundingClientRect().left - range.getBoundingClientRect().right;
  })`;
  expect(Math.min(...(await page.evaluate<readonly number[]>(gaps)))).toBeGreaterThanOrEqual(4);
  await page.close();
});

async function detailOf(page: Page, address: string) {
  await page.goto(address);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "What happened" }).waitFor();
  return dialog;
}

describe("the details", () => {
  it("of a recording in conflict offer the choices of its decision", async () => {
    const { page } = await openPage(browser, { base: household.base });
    const dialog = await detailOf(page, "/timers#recording/lost1");
    const choices = dialog.getByRole("group", { name: "Choices" }).getByRole("button");
    expect(await choices.count()).toBe(3);
    await page.route("**/repeat", (route) => route.fulfill({ status: 200, json: {} }));
    const asked = page.waitForRequest("**/v1/timers/lost1/repeat");
    await choices.first().press("Enter");
    await asked;
    await dialog
      .getByText(/^The repeat/)
      .first()
      .waitFor();
    await page.close();
  });

  it("of a recording that only the library knows name its channel and time", async () => {
    const { page } = await openPage(browser, { base: household.base });
    const dialog = await detailOf(page, "/recordings#recording/old1");
    await dialog.getByText("Channel 1", { exact: true }).waitFor();
    await dialog.getByText(/^(Today|Yesterday) \d\d:\d\d–\d\d:\d\d$/).waitFor();
    await page.close();
  });
});

it("a guide without channels says so, and when it will have some", async () => {
  await using empty = await openLargeHousehold({ channels: 0, timers: 0, entries: 0 });
  const { page } = await openPage(browser, { base: empty.base, width: 390 });
  await ready(page, "/guide");
  await page.getByRole("heading", { name: "The guide has no channels." }).waitFor();
  await page.getByText("Channels appear here").waitFor();
  await page.close();
});

describe("the page has the focus of a button that is gone with what it did", () => {
  const focused = (page: Page) => page.evaluate("document.activeElement.id");

  it("when a rule is removed", async () => {
    const { page } = await openPage(browser, { base: household.base });
    await ready(page, "/series");
    await page.route("**/v1/rules/1", (route) => route.fulfill({ status: 200, json: {} }));
    await page.route("**/v1/rules", (route) => route.fulfill({ json: { rules: [], kept: "recorder" } }));
    await page.getByRole("button", { name: "Stop recording…" }).press("Enter");
    await page.getByRole("alert").getByRole("button", { name: "Stop recording" }).press("Enter");
    await page.getByRole("heading", { name: "No rules" }).waitFor();
    expect(await focused(page)).toBe("page");
    await page.close();
  });

  it("when all timers are shown again", async () => {
    const { page } = await openPage(browser, { base: household.base });
    await ready(page, "/timers");
    await page.getByRole("searchbox").fill("nothing of that name");
    await page.getByRole("button", { name: "Show all" }).press("Enter");
    await page.getByRole("link").and(page.locator(".line")).first().waitFor();
    expect(await focused(page)).toBe("page");
    await page.close();
  });
});

it("a card of tuners is no taller than what it says", async () => {
  const { page } = await openPage(browser, { base: household.base, width: 1440 });
  await ready(page, "/tuners");
  await page.locator(".card .long").waitFor();
  const blanks = `[...document.querySelectorAll(".cards > .card")].map((card) =>
    card.getBoundingClientRect().bottom - card.lastElementChild.getBoundingClientRect().bottom)`;
  expect(Math.max(...(await page.evaluate<readonly number[]>(blanks)))).toBeLessThan(40);
  await page.close();
});
