import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { casesOf } from "../lane.ts";
import type { InProcess } from "../main-job/in-process.ts";
import { soon, type TestWorld } from "../main-job/recorder.ts";
import { type Browser, eveningZone, openPage, violations, type Watched } from "./browser.ts";
import { type Household, openHousehold } from "./household.ts";

interface Hand {
  readonly name: string;
  readonly width: number;
  readonly press: (target: Locator) => Promise<void>;
}

/** The ways to use a page. Each has its own shows and its own conflict. */
const HANDS: readonly Hand[] = [
  { name: "thumb", width: 390, press: byThumb },
  { name: "desk keys", width: 1440, press: byKeys },
  { name: "mouse", width: 1440, press: byMouse },
  { name: "phone keys", width: 390, press: byKeys },
].slice(0, casesOf({ sample: 2, all: 4 }));

/** More than any way on a page of this household. */
const TABS_MAX = 120;

let household: Household;
let world: TestWorld;
let recorder: InProcess;
let browser: Browser;

beforeAll(async () => {
  // So far away that nothing of it begins during the tests.
  const hour = Math.ceil((Date.now() + 20 * MINUTE) / HOUR) * HOUR;
  household = await openHousehold(8, async ({ world: { guide } }) => {
    for (const [at, { name }] of HANDS.entries()) {
      // Channels 1 to 4 share the only tuner, and 5 to 8 do.
      const quiz = { channelId: at + 1, title: `Quiz for ${name}`, start: hour + 30 * MINUTE };
      await guide.addShow({ ...quiz, durationMinutes: 40 });
      const series = { seriesId: `s${at}`, episodeId: `e${at}` };
      const serial = { channelId: at + 1, title: `Serial for ${name}`, start: hour + 80 * MINUTE };
      // Too short for letters in the grid; on a phone, after the next show.
      await guide.addShow({ ...serial, ...series, durationMinutes: 10 });
    }
  });
  ({ world, recorder, browser } = household);
  const book = (title: string, channel: number, start: number, durationMs = 30 * MINUTE) =>
    world.world.book({ channel, title, start, durationMs }, world.deviceId);
  const now = soon();
  // One tuner: one of them is lost.
  const past = [await book("Early film", 1, now, 3 * SECOND), await book("Early film", 5, now, 3 * SECOND)];
  await book("Film of tonight", 1, hour);
  for (const [at, { name }] of HANDS.entries()) {
    const start = hour + (3 + at) * HOUR;
    await book(`First for ${name}`, 2, start);
    await book(`Second for ${name}`, 6, start);
  }
  for (const timerId of past) await recorder.until(timerId, ({ state }) => isTerminal(state));
});
afterAll(() => household[Symbol.asyncDispose]());

/** A renderer and the program anew for each test take longer than most tests. */
const opened = new Map<Hand, Watched>();

async function pageOf(hand: Hand): Promise<Watched> {
  const { width, press } = hand;
  const hasTouch = press === byThumb;
  const found =
    opened.get(hand) ??
    (await openPage(browser, { base: household.base, width, hasTouch, timeZone: eveningZone() }));
  opened.set(hand, found);
  return found;
}

async function byMouse(target: Locator): Promise<void> {
  await target.waitFor();
  // A narrow cell of the grid shows its buttons to who points at it.
  const cell = target.page().locator(".grid li").filter({ has: target });
  if ((await cell.count()) === 1) await cell.hover();
  await target.click();
}

function byThumb(target: Locator): Promise<void> {
  return target.tap();
}

async function byKeys(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const focused = page.locator(":focus");
  const otherRows = page.locator(".grid > ul").filter({ hasNot: target });
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if ((await target.and(focused).count()) === 1) {
      await page.keyboard.press("Enter");
      return;
    }
    // A long row of the grid comes first by Tab.
    const isInOtherRow = (await otherRows.filter({ has: focused }).count()) === 1;
    await page.keyboard.press(isInOtherRow ? "ArrowDown" : "Tab");
  }
  throw new Error(`no way by Tab to ${target}`);
}

