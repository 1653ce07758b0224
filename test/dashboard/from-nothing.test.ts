import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../main-job/recorder.ts";
import { openBrowser, openPage, picture, violations } from "./browser.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const EMAIL = "home@example.org";
const PASSWORD = "a long password";
const TITLE = "Harbour Watch";
/** Episodes so long, one after the other at this distance: whenever the clicks come, one is next. */
const EPISODE_MS = 6_000;
const EVERY_MS = 12_000;
const EPISODES = 80;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let browser: Browser;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await temporaryFolder();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  await folder[Symbol.asyncDispose]();
});

/** Starts a command in the folder. @returns the first address that it says */
async function address(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder.path,
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const found = () => /http:\/\/(127\.0\.0\.1|localhost):\d+\S*(?=\n)/.exec(said)?.[0];
  await expect.poll(() => found() ?? said, { timeout: 90_000 }).toMatch(/^http:\S+$/);
  return found() ?? "";
}

function xmltvTime(at: number): string {
  return `${new Date(at).toISOString().replace(/\D/g, "").slice(0, 14)} +0000`;
}

/** One channel that tells its triplet, one that has a name alone; a series on the first. */
function listing(now: number): string {
  const first = Math.ceil(now / 1000) * 1000;
  const programmes = Array.from({ length: EPISODES }, (_, index) => {
    const start = first + index * EVERY_MS;
    return (
      `<programme start="${xmltvTime(start)}" stop="${xmltvTime(start + EPISODE_MS)}" channel="tv.101002210220">` +
      `<title>${TITLE}</title><sub-title>Part ${index + 1}</sub-title>` +
      `<episode-num system="xmltv_ns">0.${index}.</episode-num></programme>`
    );
  });
  return [
    "<tv>",
    '<channel id="tv.101002210220"><display-name>Harbour One</display-name></channel>',
    '<channel id="two.example"><display-name>Harbour Two</display-name></channel>',
    ...programmes,
    "</tv>",
  ].join("\n");
}

describe("an empty folder", () => {
  it("becomes a series recorded to verified files, by clicks alone, with a listing and the simulator's tuners", async () => {
    await writeFile(join(folder.path, "guide.xml"), listing(Date.now()));
    const [guide, air, recorder] = await Promise.all([
      address("guide-server", "--data", "guide", "--port", "0", "--xmltv", "guide.xml"),
      address("broadcaster", "--xmltv", "guide.xml", "--port", "0"),
      address(
        "setup",
        "--web",
        "127.0.0.1:0",
        "--config",
        "etc/recorderd.yaml",
        "--data",
        "data",
        "--socket",
        "control.sock",
      ),
    ]);

    // At the guide server: the account of the household.
    const home = await openPage(browser, { base: guide });
    await home.page.goto((await readFile(join(folder.path, "guide/first-account"), "utf8")).trim());
    await home.page.getByLabel("E-mail address").fill(EMAIL);
    await home.page.getByLabel(/^Password/).fill(PASSWORD);
    await home.page.getByRole("button", { name: "Make the account" }).click();
    await home.page.getByText(/^None yet/).waitFor();

    // At the recorder: what it records, and with what.
    const { page, strangers, errors } = await openPage(browser, { base: new URL(recorder).origin });
    await page.goto(recorder);
    await page.getByLabel(/^Another one/).click();
    await page.getByLabel("Address", { exact: true }).fill(guide);
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel(/^Timers of a new device/).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Kind of tuner").selectOption("mock");
    await page.getByLabel("Where it is").fill(air);
    await page.getByRole("button", { name: "Add and try it" }).click();
    const tuners = page.getByRole("list", { name: "Tuners that will be used" });
    await tuners.getByText(/^Works: .* offers 2 of the 2 channels of the guide\.$/).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel(/^Folder/).fill(join(folder.path, "recordings"));
    await page.getByLabel(/before each event/).fill("1");
    await page.getByLabel(/after each event/).fill("1");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Name").fill("anna");
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Write it and start" }).click();
    await page.getByLabel("Name").fill("anna");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("live", { exact: true }).waitFor();

    // From the programme to the series.
    await page.getByRole("link", { name: "Programme" }).click();
    await page.getByLabel("Search titles and descriptions").fill(TITLE);
    const found = page.getByRole("list", { name: "Shows that were found" });
    await found
      .getByRole("button", { name: new RegExp(`^${TITLE}`) })
      .first()
      .click();
    await page.getByRole("button", { name: "Record the whole series" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Series" }).click();
    await page.getByRole("region", { name: TITLE }).getByText("any channel").waitFor();

    // An episode comes, and is whole.
    await page.getByRole("link", { name: "Timeline" }).click();
    const whole = page.getByRole("link", { name: new RegExp(`^${TITLE}.*, completed$`) }).first();
    await whole.waitFor({ timeout: 150_000 });
    await page.getByRole("link", { name: "Recordings" }).click();
    await page.getByRole("list", { name: "Recordings" }).getByText(TITLE).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, "from-nothing");
    const files = await readdir(join(folder.path, "recordings"), { recursive: true });
    expect(files.filter((name) => name.startsWith(TITLE) && name.endsWith(".ts"))).not.toEqual([]);

    // The guide server knows the recorder, and what of the listing no recorder can tune to.
    await home.page.reload();
    await home.page.getByRole("region", { name: hostname() }).waitFor();
    await home.page.getByRole("link", { name: "Channels" }).click();
    const open = home.page.getByRole("list", { name: "Channels of listings that were not found" });
    await open.getByRole("button", { name: "Harbour Two" }).click();
    expect(await violations(home.page)).toEqual([]);
    await home.page.getByLabel(/^or ONID/).fill("0x1010/0x0221/0x0221");
    await home.page.getByRole("button", { name: "That is it" }).click();
    await home.page.getByText("Listings are read with it now.").waitFor();
    await home.page.keyboard.press("Escape");
    await expect
      .poll(async () => {
        await home.page.reload();
        await home.page.getByRole("list", { name: "Channels of the guide" }).waitFor();
        return await open.count();
      })
      .toBe(0);
    expect(await violations(home.page)).toEqual([]);
    await picture(home.page, "guide-channels");

    // The session of the page of setup ends with it: the recorder answers 401 until somebody signs in.
    const between = /ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|status of 401/;
    expect([...errors, ...home.errors].filter((error) => !between.test(error))).toEqual([]);
    expect([...strangers, ...home.strangers]).toEqual([]);
  });
});
