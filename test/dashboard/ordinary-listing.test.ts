import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "../../src/model/time.ts";
import { offsetAt } from "../../src/model/zone.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { type FakeServer, receivers } from "../tune/fakes/air.ts";
import { fakeSatip } from "../tune/fakes/satip.ts";
import { openBrowser, openPage, violations } from "./browser.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const EMAIL = "home@example.org";
const PASSWORD = "a long password";
const TITLE = "Harbour & Küste";
const LATE = "Late & far";
/** Whose clocks the listing tells, while it says that it tells those of UTC. */
const ZONE = "Australia/Sydney";
/** Episodes so long, one after the other at this distance: whenever the clicks come, one is next. */
const EPISODE_MS = 6_000;
const EVERY_MS = 12_000;
const EPISODES = 80;

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => browser.close());

/** A folder in which commands run. What was started ends with it. */
class Home implements AsyncDisposable {
  readonly path: string;
  readonly #folder: AsyncDisposable;
  readonly #started: ChildProcess[] = [];

  private constructor(folder: Awaited<ReturnType<typeof temporaryFolder>>) {
    this.path = folder.path;
    this.#folder = folder;
  }

  static async open(): Promise<Home> {
    return new Home(await temporaryFolder());
  }

  run(...args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.path,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
    return addressSaid(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await this.#folder[Symbol.asyncDispose]();
  }
}

async function addressSaid(child: ChildProcess): Promise<string> {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const found = () => /http:\/\/(127\.0\.0\.1|localhost):\d+\S*(?=\n)/.exec(said)?.[0];
  await expect.poll(() => found() ?? said, { timeout: 90_000 }).toMatch(/^http:\S+$/);
  return found() ?? "";
}

function xmltvTime(at: number): string {
  return `${new Date(at + offsetAt(at, ZONE)).toISOString().replace(/\D/g, "").slice(0, 14)} +0000`;
}

/** As grabbers write it: ids without triplets, a bare &, Latin-1 that says it is UTF-8, and times of another zone. */
function listing(now: number): Buffer {
  const first = Math.ceil(now / 1000) * 1000;
  const programme = (channel: string, [start, stop]: readonly [number, number], title: string) =>
    `<programme start="${xmltvTime(start)}" stop="${xmltvTime(stop)}" channel="${channel}"><title>${title}</title>`;
  const episodes = Array.from({ length: EPISODES }, (_, index) => {
    const start = first + index * EVERY_MS;
    const number = `<episode-num system="xmltv_ns">0.${index}.</episode-num>`;
    return `${programme("ch1.example", [start, start + EPISODE_MS], TITLE)}${number}</programme>`;
  });
  const late = `${programme("ch2.example", [first + 2 * HOUR, first + 3 * HOUR], LATE)}</programme>`;
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<tv>",
    '<channel id="ch1.example"><display-name>Harbour One</display-name></channel>',
    '<channel id="ch2.example"><display-name>Harbour Two</display-name></channel>',
    ...episodes,
    late,
    "</tv>",
  ];
  return Buffer.from(text.join("\n"), "latin1");
}

/** What is on the air, under names of its own. */
const AIR = `<tv>
<channel id="a.example"><display-name>HARBOUR-ONE HD</display-name></channel>
<channel id="b.example"><display-name>Hb2 Television</display-name></channel>
</tv>`;

/** The service ids of the channels of a listing without triplets, as the broadcaster puts them on the air. */
const MULTIPLEX = { onid: 0xfffe, tsid: 0x0221 };
const LIST = ["HARBOUR-ONE HD", "Hb2 Television"].map(
  (name, at) =>
    `${name};Sim:226500:B7C34D0G16I999M64S0T8Y0:T:0:256:257:0:0:${0x0220 + at}:${MULTIPLEX.onid}:${MULTIPLEX.tsid}:0`,
);

/** A SAT>IP server in front of the broadcaster, and a channel list for it. */
async function satipBefore(air: string, folder: Home): Promise<FakeServer> {
  await writeFile(join(folder.path, "channels.conf"), `${LIST.join("\n")}\n`);
  const multiplex = `${air}/multiplex/${MULTIPLEX.onid}/${MULTIPLEX.tsid}`;
  return fakeSatip(receivers({ count: 2, shared: true }), () => multiplex);
}

