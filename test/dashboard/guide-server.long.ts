import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDemo } from "../../src/guide-server/demo/seed-demo.ts";
import { type GuideServer, openGuideServer } from "../../src/guide-server/server.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { DAY, HOUR } from "../../src/model/time.ts";
import { DASHBOARD } from "../../src/web/listener/static.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { type Browser, goTo, openBrowser, openPage, picture, signOut, violations } from "./browser.ts";

const EMAIL = "home@example.org";
const PASSWORD = "a long password";
const TITLE = "Kelp Diaries";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: GuideServer;
let base = "";
let browser: Browser;

beforeAll(async () => {
  folder = await temporaryFolder();
  const clock = systemClock();
  const pages = { folder: DASHBOARD, silentAfterMs: 5 * DAY };
  server = await openGuideServer({ dataFolder: folder.path, clock, log: silentLog, pages });
  const demo = seedDemo({ seed: 1, now: clock.now(), channels: 4 });
  await server.seed(demo);
  const start = clock.now() + HOUR;
  const channelId = demo.channels[0]?.id ?? 0;
  await server.addShow({ channelId, title: TITLE, seriesId: "kelp", start, durationMinutes: 30 });
  base = (await server.listen({ host: "127.0.0.1", port: 0 })).baseUrl;
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function enter(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel("e-mail address").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in a box that reports facts about itself, by its own token. */
async function boxOf(uid: string) {
  const post = async (path: string, document: object) => {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(document) });
    expect(answer.ok, path).toBe(true);
    return answer;
  };
  const member = { email_address: EMAIL, password: PASSWORD };
  const login = await post("/login", { member, device: { uid, label: uid, type_id: 1 } });
  const { token } = ((await login.json()) as { readonly member: { readonly token: string } }).member;
  return {
    tell: (path: string, document: object) => post(`${path}?email_address=${EMAIL}&token=${token}`, document),
  };
}

describe("the pages of a guide server", () => {
  it("create the household's account, show its devices, and rename and remove them", async () => {
    const { page, strangers, errors } = await openPage(browser, { base });
    await page.goto("/");
    await page.getByText("There is no account yet").waitFor();
    expect(await page.getByRole("button", { name: "Create account" }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.goto("about:blank");
    await page.goto((await readFile(join(folder.path, "first-account"), "utf8")).trim());
    await page.getByRole("button", { name: "Create account" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel(/^Password/).fill(PASSWORD);
    const region = page.getByLabel("Region");
    if ((await region.count()) > 0) await region.selectOption({ index: 0 });
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText(/^None yet/).waitFor();

    await server.addDevice(EMAIL, { label: "Lounge", type_id: 1 });
    await server.addDevice(EMAIL, { label: "Attic", uid: "Loft", type_id: 1 });
    await page.reload();
    const attic = page.getByRole("region", { name: "Attic" });
    await attic.getByLabel("Name").fill("Loft");
    await attic.getByRole("button", { name: "Rename" }).click();
    const loft = page.getByRole("region", { name: "Loft" });
    await loft.getByText("Has never signed in").waitFor();
    await loft.getByText("Reception and log").click();
    await loft.getByText("It has not reported a scan.").waitFor();
    const box = await boxOf("Loft");
    await box.tell("/scans", { scans: [{ channel_name: "Nobody's", onid: 1, tsid: 2, sid: 3 }] });
    await box.tell("/user/pvr_logs", { logs: [{ text: "tuner two is deaf" }] });
    await page.reload();
    await loft.getByText("Reception and log").click();
    await loft.getByText(/^1 services? received/).waitFor();
    await loft.getByText(/^4 channels of the region were not found/).waitFor();
    await loft.getByText("tuner two is deaf").waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, "guide-devices");
    await loft.getByRole("button", { name: "Remove…" }).click();
    await loft.getByRole("button", { name: "Remove", exact: true }).click();
    await loft.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Lounge" }).waitFor();

    await signOut(page);
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("region", { name: "Lounge" }).waitFor();
    expect(errors).toEqual([]);
    expect(strangers).toEqual([]);
    await page.close();
  });

  it("record a show or a whole series from the programme on the chosen device, change and withdraw it, by clicks", async () => {
    await server.addDevice(EMAIL, { label: "Cellar", type_id: 1 });
    const { page, strangers, errors } = await openPage(browser, { base });
    await page.goto("/pages/guide");
    await enter(page, EMAIL, PASSWORD);
    await page.getByRole("searchbox", { name: "Search titles" }).fill(TITLE);
    await page.getByText("1 show", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: new RegExp(`^${TITLE}`) }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Recorded by").selectOption("Cellar");
    await dialog.getByRole("button", { name: "Record", exact: true }).click();
    await dialog.getByText("Booked on Cellar").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await server.timers(EMAIL)).toMatchObject([{ name: TITLE }]);
    await dialog.getByRole("button", { name: "Cancel on Cellar" }).click();
    await dialog.getByText("Booked on Cellar").waitFor({ state: "detached" });
    expect(await server.timers(EMAIL)).toEqual([]);
    await dialog.getByRole("button", { name: "Record the whole series" }).click();
    await dialog.getByText("Every episode will be recorded").waitFor();
    await dialog.getByRole("button", { name: "Favourite" }).click();
    await dialog.getByText("Added to favourites").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();

    await goTo(page, "Rules");
    const series = page.getByRole("listitem", { name: `${TITLE} Series` });
    await series.getByText("Next: ").waitFor();
    await series.getByText("Change", { exact: true }).click();
    expect(await series.getByLabel("Recorded by").locator("option:checked").textContent()).toBe("Cellar");
    await page.getByRole("button", { name: `Remove ${TITLE}` }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, "guide-series");
    await series.getByLabel("Recorded by").selectOption("Lounge");
    await series.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.reload();
    await series.getByText("Change", { exact: true }).click();
    expect(await series.getByLabel("Recorded by").locator("option:checked").textContent()).toBe("Lounge");
    await series.getByRole("button", { name: "Stop recording…" }).click();
    await series.getByRole("button", { name: "Stop recording", exact: true }).click();
    await series.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    expect(strangers).toEqual([]);
    await page.close();
  });

  it("record what a rule describes on the chosen device, with a preview", async () => {
    const { page, strangers, errors } = await openPage(browser, { base });
    await page.goto("/pages/guide");
    await enter(page, EMAIL, PASSWORD);
    await page.getByRole("searchbox", { name: "Search titles" }).fill(TITLE);
    await page.getByRole("button", { name: "Create a rule…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Records 1 of 1 show in the next two weeks.").waitFor();
    await dialog.getByLabel("Recorded by").selectOption("Cellar");
    await dialog.getByText("More conditions").click();
    await dialog.getByLabel("Priority").fill("101");
    await dialog.getByText("This number is too small, too large").waitFor();
    await dialog.getByLabel("Priority").fill("80");
    await dialog.getByText("Records 1 of 1 show in the next two weeks.").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await goTo(page, "Rules");
    const rule = page.getByRole("listitem", { name: TITLE, exact: true });
    await rule.getByText(/^Next: /).waitFor();
    expect(await server.timers(EMAIL)).toMatchObject([{ name: TITLE, priority: 80 }]);
    await rule.getByRole("button", { name: "Stop recording…" }).click();
    await rule.getByRole("button", { name: "Stop recording", exact: true }).click();
    await rule.waitFor({ state: "detached" });
    expect(await server.timers(EMAIL)).toEqual([]);
    // The browser's own error for the priority that was refused.
    expect(errors).toEqual([expect.stringContaining("409")]);
    expect(strangers).toEqual([]);
    await page.close();
  });

  it("let an owner add users, set their rights and passwords, and remove them; others see the owner's name", async () => {
    const { page, errors } = await openPage(browser, { base });
    await page.goto("/pages/users");
    await enter(page, EMAIL, PASSWORD);
    const form = page.getByRole("region", { name: "Add a user" });
    await form.getByLabel("Name").fill("Anna");
    await form.getByLabel(/^Password/).fill("long enough");
    await form.getByRole("button", { name: "Add" }).click();
    const anna = page.getByRole("region", { name: "anna", exact: true });
    await anna.getByText("viewer", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, "guide-users");
    await anna.getByLabel("Rights").selectOption("member");
    await anna.getByRole("button", { name: "Change rights" }).click();
    await anna.getByText("member", { exact: true }).waitFor();
    await anna.getByText("Change password…").click();
    await anna.getByLabel("New password for anna").fill("another password");
    await anna.getByRole("button", { name: "Set password" }).click();
    await page.getByText("anna has a new password").waitFor();
    await signOut(page);

    await enter(page, "Anna", "another password");
    await goTo(page, "Users");
    await page.getByText("Your account does not allow this.").waitFor();
    await signOut(page);

    await enter(page, EMAIL, PASSWORD);
    await goTo(page, "Users");
    await anna.getByRole("button", { name: "Remove…" }).click();
    await anna.getByRole("button", { name: "Remove", exact: true }).click();
    await anna.waitFor({ state: "detached" });
    // The browser's own error for Anna's refused request.
    expect(errors).toEqual([expect.stringContaining("403")]);
    await page.close();
  });
});
