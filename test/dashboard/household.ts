import { type InProcess, inProcess, simTuners } from "../main-job/in-process.ts";
import { type TestWorld, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { type Browser, openBrowser } from "./browser.ts";

export interface Household extends AsyncDisposable {
  readonly world: TestWorld;
  /** With one tuner. */
  readonly recorder: InProcess;
  readonly browser: Browser;
  /** The address of the recorder's dashboard. */
  readonly base: string;
}

/** A guide service, a recorder with a dashboard, and a browser. `prepare` has the guide as it is to be before the recorder asks; `settings` are more of the configuration. */
export async function openHousehold(
  channels: number,
  prepare: (world: TestWorld) => Promise<void> = async () => {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Household> {
  const folder = await temporaryFolder();
  const world = await testWorld(folder.path, channels);
  await prepare(world);
  const recorder = await inProcess(folder.path, world, {
    tuners: simTuners(world, 1),
    web: { port: 0, signIn: "where-needed" },
    ...settings,
  });
  const browser = await openBrowser();
  return {
    world,
    recorder,
    browser,
    base: `http://127.0.0.1:${recorder.daemon.webPort}`,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await recorder[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
