import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuideClient, type GuideClient } from "../../src/guide-wire/client.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { hashPassword } from "../../src/kit/http/password.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { readSecrets, writeSecrets } from "../../src/recorder/config/secrets.ts";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import { commandLine } from "../cli/command-line.ts";
import { IS_LONG, inLong } from "../lane.ts";
import { type InProcess, inProcess, simTuners } from "../main-job/in-process.ts";
import { soon, type TestWorld, temporaryFolder } from "../main-job/recorder.ts";
import { outOfPatience } from "../patience.ts";
import {
  type Browser,
  goTo,
  openPage,
  picture,
  signOut,
  syncNow,
  violations,
  type Watched,
} from "./browser.ts";
import { type Household, openHousehold } from "./household.ts";
import { PAGES } from "./places.ts";

const http = createHttpClient();
const PATIENT = { interval: 500 };

let household: Household;
let world: TestWorld;
let recorder: InProcess;
let browser: Browser;
let base: string;

beforeAll(async () => {
  // Before anybody asks: the recorder asks for the guide's shows every ten minutes.
  household = await openHousehold(8, async ({ world: { guide } }) => {
    for (const hours of [5, 31]) {
      const start = Math.floor(Date.now() / MINUTE) * MINUTE + hours * HOUR;
      const episode = { seriesId: "77", episodeId: `e${hours}`, title: "Low Tide" };
      await guide.addShow({ ...episode, channelId: 4, start, durationMinutes: 30 });
    }
  });
  ({ world, recorder, browser, base } = household);
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await household[Symbol.asyncDispose]();
});

function accountAt(token: string): GuideClient {
  return createGuideClient({
    baseUrl: world.world.guideUrl,
    apiKey: SIM_API_KEY,
    applicationVersion: "test",
    wire: "json",
    http,
    clock: systemClock(),
    credentials: () => ({ email: world.world.account.email, token }),
  });
}

function book(title: string, channel: number, start: number, durationMs = 30 * MINUTE): Promise<string> {
  return world.world.book({ channel, title, start, durationMs }, world.deviceId);
}

/** Notes the names of the timeline's bars: a bar that is gone within seconds is noted even if the test looks late. */
const NOTE_BARS = `{
  window.called = new Set();
  const note = () => document.querySelectorAll("a > title").forEach((title) => called.add(title.textContent));
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}`;

/** Names of bars whose label is not inside the visible part of the bar. */
const MISPLACED_LABELS = `[...document.querySelectorAll(".timeline-bar")].filter((bar) => {
  const box = (selector) => bar.querySelector(selector)?.getBoundingClientRect();
  const [label, whole] = [box("text"), box(".padding")];
  const left = Math.max(whole.left, document.querySelector(".timeline-scroller").getBoundingClientRect().left);
  return label !== undefined && (label.left < left || label.right > whole.right);
}).map((bar) => bar.textContent)`;

/** Expects that the page sent no request to another host and had no errors. */
function expectQuiet({ strangers, errors }: Watched): void {
  expect(strangers).toEqual([]);
  expect(errors).toEqual([]);
}