/** The start page, and a count of presses. Everything is found by its role and its name. */
async function begin(hand: Hand) {
  const watched = await pageOf(hand);
  const { page } = watched;
  const { press } = hand;
  // Nothing of the test before is on the page, not even the focus.
  await page.goto("about:blank");
  await page.goto("/");
  await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
  let presses = 0;
  return {
    watched,
    page,
    count: () => presses,
    press: async (target: Locator) => {
      presses += 1;
      await press(target);
    },
    goTo: (name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }),
  };
}

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name });
const planned = (title: string) =>
  recorder.daemon.snapshot().recordings.find(({ name, state }) => name === title && state === "planned");

describe.each(HANDS)("from the start page, by $name at $width px,", (hand) => {
  const { name } = hand;
  afterAll(() => opened.get(hand)?.page.close());

  it("0 presses tell what is recorded tonight", async () => {
    const { page, count } = await begin(hand);
    const row = region(page, "Next").getByRole("link", { name: /^\d\d:\d\d.*Film of tonight/ });
    await row.waitFor();
    expect(count()).toBe(0);
  });

  it("2 presses record a show", async () => {
    const { watched, page, press, count, goTo } = await begin(hand);
    await press(goTo("Guide"));
    const record = page.getByRole("button", { name: `Record Quiz for ${name}`, exact: true });
    await press(record);
    await page.getByRole("status").getByText("Booked.").waitFor();
    expect(count()).toBe(2);
    await expect.poll(() => planned(`Quiz for ${name}`)).toBeDefined();
    // The button stays, and says that it is done.
    await page.getByRole("button", { name: `Record Quiz for ${name}`, pressed: true }).waitFor();
    if (hand.press === byKeys) {
      expect(await record.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    }
    expect(await violations(page)).toEqual([]);
    expect(watched.errors).toEqual([]);
  });

  it("2 presses record a series", async () => {
    const { page, press, count, goTo } = await begin(hand);
    await press(goTo("Guide"));
    await press(page.getByRole("button", { name: `Record the whole series: Serial for ${name}` }));
    await page.getByRole("status").getByText("Every episode will be recorded, once.").waitFor();
    expect(count()).toBe(2);
    await expect.poll(() => planned(`Serial for ${name}`)).toBeDefined();
  });

  it("1 press solves a conflict", async () => {
    const { page, press, count } = await begin(hand);
    const choice = region(page, "Decisions").getByRole("button", {
      name: new RegExp(`^Record (First|Second) for ${name} (First|Second) for ${name} .* is not recorded`),
    });
    await press(choice);
    await page
      .getByText(new RegExp(`for ${name} now has priority`))
      .first()
      .waitFor();
    expect(count()).toBe(1);
    await choice.waitFor({ state: "detached" });
  });

  it("2 presses play a recording", async () => {
    const { page, press, count } = await begin(hand);
    await press(region(page, "New to watch").getByRole("link", { name: /Early film/ }));
    await press(page.getByRole("dialog", { name: "Early film" }).getByRole("button", { name: "Play" }));
    const played = () => page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0");
    await expect.poll(played).toBeGreaterThan(0);
    expect(count()).toBe(2);
  });

  it("2 presses watch live television", async () => {
    const { watched, page, press, count, goTo } = await begin(hand);
    await press(goTo("Guide"));
    const { name: channel } = (
      await page.evaluate<readonly { readonly name: string }[]>(
        "fetch('/v1/tuners/channels').then((answer) => answer.json())",
      )
    )[0] ?? { name: "" };
    await press(page.getByRole("link", { name: `Watch ${channel}`, exact: true }));
    await page.getByRole("dialog", { name: channel }).waitFor();
    expect(count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    expect(watched.errors).toEqual([]);
  });

  it("at most 2 presses tell why a recording failed", async () => {
    const { page, press, count } = await begin(hand);
    await press(region(page, "Not recorded").getByRole("link", { name: /Early film/ }));
    await page
      .getByRole("dialog", { name: "Early film" })
      .getByText(/^No tuner is free at this time/)
      .first()
      .waitFor();
    expect(count()).toBeLessThanOrEqual(2);
  });
});
