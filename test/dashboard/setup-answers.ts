import type { Page } from "playwright-core";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import type { TestWorld } from "../main-job/recorder.ts";
import { answerGuide, answerRecordings, answerTuner } from "./first-steps.ts";

/** Fills the first page of setup: the simulated guide service and its account. */
export async function answerSimGuide(page: Page, { world }: TestWorld): Promise<void> {
  await answerGuide(page, { url: world.guideUrl, account: world.account, apiKey: SIM_API_KEY });
}

/** A new device, the simulated broadcaster as tuner, and a folder that is there or can be made. */
export async function answerTheRest(page: Page, { world }: TestWorld, folder: string): Promise<void> {
  const address = world.broadcaster.baseUrl;
  await answerTuner(page, { kind: "mock", address, offers: "(\\d+) of the \\1" });
  await answerRecordings(page, { folder, before: 0, after: 1 });
}
