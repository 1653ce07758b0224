import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { goTo, openPage, picture, violations, type Watched } from "./browser.ts";
import { type Household, openHousehold } from "./household.ts";

let household: Household;
/** When most shows begin. */
let base: number;

beforeAll(async () => {
  base = Math.ceil(Date.now() / HOUR) * HOUR + 2 * HOUR;
  household = await openHousehold(8, async ({ world: { guide } }) => {
    const add = (title: string, channelId: number, hours: number, more: object = {}) =>
      guide.addShow({ title, channelId, start: base + hours * HOUR, durationMinutes: 30, ...more });
    const tide = (episodeId: string) => ({ seriesId: "tide", episodeId, subtitle: `Episode ${episodeId}` });
    await add("Spring Tide", 2, 0, tide("1"));
    await add("Spring Tide", 2, 24, tide("2"));
    // The first episode again, and a show that nobody identifies.
    await add("Spring Tide", 3, 48, tide("1"));
    await add("Tide tables", 4, 5);
    await add("Harbour at night", 5, 60, { desc: "Where the spring tide ends." });
  });
  const { world, deviceId } = household.world;
  // It needs the only tuner while the first episode is on.
  await world.book({ channel: 6, title: "Evening concert", start: base, durationMs: 30 * MINUTE }, deviceId);
});
afterAll(() => household[Symbol.asyncDispose]());

const newRule = (page: Page) => page.getByRole("button", { name: "New rule" }).click();
const sentence = (dialog: Locator) => dialog.getByRole("region", { name: "Preview" }).getByRole("status");
const openRules = async (width = 1280): Promise<Watched> => {
  const watched = await openPage(household.browser, { base: household.base, width });
  await watched.page.goto("/series");
  await watched.page.getByRole("button", { name: "New rule" }).waitFor();
  return watched;
};

function expectQuiet({ strangers, errors }: Watched): void {
  expect(strangers).toEqual([]);
  expect(errors).toEqual([]);
}

