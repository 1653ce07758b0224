import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { freePort } from "../free-port.ts";
import { IS_LONG } from "../lane.ts";
import { type InProcess, simTuners } from "../main-job/in-process.ts";
import { Recorder, soon, type TestWorld, temporaryFolder } from "../main-job/recorder.ts";
import { type Browser, goTo, openPage } from "./browser.ts";
import { type Household, openHousehold } from "./household.ts";

let household: Household;
let world: TestWorld;
let recorder: InProcess;
let browser: Browser;
let base: string;

beforeAll(async () => {
  household = await openHousehold(1);
  ({ world, recorder, browser, base } = household);
  const show = { channel: 1, title: "Late film", start: Date.now() + 20 * HOUR, durationMs: 30 * MINUTE };
  const timerId = await world.world.book(show, world.deviceId);
  await recorder.until(timerId, () => true);
});

afterAll(() => household[Symbol.asyncDispose]());

/** Counts the recorder's signs of life. */
const COUNT_SIGNS = `{
  window.signs = 0;
  const Own = EventSource;
  window.EventSource = class extends Own {
    constructor(address) {
      super(address);
      for (const name of ["alive", "snapshot", "change"]) this.addEventListener(name, () => { signs += 1; });
    }
  };
}`;

/** Stops the time of a page, with a sign of life since then: from now on, only the test lets it pass. */
async function freeze(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + SECOND);
  const signs = () => page.evaluate<number>("signs");
  const before = await signs();
  await expect.poll(signs).toBeGreaterThan(before);
}

async function openTimer() {
  const { page } = await openPage(browser, { base });
  await page.goto("/timers");
  await page.getByRole("link", { name: /^Late film/ }).click();
  const dialog = page.getByRole("dialog", { name: "Late film" });
  await dialog.waitFor();
  return { page, dialog };
}

