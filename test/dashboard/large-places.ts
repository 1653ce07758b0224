import type { Page } from "playwright-core";
import type { Say } from "../../src/words/catalogue.ts";
import { PAGES, ready } from "./places.ts";

/** Lists of all there is may be as long as they have to be. */
export const LISTS = [
  "/guide",
  "/recordings",
  "/timers",
  "/series",
  "/tuners",
  "/log",
  "guide, list",
  "timers in trouble",
  "all decisions",
  "channels",
  "what happened",
];

/** A page or a dialog of a large household, and how it is opened. */
export interface LargePlace {
  readonly name: string;
  readonly open: (page: Page, say: Say) => Promise<void>;
}

const recordingAt =
  (address: string): LargePlace["open"] =>
  async (page) => {
    await page.goto(address);
    await page.getByRole("dialog").getByRole("heading", { level: 3 }).first().waitFor();
  };

async function openGrid(page: Page, say: Say): Promise<void> {
  await ready(page, "/guide");
  await page.getByRole("button", { name: say("programme-look-grid"), exact: true }).click();
  await page.locator("button.cell").first().waitFor();
}

export const LARGE_PLACES: readonly LargePlace[] = [
  ...PAGES.map((path) => ({
    name: path,
    open: async (page: Page) => {
      await ready(page, path);
      if (path === "/guide") await page.locator("button.cell, .on-air-now").first().waitFor();
    },
  })),
  { name: "guide, grid", open: openGrid },
  {
    name: "guide, list",
    open: async (page, say) => {
      await ready(page, "/guide");
      await page.getByRole("button", { name: say("programme-look-now"), exact: true }).click();
      await page.locator(".on-air-now").first().waitFor();
    },
  },
  {
    name: "timers in trouble",
    open: async (page, say) => {
      await ready(page, "/timers");
      await page.getByRole("button", { name: say("timers-filter-trouble"), exact: true }).click();
    },
  },
  {
    name: "all decisions",
    open: async (page) => {
      await ready(page, "/");
      const more = page.locator(".decisions > .buttons button");
      if (await more.isVisible()) await more.click();
      for (const summary of await page.locator(".decision summary").all()) await summary.click();
    },
  },
  {
    name: "channels",
    open: async (page) => {
      await ready(page, "/tuners");
      await page.locator(".long li").first().waitFor();
      for (const summary of await page.locator(".card details:not([open]) summary").all())
        await summary.click();
    },
  },
  { name: "a planned recording", open: recordingAt("/timers#recording/r1") },
  { name: "a recording that runs", open: recordingAt("/#recording/running1") },
  { name: "a recording in conflict", open: recordingAt("/#recording/lost1") },
  { name: "a finished recording", open: recordingAt("/recordings#recording/old1") },
  {
    name: "what happened",
    open: async (page, say) => {
      await recordingAt("/timers#recording/failed1")(page, say);
      for (const summary of await page.getByRole("dialog").locator("summary").all()) await summary.click();
    },
  },
  {
    name: "a recording to delete",
    open: async (page, say) => {
      await recordingAt("/recordings#recording/old1")(page, say);
      await page.getByRole("button", { name: say("confirm-opens", { label: say("detail-delete") }) }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "a timer to cancel",
    open: async (page, say) => {
      await recordingAt("/timers#recording/r1")(page, say);
      await page.getByRole("button", { name: say("confirm-opens", { label: say("detail-cancel") }) }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "the guide service",
    open: async (page) => {
      await page.goto("/more#guide-service");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "a new rule",
    open: async (page, say) => {
      await page.goto("/series");
      await page.getByRole("button", { name: say("rules-new") }).click();
      await page.getByRole("dialog").getByText(say("rules-more")).click();
    },
  },
  {
    name: "a rule to change",
    open: async (page, say) => {
      await page.goto("/series");
      await page
        .getByRole("button", { name: say("confirm-opens", { label: say("rules-change") }) })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "a show",
    open: async (page) => {
      await page.goto("/guide");
      await page.locator("button.cell:not(.narrow), .on-air-now").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "guide, short shows",
    open: async (page, say) => {
      await openGrid(page, say);
      await page.locator("li:has(.grown) > button.cell").first().dispatchEvent("click");
      await page.getByRole("dialog").waitFor();
    },
  },
];