describe("the dashboard in a browser", () => {
  it("shows a recording live from its booking to its file, and deletes it after confirmation", async () => {
    const watched = await openPage(browser, { base });
    const { page } = watched;
    await page.goto("/timeline");
    await page.getByText("live", { exact: true }).waitFor();
    await page.evaluate(NOTE_BARS);
    const timerId = await book("The evening news", 1, soon(), 3 * SECOND);
    // The page does not reload: the recorder sends it each change.
    const bar = page
      .getByRole("group", { name: "Tuner sim-1" })
      .getByRole("link", { name: /^The evening news/ });
    await bar.waitFor();
    await page.getByRole("link", { name: /^The evening news.*, (perfect|good)$/ }).waitFor();
    const called = await page.evaluate<readonly string[]>("[...called]");
    expect(called).toContainEqual(expect.stringMatching(/^The evening news.*, recording$/));
    await goTo(page, "Tonight");
    const shelf = page.getByRole("region", { name: "New to watch" });
    // Its picture is made when somebody looks.
    const pictureWidth = () =>
      page.evaluate<number>("document.querySelector('.shelf-item img').naturalWidth");
    await expect.poll(pictureWidth).toBeGreaterThan(0);
    await shelf.getByRole("link", { name: /The evening news/ }).click();
    const dialog = page.getByRole("dialog", { name: "The evening news" });
    await dialog.getByRole("heading", { name: "What happened" }).waitFor();
    await dialog.getByText("More details").click();
    await dialog.getByRole("img", { name: "Bit rate over time" }).waitFor();
    await dialog.getByText("Nothing is missing.").waitFor();
    await dialog.getByRole("button", { name: "Play" }).click();
    const played = () => page.evaluate<number>("document.querySelector('video').currentTime");
    await expect.poll(played).toBeGreaterThan(0);
    await picture(page, "recording");
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Stop playing" }).click();
    await dialog.getByRole("button", { name: "Protect" }).click();
    await dialog.getByRole("button", { name: "Remove protection" }).click();
    await dialog.getByRole("button", { name: "Delete…" }).click();
    expect((await recorder.until(timerId, () => true)).state).toBe("completed");
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await dialog.getByText("It was deleted by a user.").first().waitFor();
    await page.keyboard.press("Escape");
    await shelf.waitFor({ state: "detached" });
    await page.getByText("Nothing has been recorded yet. Find something in the Guide.").waitFor();
    await goTo(page, "Recordings");
    await page.getByRole("status").getByText("No recordings").waitFor();
    expectQuiet(watched);
    await page.close();
  });

  it("asks for a decision with its cost, and one click decides", async () => {
    const start = Math.ceil(Date.now() / MINUTE) * MINUTE + 60 * MINUTE;
    await book("First film", 2, start);
    await book("Second film", 5, start);
    const watched = await openPage(browser, { base });
    const { page } = watched;
    await page.goto("/timeline");
    const decisions = page.getByRole("region", { name: "Decisions" });
    const lost = (await decisions.getByRole("heading", { level: 3 }).getByRole("link").textContent()) ?? "";
    const kept = lost === "First film" ? "Second film" : "First film";
    await decisions.getByText(`${lost} would not be recorded: no tuner is free from`).waitFor();
    await decisions.getByText("Why?").click();
    await decisions.getByText(`sim-1 records ${kept} (`).waitFor();
    await page
      .getByRole("group", { name: "No tuner" })
      .getByRole("link", { name: /film.*conflict$/ })
      .waitFor();
    await picture(page, "timeline");
    await expect.poll(() => page.evaluate(MISPLACED_LABELS)).toEqual([]);
    const film = page.getByRole("link", { name: /^First film/ }).first();
    // Its beginning is left of what the viewer sees.
    await film.evaluate((bar) => {
      const scroller = bar.closest(".timeline-scroller");
      const hidden = bar.getBoundingClientRect().left - (scroller?.getBoundingClientRect().left ?? 0) + 20;
      if (scroller !== null) scroller.scrollLeft += hidden;
    });
    await expect.poll(() => page.evaluate(MISPLACED_LABELS)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    const choice = decisions.getByRole("button", {
      name: new RegExp(`^Record ${lost} ${kept} .* is not recorded\\.$`),
    });
    await choice.focus();
    await page.keyboard.press("Enter");
    await decisions.getByText(`${lost} now has priority`).waitFor();
    // The other one has none now, as somebody chose. Nobody is asked again.
    await decisions
      .getByText(`${kept} will not be recorded: another recording was given priority.`)
      .waitFor();
    await decisions.getByRole("button", { name: /^Record/ }).waitFor({ state: "hidden" });
    await page
      .getByRole("link", { name: /^Second film/ })
      .first()
      .click();
    const unwanted = page.getByRole("dialog", { name: "Second film" });
    await unwanted.getByRole("button", { name: "Cancel the timer…" }).click();
    await unwanted.getByRole("button", { name: "Cancel the timer" }).click();
    await unwanted.getByText("– cancelled").waitFor();
    await page.keyboard.press("Escape");
    await decisions.getByRole("article").waitFor({ state: "detached" });
    expectQuiet(watched);
    await page.close();
  });

  inLong("books the offered repeat of a recording without a tuner, by a click", async () => {
    const start = Math.ceil(Date.now() / MINUTE) * MINUTE + 4 * HOUR;
    await world.world.book({ channel: 2, title: "The race", start, durationMs: 30 * MINUTE }, world.deviceId);
    const episode = { title: "The pilot", seriesId: "78", episodeId: "1", subtitle: "Hammerbarn" };
    const booked = { channel: 5, start, durationMs: 30 * MINUTE, about: episode, title: episode.title };
    const timerId = await world.world.book(booked, world.deviceId);
    const again = start + 24 * HOUR;
    await world.world.guide.addShow({ ...episode, channelId: 4, start: again, durationMinutes: 30 });
    const watched = await openPage(browser, { base });
    const { page } = watched;
    await page.goto("/");
    const decisions = page.getByRole("region", { name: "Decisions" });
    const button = decisions.getByRole("button", {
      name: /^Record the repeat: .*On Sim 4\. Nothing is lost\.$/,
    });
    // The page requests facts about a show and its repeats after it has fetched the timers.
    await expect
      .poll(async () => {
        await syncNow(page);
        await goTo(page, "Tonight");
        return button.count();
      }, PATIENT)
      .toBe(1);
    await button.click();
    await page.getByRole("status").getByText("The repeat of The pilot is being booked").waitFor();
    const timers = () => recorder.daemon.snapshot().recordings.filter(({ name }) => name === "The pilot");
    await expect
      .poll(() => timers().map((each) => [each.timerId === timerId, each.state, each.event.start]), PATIENT)
      .toEqual([
        [true, "cancelled", start],
        [false, "planned", again],
      ]);
    await decisions.getByRole("article").waitFor({ state: "detached" });
    expectQuiet(watched);
    await page.close();
  });

  it("books from the programme, changes the padding, and cancels a running recording, by clicks", async () => {
    const start = Math.floor(Date.now() / MINUTE) * MINUTE;
    const show = { channelId: 3, title: "A long film", start, durationMinutes: 45 };
    await world.world.guide.addShow(show);
    const watched = await openPage(browser, { base });
    const { page } = watched;
    await page.goto("/guide");
    await page
      .getByRole("list", { name: "Sim 3" })
      .getByRole("button", { name: /^A long film/ })
      .click();
    const dialog = page.getByRole("dialog", { name: "A long film" });
    await dialog.getByRole("button", { name: "Record", exact: true }).click();
    await dialog.getByText("● recording").waitFor();
    await picture(page, "programme");
    await dialog.getByRole("button", { name: "All airings" }).click();
    await page.getByRole("list", { name: "Search results" }).getByText("recording").waitFor();
    await goTo(page, "Tonight");
    const running = page.getByRole("region", { name: "Recording now" });
    await running.getByText(/^until \d\d:\d\d · no interruptions$/).waitFor();
    await running.getByRole("link", { name: "Watch A long film" }).click();
    await dialog.getByLabel("Minutes after").fill("7");
    await dialog.getByRole("button", { name: "Change padding" }).click();
    // In front of the dialog, where it is seen and read out.
    await dialog.getByRole("status").getByText("The guide service now has this padding.").waitFor();
    const isDrawnOut = () =>
      recorder.daemon.snapshot().recordings.find(({ name }) => name === "A long film")?.padding.afterMs;
    await expect.poll(isDrawnOut).toBe(7 * MINUTE);
    await dialog.getByRole("button", { name: "Cancel the timer…" }).click();
    await dialog.getByRole("button", { name: "Cancel the timer" }).click();
    await dialog.getByText("– cancelled").waitFor();
    expectQuiet(watched);
    await page.close();
  });

  inLong("records a whole series from the programme, changes it, and withdraws it, by clicks", async () => {
    const watched = await openPage(browser, { base });
    const { page } = watched;
    await page.goto("/guide");
    await page.getByRole("searchbox").fill("Low Tide");
    await page
      .getByRole("list", { name: "Search results" })
      .getByRole("button", { name: /^Low Tide/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "Low Tide" });
    await dialog.getByRole("button", { name: "Record the whole series" }).click();
    await dialog.getByText("Every episode will be recorded, once. See Rules.").waitFor();
    // A slow answer comes when the list is open.
    let answer = () => {};
    const later = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/v1/series/favourites", async (route) => {
      await later;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Favourite" }).click();
    await page.keyboard.press("Escape");
    const booked = () => recorder.daemon.snapshot().recordings.filter(({ name }) => name === "Low Tide");
    const open = () => booked().filter(({ state }) => state !== "cancelled").length;
    await expect.poll(open).toBe(2);
    await goTo(page, "Rules");
    const rule = page.getByRole("listitem", { name: "Low Tide Series" });
    await rule.getByText(/^Next: .* on Sim 4$/).waitFor();
    const favourite = page.getByRole("listitem", { name: "Low Tide Favourite", exact: true });
    expect(await favourite.count()).toBe(0);
    answer();
    await page.getByText("Added to favourites. See Rules.").waitFor();
    await favourite.waitFor();
    await rule.getByText("Change", { exact: true }).click();
    await rule.getByLabel("Quality").selectOption("Prefer SD");
    await rule.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await violations(page), "series").toEqual([]);
    // A keyword of another program is listed too.
    const { signal } = new AbortController();
    const { deviceId } = world;
    await accountAt(world.token).series.addKeyword({ keyword: "tide", device_id: deviceId }, signal);
    await page.reload();
    const keyword = page.getByRole("listitem", { name: "tide Keyword", exact: true });
    await keyword.waitFor();
    await rule.getByRole("button", { name: "Stop recording…" }).click();
    await rule.getByRole("button", { name: "Stop recording", exact: true }).click();
    await rule.waitFor({ state: "detached" });
    await keyword.getByRole("button", { name: "Stop recording…" }).click();
    await keyword.getByRole("button", { name: "Stop recording", exact: true }).click();
    await expect.poll(open).toBe(0);
    await page.getByRole("button", { name: "Remove Low Tide" }).click();
    await page.getByText("Favourite removed.").waitFor();
    expectQuiet(watched);
    await page.close();
  });

  inLong("asks for a sign-in if everyone must sign in, and shows nothing before", async () => {
    await using apart = await temporaryFolder();
    const home = await world.another("second recorder");
    await using guarded = await inProcess(apart.path, home, {
      tuners: simTuners(world, 1),
      web: { port: 0, signIn: "always" },
    });
    const users = [{ name: "anna", passwordHash: await hashPassword("a long password") }];
    await writeSecrets(guarded.data, {
      apiKey: SIM_API_KEY,
      ...(await readSecrets(guarded.data)),
      web: { users },
    });
    const guardedBase = `http://127.0.0.1:${guarded.daemon.webPort}`;
    const { page, strangers } = await openPage(browser, { base: guardedBase });
    // The daemon reads new secrets a moment later; until then no password is right.
    const session = async () => (await fetch(`${guardedBase}/v1/session`)).json();
    await expect.poll(session).toMatchObject({ canSignIn: true });
    await page.goto("/");
    await page.getByLabel("Name").fill("anna");
    await page.getByLabel("Password").fill("a wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The name or the password is wrong.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("live", { exact: true }).waitFor();
    // A change carries the session's token.
    await syncNow(page);
    await page.getByText("The recorder is asking the guide service.").waitFor();
    await signOut(page);
    await page.getByLabel("Password").waitFor();
    // The owner of the machine needs no password, and the address keeps nothing of the link.
    const file = join(apart.path, "recorderd.yaml");
    await writeFile(file, JSON.stringify(guarded.config));
    const { out, err } = await commandLine(["web", "open", "--config", file]);
    const [, key] = /^http:\/\/localhost:\d+\/#link=(.+)$/.exec(out) ?? [];
    expect(key, err).toBeDefined();
    await page.goto(`/timers#link=${key}`);
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${guardedBase}/timers`);
    await signOut(page);
    await page.getByLabel("Password").waitFor();
    await page.goto("about:blank");
    await page.goto(`/#link=${key}`);
    await page.getByText(/^This link has been used/).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(strangers).toEqual([]);
    await page.close();
  });

  inLong(
    "R-43 shows that the recorder is signed out of its guide service, and signs it in again",
    async () => {
      await using apart = await temporaryFolder();
      const home = await world.another("third recorder");
      await using signedOut = await inProcess(apart.path, home, {
        tuners: simTuners(world, 1),
        web: { port: 0, signIn: "where-needed" },
      });
      const watched = await openPage(browser, { base: `http://127.0.0.1:${signedOut.daemon.webPort}` });
      const { page } = watched;
      await page.goto("/tuners");
      await page.getByRole("link", { name: "Guide service" }).click();
      const dialog = page.getByRole("dialog", { name: "Guide service" });
      await dialog.getByText("✓ signed in").waitFor();
      await accountAt(home.token).logout(outOfPatience());
      await dialog.getByText("✕ sign-in needed").waitFor();
      await dialog.getByText("The guide service needs a new sign-in.").waitFor();
      await dialog.getByText("Technical details").click();
      await dialog.getByText(/token has expired or was revoked/).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("list", { name: "Problems" }).getByRole("link", { name: "sign in" }).click();
      await dialog.getByLabel("E-mail address").fill(world.world.account.email);
      await dialog.getByLabel("Password").fill("a wrong password");
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await dialog.getByText("The name or the password is wrong.").waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByLabel("Password").fill(world.world.account.password);
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await dialog.getByText("✓ signed in").waitFor();
      await dialog.getByText(/^Signed in to the guide service/).waitFor();
      await page.getByRole("list", { name: "Problems" }).waitFor({ state: "detached" });
      // Chromium reports each refusal as an error, as it does for a missing page.
      expect(watched.errors).toEqual([expect.stringContaining("409")]);
      expect(watched.strangers).toEqual([]);
      await page.close();
    },
  );

  inLong("can be used with the keyboard alone", async () => {
    await book("Keyed film", 3, Date.now() + 40 * HOUR);
    const { page } = await openPage(browser, { base });
    await page.goto("/timers");
    await page.getByRole("list", { name: "Timers" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press("Tab");
    await page.getByRole("link", { name: /^Keyed film/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Keyed film" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.close();
  });

  inLong("stays on its page after closing a dialog that a link from elsewhere opened", async () => {
    await book("Linked film", 3, Date.now() + 4 * HOUR);
    const { page } = await openPage(browser, { base });
    await page.goto("/timers");
    const link = await page.getByRole("link", { name: /^Linked film/ }).getAttribute("href");
    expect(link).toMatch(/^#recording\//);
    await page.goto("about:blank");
    await page.goto(`/timers${link}`);
    await page.getByRole("dialog", { name: "Linked film" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Linked film/ }).click();
    await page.getByRole("dialog", { name: "Linked film" }).waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/timers");
    await page.close();
  });

  inLong.each(["light", "dark"])(
    "has no accessibility flaw that axe-core finds, on any page, %s",
    async (colours) => {
      const isDark = colours === "dark";
      await book(`Film in ${colours}`, 3, Date.now() + 50 * HOUR);
      for (const width of IS_LONG ? [1280, 390] : [390]) {
        const watched = await openPage(browser, { base, width, dark: isDark });
        const { page } = watched;
        for (const path of PAGES) {
          await page.goto(path);
          await page.getByText("live", { exact: true }).waitFor();
          await page.getByRole("heading", { level: 1 }).waitFor();
          expect(await violations(page), `${path} ${width} px`).toEqual([]);
          if (path === "/") await picture(page, width < 500 ? `phone-${colours}` : "tonight");
          const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
          expect(isWide, `${path} is wider than ${width} px`).toBe(false);
        }
        await page.goto("/timers");
        await page.getByRole("link", { name: new RegExp(`^Film in ${colours}`) }).click();
        await page.getByRole("heading", { name: "What happened" }).waitFor();
        expect(await violations(page), "what is known of a timer").toEqual([]);
        expectQuiet(watched);
        await page.close();
      }
    },
  );
});
