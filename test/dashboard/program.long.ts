import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DASHBOARD } from "../../src/web/listener/static.ts";
import { openPage } from "./browser.ts";
import { type Household, openHousehold } from "./household.ts";

const MISSING = /A part of this page could not be loaded/;
const FILE = "**/assets/tuners-*.js";

let household: Household;

beforeAll(async () => {
  household = await openHousehold(1);
});

afterAll(async () => household[Symbol.asyncDispose]());

/**
 * Opens a page after which an upgrade removes the file of the tuners' page.
 *
 * @param isGone whether the file is missing after so many loads of the document
 * @returns also the number of loads that have begun
 */
async function openStart(
  isGone: (loads: number) => boolean,
): Promise<{ readonly page: Page; readonly loads: () => number }> {
  const { page } = await openPage(household.browser, { base: household.base });
  let loads = 0;
  // The page draws before its event `load`.
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route(FILE, (route) => (isGone(loads) ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto("/more");
  await page.getByRole("heading", { name: "More" }).waitFor();
  expect(await page.locator("#app > *").count(), "what stood there before").toBe(1);
  return { page, loads: () => loads };
}

const untilReload = (loads: number) => loads === 1;

describe("the program of the dashboard", () => {
  it("begins without setup, player and the pages of a guide server", () => {
    const html = readFileSync(join(DASHBOARD, "index.html"), "utf8");
    const files = [...html.matchAll(/\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file);
    const program = files.map((file) => readFileSync(join(DASHBOARD, file), "utf8")).join("");
    expect(program).toContain("/v1/events");
    for (const other of ["/v1/setup/", "master.m3u8", "/v1/accounts/"]) expect(program).not.toContain(other);
  });

  it("reloads once if an upgrade has removed the file of a page", async () => {
    const { page, loads } = await openStart(untilReload);
    await page.getByRole("link", { name: "Tuners" }).click();
    await page.getByRole("heading", { name: "Tuners" }).waitFor();
    expect(loads()).toBe(2);
    await page.close();
  });

  it("says that a page is missing after that, too", async () => {
    const { page, loads } = await openStart(() => true);
    await page.getByRole("link", { name: "Tuners" }).click();
    await expect.poll(loads).toBe(2);
    await page.getByRole("alert").filter({ hasText: MISSING }).waitFor();
    // It looks again and again, and does not flicker.
    await page.waitForResponse((answer) => answer.request().method() === "HEAD");
    await page.waitForResponse((answer) => answer.request().method() === "HEAD");
    expect(loads()).toBe(2);
    await page.close();
  });

  it("waits with that for the recorder to answer", async () => {
    const { page, loads } = await openStart(untilReload);
    const isLook = (url: URL) => url.pathname === "/";
    await page.route(isLook, (route) => route.abort());
    await page.getByRole("link", { name: "Tuners" }).click();
    await page.getByRole("alert").filter({ hasText: MISSING }).waitFor();
    await page.waitForEvent("requestfailed", (request) => request.method() === "HEAD");
    expect(loads()).toBe(1);
    await page.unroute(isLook);
    await page.getByRole("heading", { name: "Tuners" }).waitFor();
    expect(loads()).toBe(2);
    await page.close();
  });
});
