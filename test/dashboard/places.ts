import type { Page } from "playwright-core";
import type { Say } from "../../src/words/catalogue.ts";
import type { Evening } from "./evening.ts";
import { LONG_TITLES } from "./large-household.ts";

/** A page, a dialog, or a state of one, and how a reader of any language gets there. */
export interface Place {
  readonly name: string;
  readonly open: (page: Page, say: Say, evening: Evening) => Promise<void>;
}

export const PAGES = [
  "/",
  "/guide",
  "/recordings",
  "/series",
  "/more",
  "/timeline",
  "/timers",
  "/tuners",
  "/log",
];

/** Waits until a page has what the recorder told. */
export async function ready(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("status").first().waitFor({ state: "attached" });
}

const recordingAt =
  (path: string, state: keyof Evening["recordings"]): Place["open"] =>
  async (page, _say, { recordings }) => {
    await page.goto(`${path}#recording/${encodeURIComponent(recordings[state].id)}`);
    await page.getByRole("dialog").getByRole("heading", { level: 2 }).waitFor();
  };

/** The grid, also on a phone, which begins with a list. */
async function openGrid(page: Page, say: Say): Promise<void> {
  await ready(page, "/guide");
  await page.getByRole("button", { name: say("programme-look-grid"), exact: true }).click();
  await page.locator("button.cell").first().waitFor();
}

/** All pages and dialogs of a recorder, each with something in it. */
export const PLACES: readonly Place[] = [
  ...PAGES.map((path) => ({
    name: path,
    open: async (page: Page) => {
      await ready(page, path);
      if (path === "/guide") await page.locator("button.cell, .on-air-now").first().waitFor();
      if (path === "/log") await page.locator(".log li").first().waitFor();
    },
  })),
  {
    name: "guide, grid",
    open: openGrid,
  },
  {
    name: "guide, list",
    open: async (page, say) => {
      await ready(page, "/guide");
      await page.getByRole("button", { name: say("programme-look-now"), exact: true }).click();
      await page.locator(".on-air-now").first().waitFor();
    },
  },
  {
    name: "guide, search",
    open: async (page, say) => {
      await ready(page, "/guide");
      await page.getByRole("searchbox").fill("the");
      await page
        .getByRole("list", { name: say("programme-results") })
        .getByRole("listitem")
        .first()
        .waitFor();
    },
  },
  {
    name: "guide, short shows",
    open: async (page, say) => {
      await openGrid(page, say);
      await page.locator("li:has(.grown) > button.cell").first().click({ force: true });
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "a show",
    open: async (page) => {
      await ready(page, "/guide");
      await page.getByRole("searchbox").fill("Donaudampf");
      await page.locator(".search-result .line").last().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "a new rule",
    open: async (page, say) => {
      await page.goto("/series");
      await page.getByRole("button", { name: say("rules-new") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(say("rules-more")).click();
      await dialog.getByLabel(say("rules-field-words")).fill(LONG_TITLES[0]);
      const found = dialog.getByRole("region", { name: say("rules-preview-list") });
      await found.getByRole("listitem").first().waitFor();
    },
  },
  { name: "a planned recording", open: recordingAt("/timers", "planned") },
  { name: "a recording that runs", open: recordingAt("/", "running") },
  { name: "a recording in conflict", open: recordingAt("/", "conflict") },
  { name: "a finished recording", open: recordingAt("/recordings", "done") },
  { name: "a failed recording", open: recordingAt("/timers", "failed") },
  {
    name: "what happened",
    open: async (page, say, evening) => {
      await recordingAt("/timers", "failed")(page, say, evening);
      for (const summary of await page.getByRole("dialog").locator("summary").all()) await summary.click();
    },
  },
  {
    name: "a recording to delete",
    open: async (page, say, evening) => {
      await recordingAt("/recordings", "done")(page, say, evening);
      await page.getByRole("button", { name: say("confirm-opens", { label: say("detail-delete") }) }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "a timer to cancel",
    open: async (page, say, evening) => {
      await recordingAt("/timers", "planned")(page, say, evening);
      await page.getByRole("button", { name: say("confirm-opens", { label: say("detail-cancel") }) }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "the player",
    open: async (page, say, evening) => {
      await recordingAt("/recordings", "done")(page, say, evening);
      await page.getByRole("button", { name: say("player-play"), exact: true }).click();
      await page.getByRole("button", { name: say("player-pause"), exact: true }).waitFor();
      await page.keyboard.press("?");
      await page.locator(".key-help").waitFor();
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
    name: "nothing found",
    open: async (page) => {
      await ready(page, "/timers");
      await page.getByRole("searchbox").fill("zzzzz");
      await page.locator(".empty").waitFor();
    },
  },
];
