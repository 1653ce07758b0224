import { readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listing } from "../guide-server/xmltv/listing.ts";
import { type Browser, goTo, openBrowser, openPage, picture, violations } from "./browser.ts";
import {
  ACCOUNT,
  answerGuide,
  answerRecordings,
  answerTuner,
  answerUser,
  episodesOf,
  Home,
  makeAccount,
  startRecorder,
  unexplained,
} from "./first-steps.ts";

const TITLE = "Harbour Watch";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => browser.close());

/** One channel with a triplet, one with only a name; a series on the first. */
function seriesListing(now: number): string {
  const channel = "tv.101002210220";
  const start = Math.ceil(now / 1000) * 1000;
  const channels = { [channel]: "Harbour One", "two.example": "Harbour Two" };
  return listing(channels, episodesOf({ channel, title: TITLE, start }));
}

describe("an empty folder", () => {
  it("leads to a series of verified recordings, by clicks alone, with a listing and the simulator's tuners", async () => {
    await using folder = await Home.open();
    await writeFile(join(folder.path, "guide.xml"), seriesListing(Date.now()));
    const { guide, air, recorder } = await folder.runAll("guide.xml");

    // At the guide server: the account of the household.
    const home = await openPage(browser, { base: guide });
    await makeAccount(home.page, folder);

    // At the recorder: its device, its tuner and its folder.
    const { page, strangers, errors } = await openPage(browser, { base: new URL(recorder).origin });
    await page.goto(recorder);
    await answerGuide(page, { url: guide, account: ACCOUNT });
    await answerTuner(page, { kind: "mock", address: air, offers: "2 of the 2" });
    await answerRecordings(page, { folder: join(folder.path, "recordings"), before: 1, after: 1 });
    await answerUser(page);
    await startRecorder(page);

    // From the programme to the series.
    await goTo(page, "Guide");
    await page.getByLabel("Search titles and descriptions").fill(TITLE);
    const found = page.getByRole("list", { name: "Search results" });
    await found
      .getByRole("button", { name: new RegExp(`^${TITLE}`) })
      .first()
      .click();
    await page.getByRole("button", { name: "Record the whole series", exact: true }).click();
    await page.keyboard.press("Escape");
    await goTo(page, "Rules");
    await page.getByRole("listitem", { name: `${TITLE} Series`, exact: true }).waitFor();

    // An episode comes, and is whole.
    await goTo(page, "Timeline");
    const whole = page.getByRole("link", { name: new RegExp(`^${TITLE}.*, (perfect|good)$`) }).first();
    await whole.waitFor({ timeout: 150_000 });
    await goTo(page, "Recordings");
    await page.getByRole("list", { name: "Recordings" }).getByText(TITLE).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, "from-nothing");
    const files = await readdir(join(folder.path, "recordings"), { recursive: true });
    expect(files.filter((name) => name.startsWith(TITLE) && name.endsWith(".ts"))).not.toEqual([]);

    // The guide server lists the recorder. A channel with only a name needs no attention, and can be given a triplet.
    await home.page.reload();
    await home.page.getByRole("region", { name: hostname() }).waitFor();
    await goTo(home.page, "Channels");
    const channels = home.page.getByRole("list", { name: "Channels of the guide" });
    await channels.getByText("No triplet").waitFor();
    expect(await home.page.getByRole("list", { name: "Unmatched channels of listings" }).count()).toBe(0);
    await channels.getByRole("button", { name: /^two\.example/ }).click();
    expect(await violations(home.page)).toEqual([]);
    await home.page.getByLabel(/^Or ONID/).fill("0x1010/0x0221/0x0221");
    await home.page.getByRole("button", { name: "Use this channel" }).click();
    await home.page.getByText("Setting saved.").waitFor();
    await home.page.keyboard.press("Escape");
    await expect
      .poll(async () => {
        await home.page.reload();
        await channels.waitFor();
        return await channels.getByText("No triplet").count();
      })
      .toBe(0);
    expect(await violations(home.page)).toEqual([]);
    await picture(home.page, "guide-channels");

    expect(unexplained([...errors, ...home.errors])).toEqual([]);
    expect([...strangers, ...home.strangers]).toEqual([]);
  });
});