describe("the dashboard", () => {
  it("keeps a dialog with a selection open, wherever the mouse button is released", async () => {
    const { page, dialog } = await openTimer();
    const title = await dialog.getByRole("heading", { name: "Late film" }).boundingBox();
    await page.mouse.move((title?.x ?? 0) + 5, (title?.y ?? 0) + 5);
    await page.mouse.down();
    await page.mouse.move(2, 400, { steps: 5 });
    await page.mouse.up();
    // A click outside the dialog closes it. This one did not, as later clicks in the dialog prove.
    await dialog.getByRole("button", { name: "Cancel the timer…" }).click();
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await page.mouse.click(2, 400);
    await dialog.waitFor({ state: "detached" });
    await page.close();
  });

  it("asks where the keyboard is, and gives the focus back", async () => {
    const { page, dialog } = await openTimer();
    const opener = dialog.getByRole("button", { name: "Cancel the timer…" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await dialog
      .getByRole("alert")
      .getByText(/^Cancel the timer in/)
      .waitFor();
    const focused = () => page.evaluate("document.activeElement.textContent");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Cancel the timer");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Keep it");
    await page.keyboard.press("Enter");
    await opener.waitFor();
    await expect.poll(focused).toBe("Cancel the timer…");
    await page.close();
  });

  it("keeps the focus on the pressed button, even while a request runs", async () => {
    const { page, dialog } = await openTimer();
    const button = dialog.getByRole("button", { name: "Change priority" });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let times = 0;
    await page.route("**/override", async (route) => {
      times += 1;
      await asked;
      await route.continue();
    });
    await button.focus();
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate("document.activeElement.textContent");
    expect(await focused()).toBe("Change priority");
    // Pressed again meanwhile it does not ask again.
    await page.keyboard.press("Enter");
    answer();
    await dialog.getByText("The plan is being updated.").waitFor();
    expect(await focused()).toBe("Change priority");
    expect(times).toBe(1);
    await page.close();
  });

  it("finds the current time on a timeline that has been open for weeks", async () => {
    const { page } = await openPage(browser, { base });
    await page.clock.install();
    await page.goto("/timeline");
    await page.getByText("live", { exact: true }).waitFor();
    await page.clock.fastForward(30 * DAY);
    await page.getByRole("button", { name: "Now", exact: true }).click();
    const line = page.locator("svg .now circle");
    const inSight =
      "(({ left, right }) => left > 0 && right < innerWidth)(document.querySelector('svg .now circle').getBoundingClientRect())";
    await line.waitFor({ state: "attached" });
    await expect.poll(() => page.evaluate(inSight)).toBe(true);
    await page.close();
  });

  it("says that the recorder hangs or is gone, and comes back to life without a reload", async () => {
    await using apart = await temporaryFolder();
    const home = await world.another("second recorder");
    const port = await freePort();
    const web = { port, signIn: "where-needed" };
    const tuners = simTuners(world, 1);
    await using other = await Recorder.install({ folder: apart.path, home, tuners, more: { web } });
    await other.start();
    const { page } = await openPage(browser, { base: `http://127.0.0.1:${port}` });
    await page.clock.install();
    await page.addInitScript(COUNT_SIGNS);
    await page.goto("/");
    await page.getByRole("heading", { name: "Nothing is planned tonight." }).waitFor();
    await page.evaluate("window.isTheSame = true");
    // Its program is there when the recorder is not.
    await goTo(page, "Rules");
    await page.getByRole("button", { name: "New rule" }).waitFor();
    await goTo(page, "Tonight");
    const silence = page
      .getByRole("alert")
      .getByText(/^The recorder has not answered since \d\d:\d\d:\d\d\./);
    other.signal("SIGSTOP");
    try {
      await silence.waitFor();
    } finally {
      other.signal("SIGCONT");
    }
    await silence.waitFor({ state: "detached" });
    await freeze(page);
    await silence.waitFor({ state: "detached" });
    const broken = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/v1/events"));
    await other.kill();
    await broken;
    await page.clock.runFor(2 * SECOND);
    expect(await silence.count()).toBe(0);
    await page.clock.runFor(SECOND);
    await silence.waitFor();
    await page.clock.resume();
    await goTo(page, "Rules");
    await page.getByText("The recorder does not answer.").first().waitFor();
    await other.start();
    await silence.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New rule" }).waitFor();
    await goTo(page, "Tonight");
    const show = { channel: 1, title: "Film at last", start: Date.now() + HOUR, durationMs: 30 * MINUTE };
    await world.world.book(show, home.deviceId);
    await page.getByRole("heading", { name: "1 recording is planned tonight." }).waitFor();
    await page
      .getByRole("region", { name: /^Next/ })
      .getByRole("link", { name: /Film at last/ })
      .waitFor();
    expect(await page.evaluate("window.isTheSame")).toBe(true);
    await page.close();
  });

  it("can be installed: its manifest names icons of the right size", async () => {
    const answer = await fetch(`${base}/manifest.webmanifest`);
    expect(answer.headers.get("content-type")).toBe("application/manifest+json");
    const { icons } = (await answer.json()) as {
      readonly icons: readonly { readonly src: string; readonly sizes: string; readonly type: string }[];
    };
    for (const { src, sizes, type } of icons.filter((icon) => icon.type === "image/png")) {
      const icon = await fetch(base + src);
      expect([src, icon.headers.get("content-type")]).toEqual([src, type]);
      // PNG: width and height follow the name of the first chunk.
      const head = Buffer.from(await icon.arrayBuffer());
      expect([src, `${head.readUInt32BE(16)}x${head.readUInt32BE(20)}`]).toEqual([src, sizes]);
    }
    expect(icons.map(({ sizes }) => sizes)).toEqual(["any", "192x192", "512x512", "512x512"]);
  });

  it.runIf(IS_LONG)("keeps playing a recording that ends meanwhile", async () => {
    const { page } = await openPage(browser, { base });
    await page.goto("/timers");
    const show = { channel: 1, title: "Match", start: soon(), durationMs: 15 * SECOND };
    await world.world.book(show, world.deviceId);
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByRole("link", { name: /^Match/ }).click();
    const dialog = page.getByRole("dialog", { name: "Match" });
    await dialog.getByText("● recording").waitFor();
    await dialog.getByRole("button", { name: "Play" }).click();
    const played = () => page.evaluate<number>("document.querySelector('video').currentTime");
    await expect.poll(played).toBeGreaterThan(0);
    await page.evaluate("window.watched = document.querySelector('video')");
    await dialog.getByText(/^(★ perfect|✓ good)$/).waitFor();
    await dialog.getByRole("button", { name: "Delete…" }).waitFor();
    expect(await page.evaluate("document.querySelector('video') === watched && watched.src !== ''")).toBe(
      true,
    );
    // To its end, also on a machine that has already played it.
    await expect.poll(() => page.evaluate("watched.ended")).toBe(true);
    expect(await played()).toBeGreaterThan(15);
    const frames = "watched.getVideoPlaybackQuality().totalVideoFrames";
    expect(await page.evaluate<number>(frames)).toBeGreaterThan(15 * 20);
    const seek =
      "new Promise((resolve) => { watched.onseeked = () => resolve(watched.currentTime); watched.currentTime = 4; })";
    expect(await page.evaluate(seek)).toBe(4);
    await page.close();
  });

  it("reloads the history of a timer when that timer changes, and not when another one does", async () => {
    const { page, dialog } = await openTimer();
    await dialog.getByRole("heading", { name: "What happened" }).waitFor();
    let times = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/why")) times += 1;
    });
    const others = page.getByRole("link", { name: /^Another film/, includeHidden: true });
    const start = Date.now() + 30 * HOUR;
    const show = { channel: 1, title: "Another film", start, durationMs: 30 * MINUTE };
    await world.world.book(show, world.deviceId);
    await others.waitFor({ state: "attached" });
    expect(times).toBe(0);
    await dialog.getByLabel("Priority").fill("60");
    await dialog.getByRole("button", { name: "Change priority" }).click();
    await expect.poll(() => times).toBeGreaterThan(0);
    await page.close();
  });

  it("hides the error of an older search after a newer one succeeded", async () => {
    const { page } = await openPage(browser, { base });
    await page.goto("/guide");
    const status = page.getByRole("status").filter({ hasText: /show|asked too late/ });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/search=first/, async (route) => {
      await released;
      await route.fulfill({ status: 503, json: { code: "failed", message: "asked too late" } });
    });
    const search = page.getByRole("searchbox");
    const asked = page.waitForRequest(/search=first/);
    await search.fill("first");
    await asked;
    await search.fill("Late film");
    await page.getByRole("list", { name: "Search results" }).getByText("Late film").waitFor();
    const answered = page.waitForResponse(/search=first/);
    release();
    await answered;
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
    expect(await status.textContent()).toBe("1 show");
    await page.close();
  });

  it("shows its pages for an address with an unknown ending", async () => {
    const { page } = await openPage(browser, { base });
    await page.goto("/timers#recording/100%");
    await page.getByRole("heading", { name: "Timers" }).waitFor();
    await page.close();
  });
});
