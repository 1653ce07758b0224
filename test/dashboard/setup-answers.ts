import type { Page } from "playwright-core";
import { SIM_API_KEY } from "../../src/sim/world.ts";
import type { TestWorld } from "../main-job/recorder.ts";

/** Answers the first page of setup: the guide service of a world, and its account. */
export async function answerGuide(page: Page, { world }: TestWorld): Promise<void> {
  const { email, password } = world.account;
  await page.getByLabel(/^Another one/).click();
  await page.getByLabel("Address", { exact: true }).fill(world.guideUrl);
  await page.getByLabel(/^API key/).fill(SIM_API_KEY);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Region and device" }).waitFor();
}

/** A new device, the broadcaster of the world as tuner, and a folder that is there or can be made. */
export async function answerTheRest(page: Page, { world }: TestWorld, recordings: string): Promise<void> {
  await page.getByLabel(/^Timers of a new device/).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Kind of tuner").selectOption("mock");
  await page.getByLabel("Where it is").fill(world.broadcaster.baseUrl);
  await page.getByRole("button", { name: "Add and try it" }).click();
  const tuners = page.getByRole("list", { name: "Tuners that will be used" });
  await tuners.getByText(/^Works: .* offers (\d+) of the \1 channels of the guide\.$/).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel(/^Folder/).fill(recordings);
  await page.getByLabel(/before each event/).fill("0");
  await page.getByLabel(/after each event/).fill("1");
  await page.getByRole("button", { name: "Continue" }).click();
}

/** The first user of the dashboard. */
export async function answerUser(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("anna");
  await page.getByLabel(/^Password/).fill("a long password");
  await page.getByRole("button", { name: "Continue" }).click();
}
