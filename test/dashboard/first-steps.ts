import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import { MINUTE } from "../../src/model/time.ts";
import type { Slot } from "../guide-server/xmltv/listing.ts";
import { endCapturesOf, temporaryFolder } from "../main-job/recorder.ts";
import { CLIP_FOLDER } from "../simulator/air.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const PASSWORD = "a long password";
/** The household's account at its guide server. */
export const ACCOUNT = { email: "home@example.org", password: PASSWORD };

/** Episodes so long, one after the other at this distance: whenever the clicks come, one is next. */
const EPISODE_MS = 6_000;
const EVERY_MS = 12_000;
const EPISODES = 80;

/** Episodes of one series, the first at `start`. */
export function episodesOf({ channel, title, start }: Pick<Slot, "channel" | "title" | "start">): Slot[] {
  return Array.from({ length: EPISODES }, (_, index) => ({
    channel,
    start: start + index * EVERY_MS,
    minutes: EPISODE_MS / MINUTE,
    title,
    subtitle: `Part ${index + 1}`,
    more: `<episode-num system="xmltv_ns">0.${index}.</episode-num>`,
  }));
}

/** A folder in which commands run. Disposing ends the commands and removes the folder. */
export class Home implements AsyncDisposable {
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

  /** Starts a command in the folder. @returns the first address that it prints */
  run(...args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.path,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
    return addressPrinted(child);
  }

  /** Starts a guide server with guide.xml, a broadcaster with the listing `air`, and setup. */
  async runAll(air: string): Promise<Readonly<Record<"guide" | "air" | "recorder", string>>> {
    const setUp = ["--config", "etc/recorderd.yaml", "--data", "data", "--socket", "control.sock"];
    const [guide, broadcaster, recorder] = await Promise.all([
      this.run("guide-server", "--data", "guide", "--port", "0", "--xmltv", "guide.xml"),
      this.run("broadcaster", "--xmltv", air, "--port", "0", "--clips", CLIP_FOLDER),
      this.run("setup", "--web", "127.0.0.1:0", ...setUp),
    ]);
    return { guide, air: broadcaster, recorder };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await endCapturesOf(join(this.path, "data"));
    await this.#folder[Symbol.asyncDispose]();
  }
}

async function addressPrinted(child: ChildProcess): Promise<string> {
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const found = () => /http:\/\/(127\.0\.0\.1|localhost):\d+\S*(?=\n)/.exec(printed)?.[0];
  // Unlike `expect.poll`, it also waits in hooks.
  await vi.waitFor(() => expect(found() ?? printed).toMatch(/^http:\S+$/), { timeout: 90_000 });
  return found() ?? "";
}

/** Follows the guide server's link for the first account, and makes it. */
export async function makeAccount(page: Page, home: Home): Promise<void> {
  await page.goto((await readFile(join(home.path, "guide/first-account"), "utf8")).trim());
  await page.getByLabel("E-mail address").fill(ACCOUNT.email);
  await page.getByLabel(/^Password/).fill(ACCOUNT.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText(/^None yet/).waitFor();
}

export interface GuideAnswers {
  readonly url: string;
  readonly account: { readonly email: string; readonly password: string };
  readonly apiKey?: string;
}

/** Fills the first page of setup. */
export async function answerGuide(page: Page, { url, account, apiKey }: GuideAnswers): Promise<void> {
  await page.getByLabel("Another guide service").click();
  await page.getByLabel("Address", { exact: true }).fill(url);
  if (apiKey !== undefined) {
    // After a refusal it is open already.
    const key = page.getByLabel(/^API key/);
    if (!(await key.isVisible())) await page.getByText("More", { exact: true }).click();
    await key.fill(apiKey);
  }
  await page.getByLabel("E-mail address").fill(account.email);
  await page.getByLabel("Password").fill(account.password);
  await proceed(page);
  await page.getByRole("heading", { name: "Region and device" }).waitFor();
}

export interface TunerAnswers {
  readonly kind: string;
  readonly address: string;
  /** File of the channel list, for the kinds that need one. */
  readonly channelList?: string;
  /** The text in which setup offers the tuner. */
  readonly offers: string;
}

/** Registers a new device and adds one tuner to it, which must work. */
export async function answerTuner(
  page: Page,
  { kind, address, channelList, offers }: TunerAnswers,
): Promise<void> {
  await page.getByLabel(/^Timers of a new device/).click();
  await proceed(page);
  if (kind === "mock") await addSimulator(page, address);
  else {
    await page.getByLabel("Kind of tuner").selectOption(kind);
    await page.getByLabel(/^(Address|Name or address|Number) of /).fill(address);
    if (channelList !== undefined) await page.getByLabel(/^Channel list/).fill(channelList);
    await page.getByRole("button", { name: "Add and test" }).click();
  }
  const tuners = page.getByRole("list", { name: "Tuners to use" });
  await tuners.getByText(new RegExp(`^Works: .* offers ${offers} channels of the guide\\.$`)).waitFor();
  await proceed(page);
}

/** The simulator stands apart from the tuners. */
export async function addSimulator(page: Page, address: string): Promise<void> {
  const field = page.getByLabel("Address of the broadcaster");
  if ((await field.count()) === 0) await page.getByText("Try recorderd without a tuner").click();
  await field.fill(address);
  await page.getByRole("button", { name: "Add the simulator" }).click();
}

/** Says where recordings go; padding in seconds. */
export async function answerRecordings(
  page: Page,
  { folder, before, after }: { readonly folder: string; readonly before: number; readonly after: number },
): Promise<void> {
  await page.getByLabel(/^Folder/).fill(folder);
  await page.getByLabel(/before each event/).fill(String(before));
  await page.getByLabel(/after each event/).fill(String(after));
  await proceed(page);
}

/** Names the first user of the recorder. */
export async function answerUser(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("anna");
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await proceed(page);
}

/** Ends setup, and signs in at the recorder that takes its place. */
export async function startRecorder(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save and start" }).click();
  await page.getByLabel("Name").fill("anna");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("live", { exact: true }).waitFor();
}

async function proceed(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
}

/**
 * Errors of a page that the step from setup to the recorder does not explain: between the two, requests are refused or
 * cut off, and the session of setup is gone, so the recorder answers 401 until somebody signs in.
 */
export function unexplained(errors: readonly string[]): readonly string[] {
  const between = /ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|status of 401/;
  return errors.filter((error) => !between.test(error));
}