describe("an ordinary listing", () => {
  it.each(["mock", "satip"])(
    "becomes recordings by clicks alone, whatever is wrong with it: %s",
    async (kind) => {
      await using folder = await Home.open();
      const address = (...args: readonly string[]) => folder.run(...args);
      await writeFile(join(folder.path, "guide.xml"), listing(Date.now()));
      await writeFile(join(folder.path, "air.xml"), AIR);
      const setUp = ["--config", "etc/recorderd.yaml", "--data", "data", "--socket", "control.sock"];
      const [guide, air, recorder] = await Promise.all([
        address("guide-server", "--data", "guide", "--port", "0", "--xmltv", "guide.xml"),
        address("broadcaster", "--xmltv", "air.xml", "--port", "0"),
        address("setup", "--web", "127.0.0.1:0", ...setUp),
      ]);

      // At the guide server: what was wrong with the listing, and of which zone its times are.
      const { page: home, errors: homeErrors } = await openPage(browser, { base: guide });
      await home.goto((await readFile(join(folder.path, "guide/first-account"), "utf8")).trim());
      await home.getByLabel("E-mail address").fill(EMAIL);
      await home.getByLabel(/^Password/).fill(PASSWORD);
      await home.getByRole("button", { name: "Make the account" }).click();
      await home.getByText(/^None yet/).waitFor();
      await home.getByRole("link", { name: "Channels" }).click();
      const listed = home.getByRole("region", { name: "Listing guide.xml" });
      await listed.getByText(/^81 times: line 5, a bare & is read as text/).waitFor();
      await listed.getByText(/^80 times: line 5, a byte that is not UTF-8 is read as Windows-1252/).waitFor();
      expect(await violations(home)).toEqual([]);
      await listed.getByLabel("Times of guide.xml").selectOption(ZONE);
      await listed.getByRole("button", { name: "Read it so" }).click();
      await expect
        .poll(async () => {
          await home.reload();
          await listed.getByText(/programmes, read/).waitFor();
          return await listed.getByRole("status").count();
        })
        .toBe(0);

      // At the recorder: setup finds the one channel whose name is on the air.
      const { page, errors } = await openPage(browser, { base: new URL(recorder).origin });
      await page.goto(recorder);
      await page.getByLabel(/^Another one/).click();
      await page.getByLabel("Address", { exact: true }).fill(guide);
      await page.getByLabel("E-mail address").fill(EMAIL);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel(/^Timers of a new device/).click();
      await page.getByRole("button", { name: "Continue" }).click();
      await using satip = kind === "satip" ? await satipBefore(air, folder) : undefined;
      await page.getByLabel("Kind of tuner").selectOption(kind);
      await page.getByLabel("Where it is").fill(satip === undefined ? air : `127.0.0.1:${satip.port}`);
      if (satip !== undefined)
        await page.getByLabel(/^Channel list/).fill(join(folder.path, "channels.conf"));
      await page.getByRole("button", { name: "Add and try it" }).click();
      const tuners = page.getByRole("list", { name: "Tuners that will be used" });
      await tuners.getByText(/^Works: .* offers 1 of the 2 channels of the guide\.$/).waitFor();
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

      // The series is on the channel that was found; what is booked on the other one is told at once.
      await page.getByRole("link", { name: "Programme" }).click();
      const search = page.getByLabel("Search titles and descriptions");
      const found = page.getByRole("list", { name: "Shows that were found" });
      const choose = async (title: string) => {
        await search.fill(title);
        await found.getByRole("button", { name: title }).first().click();
      };
      await choose(TITLE);
      await page.getByRole("button", { name: "Record the whole series" }).click();
      await page.keyboard.press("Escape");
      await choose(LATE);
      await page.getByRole("button", { name: "Record", exact: true }).click();
      await page.getByText(/^Booked, but no tuner receives Harbour Two/).waitFor();
      await page.keyboard.press("Escape");

      // One click says which service it is, and the timer has it.
      await page.getByRole("link", { name: "Tuners" }).click();
      const missing = page.getByRole("list", { name: "Channels received by no tuner" });
      await missing.getByRole("option", { name: /Hb2 Television/ }).waitFor({ state: "attached" });
      expect(await violations(page)).toEqual([]);
      await missing.getByRole("button", { name: "Assign Harbour Two" }).click();
      await page.getByText("All 2 channels of the guide are received.").waitFor();
      await page.getByRole("link", { name: "Timeline" }).click();
      await page.getByRole("link", { name: new RegExp(`^${LATE}.*, planned$`) }).waitFor();
      const whole = page.getByRole("link", { name: new RegExp(`^${TITLE}.*, completed$`) }).first();
      await whole.waitFor({ timeout: 150_000 });
      const files = await readdir(join(folder.path, "recordings"), { recursive: true });
      expect(files.filter((name) => name.endsWith(".ts"))).not.toEqual([]);

      // The session of the page of setup ends with it: the recorder answers 401 until somebody signs in.
      const between = /ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|status of 401/;
      expect([...errors, ...homeErrors].filter((error) => !between.test(error))).toEqual([]);
    },
  );
});