describe("the rules of a household", () => {
  it("are made with a preview, changed, paused and removed, by clicks", async () => {
    const watched = await openRules();
    const { page } = watched;
    await newRule(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Enter words, an expression or a genre").waitFor();
    await dialog.getByLabel("Words in the title").fill("tide spring");
    await dialog.getByText("of 3 shows in the next two weeks.").waitFor();
    const shows = dialog.getByRole("region", { name: "Matching shows" }).getByRole("listitem");
    expect(await shows.count()).toBe(3);
    await shows.filter({ hasText: "Another airing of this episode is recorded." }).waitFor();
    // One tuner, and another recording at the time of the first episode.
    await dialog.getByText(/^(Other recordings would lose a part|No tuner is free for):$/).waitFor();
    await dialog.getByText(/on the disk; .* are free\.$/).waitFor();
    expect(await violations(page), "dialog").toEqual([]);

    await dialog.getByText("Channels: Any channel").click();
    await dialog.getByLabel("Find a channel").fill("sim 2");
    await dialog.getByLabel("Sim 2", { exact: true }).check();
    await dialog.getByText("of 2 shows in the next two weeks.").waitFor();
    await dialog.getByLabel("New episodes only").check();
    await dialog.getByText("More conditions").click();
    // A higher priority takes the tuner from the other recording, which the preview names.
    await dialog.getByLabel("Priority").fill("90");
    await dialog.getByText(/^Evening concert, .*: (not recorded|.* missing)$/).waitFor();
    await dialog.getByText("Other recordings would lose a part:").waitFor();
    await dialog.getByLabel("Priority").fill("");
    await dialog.getByText("No tuner is free for:").waitFor();
    await dialog.getByLabel("Recordings to keep").fill("5");
    expect(await violations(page), "all conditions").toEqual([]);
    await picture(page, "rule");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The rule is saved, but not everything can be recorded.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();

    const rule = page.getByRole("listitem", { name: "tide spring" });
    await rule.getByText("New episodes on Sim 2, keep the newest 5").waitFor();
    await rule.getByText(/^Next: .* on Sim 2$/).waitFor();
    expect(await violations(page), "list").toEqual([]);
    await picture(page, "rules");

    await rule.getByRole("button", { name: "Change…" }).click();
    expect(await dialog.getByLabel("Recordings to keep").inputValue()).toBe("5");
    await dialog.getByLabel("Name of the rule").fill("Tides");
    await dialog.getByLabel("Paused").check();
    await dialog.getByText(/^Paused: it would record . of 2 shows/).waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const renamed = page.getByRole("listitem", { name: "Tides" });
    await renamed.getByText("Paused").waitFor();
    await renamed.getByText("No upcoming recording").waitFor();

    await renamed.getByRole("button", { name: "Stop recording…" }).click();
    await renamed.getByRole("button", { name: "Stop recording", exact: true }).click();
    await renamed.waitFor({ state: "detached" });
    expectQuiet(watched);
    await page.close();
  });

  it("begin with a show or a search of the guide", async () => {
    const watched = await openPage(household.browser, { base: household.base });
    const { page } = watched;
    await page.goto("/guide");
    await page.getByRole("searchbox").fill("spring tide");
    await page.getByRole("button", { name: "Create a rule…" }).click();
    const dialog = page.getByRole("dialog");
    // Like the search, the rule looks in descriptions too.
    expect(await dialog.getByLabel("Words in title or description").inputValue()).toBe("spring tide");
    await dialog.getByText("of 4 shows in the next two weeks.").waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("list", { name: "Search results" })
      .getByRole("button", { name: /^Spring Tide/ })
      .first()
      .click();
    await dialog.getByRole("button", { name: "Record like this…" }).click();
    expect(await dialog.getByLabel("Words in the title").inputValue()).toBe("Spring Tide");
    await dialog.getByText("Channels: Sim 2").waitFor();
    await dialog.getByText("of 2 shows in the next two weeks.").waitFor();
    await page.keyboard.press("Escape");
    expectQuiet(watched);
    await page.close();
  });

  it("show a mistake at its field", async () => {
    const { page } = await openRules();
    await newRule(page);
    const dialog = page.getByRole("dialog");
    const expression = dialog.getByLabel("Regular expression");
    await expression.fill("(tide");
    await dialog.getByText("This expression cannot be used").waitFor();
    expect(await expression.getAttribute("aria-invalid")).toBe("true");
    expect(await violations(page)).toEqual([]);
    await expression.fill("^spring .ide$");
    await dialog.getByText("of 3 shows in the next two weeks.").waitFor();
    expect(await expression.getAttribute("aria-invalid")).toBe("false");
    await dialog.getByText("More conditions").click();
    await dialog.getByLabel("Folder").fill("../elsewhere");
    await dialog.getByText("Write names separated by /").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("status").last().getByText(/./).waitFor();
    expect(await dialog.getByLabel("Folder").getAttribute("aria-invalid")).toBe("true");
    await page.close();
  });

  it("ask once a typist pauses, and show the answer to the last question", async () => {
    const { page } = await openRules();
    const asked: string[] = [];
    const cancelled: string[] = [];
    const wordsOf = (body: string | null) => JSON.parse(body ?? "{}").order.words as string;
    page.on("requestfailed", (request) => cancelled.push(wordsOf(request.postData())));
    let late: Route | undefined;
    await page.route("**/v1/rules/preview", async (route) => {
      const words = wordsOf(route.request().postData());
      asked.push(words);
      if (words === "spring tide") late = route;
      else await route.continue();
    });
    await newRule(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Words in the title").pressSequentially("spring tide");
    await expect.poll(() => late !== undefined).toBe(true);
    expect(asked).toEqual(["spring tide"]);
    await dialog.getByLabel("Words in the title").fill("tide tables");
    await dialog.getByText("of 1 show in the next two weeks.").waitFor();
    expect(cancelled).toEqual(["spring tide"]);
    expect(asked).toEqual(["spring tide", "tide tables"]);
    await page.close();
  });

  it("can be made with the keyboard alone on a phone", async () => {
    const { page } = await openRules(390);
    await page.getByRole("button", { name: "New rule" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Words in the title").focus();
    await page.keyboard.type("tide tables");
    await sentence(dialog).getByText("Records 1 of 1 show in the next two weeks.").waitFor();
    await dialog.getByText("The guide does not identify the episode of one of them").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("New rule");
    const rule = page.getByRole("listitem", { name: "tide tables" });
    await rule.getByText(/^Next: .* on Sim 4$/).waitFor();
    await goTo(page, "Guide");
    await page.close();
  });
});
