import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setupApi } from "../../src/recorder/api/routes.ts";
import type { SetupApi } from "../../src/recorder/api/setup-routes.ts";
import { loadConfig } from "../../src/recorder/config/load.ts";
import { readSecrets } from "../../src/recorder/config/secrets.ts";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import type { SignInParts } from "../../src/web/listener/session-routes.ts";
import { IS_LONG } from "../lane.ts";
import { endCapturesOf, soon, type TestWorld, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { receivers, USER } from "../recorder/tune/fakes/air.ts";
import { fakeTvheadend } from "../recorder/tune/fakes/tvheadend.ts";
import { type Browser, goTo, openBrowser, openPage, picture, violations } from "./browser.ts";
import { addSimulator, answerUser, startRecorder, unexplained } from "./first-steps.ts";
import { answerSimGuide, answerTheRest } from "./setup-answers.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;
let browser: Browser;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await testWorld(folder.path, 8);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  for (const child of started) child.kill("SIGKILL");
  await world[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A machine on which nothing is configured. */
interface Fresh extends AsyncDisposable {
  readonly base: string;
  readonly home: string;
  /** Behind `#link=`. */
  readonly code: string;
  readonly file: string;
  readonly data: string;
  readonly recordings: string;
  said(): string;
}

async function fresh(host = "127.0.0.1"): Promise<Fresh> {
  const home = await temporaryFolder();
  const file = join(home.path, "etc", "recorderd.yaml");
  const data = join(home.path, "data");
  const args = ["setup", "--web", `${host}:0`, "--config", file, "--data", data];
  const socket = ["--socket", join(home.path, "control.sock")];
  const child = spawn(process.execPath, [MAIN, ...args, ...socket], { stdio: ["ignore", "ignore", "pipe"] });
  started.add(child);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const link = () => /http:\/\/\S+:(\d+)\/#link=(\S+)\n/.exec(said);
  await expect.poll(link).not.toBeNull();
  const [, port, code = ""] = link() ?? [];
  return {
    base: `http://127.0.0.1:${port}`,
    home: home.path,
    code,
    file,
    data,
    recordings: join(home.path, "recordings"),
    said: () => said,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      await endCapturesOf(data);
      await home[Symbol.asyncDispose]();
    },
  };
}

describe("a recorder without a configuration", () => {
  it("is set up in a browser, then runs, and records a booking made there", async () => {
    await using machine = await fresh();
    const { page, strangers, errors } = await openPage(browser, { base: machine.base });
    await page.goto(`/#link=${machine.code}`);
    await page.getByRole("heading", { name: "Set up the recorder" }).waitFor();
    // The link is a secret: the address does not keep it.
    expect(page.url()).toBe(`${machine.base}/`);
    expect(await violations(page)).toEqual([]);
    await answerSimGuide(page, world);
    await answerTheRest(page, world, machine.recordings);
    await answerUser(page);
    await page.getByText(`Simulated broadcaster ${world.world.broadcaster.baseUrl}`).waitFor();
    await picture(page, "setup");
    expect(await violations(page)).toEqual([]);
    // The recorder answers now, and nobody has restarted it.
    await startRecorder(page);
    const config = await loadConfig(machine.file);
    expect(config.recordings).toMatchObject({
      folder: machine.recordings,
      padding: { beforeSeconds: 0, afterSeconds: 1 },
    });
    // The machine's zone may be UTC; the household's is that of its browser.
    expect(config.timeZone).toBe("Europe/Berlin");
    expect(config.recordings.nameTimeZone).toBe("Europe/Berlin");
    expect((await stat(join(machine.data, "secrets.yaml"))).mode & 0o777).toBe(0o600);
    expect(await readSecrets(machine.data)).toMatchObject({
      apiKey: SIM_API_KEY,
      account: { email: world.world.account.email },
    });
    expect(await readFile(machine.file, "utf8")).not.toContain(SIM_API_KEY);
    expect(machine.said()).not.toContain(world.world.account.password);

    const title = "The first recording";
    await world.world.guide.addShow({ channelId: 2, title, start: soon() + 2_000, durationMinutes: 0.1 });
    await goTo(page, "Guide");
    await page
      .getByRole("list", { name: "Sim 2" })
      .getByRole("button", { name: new RegExp(`^${title}`) })
      .click();
    await page
      .getByRole("dialog", { name: title })
      .getByRole("button", { name: "Record", exact: true })
      .click();
    await page.keyboard.press("Escape");
    await goTo(page, "Timeline");
    // On a busy machine the clicks come after its beginning.
    await page.getByRole("link", { name: new RegExp(`^${title}.*, (perfect|good|partial)$`) }).waitFor();
    expect(unexplained(errors)).toEqual([]);
    expect(strangers).toEqual([]);
    await page.close();
  });

  it("asks for the password of a tuner's server that needs one, tests it, and stores it only in the secrets", async () => {
    await using server = await fakeTvheadend(receivers({ count: 1, shared: true }));
    await using machine = await fresh();
    const { page } = await openPage(browser, { base: machine.base });
    await page.goto(`/#link=${machine.code}`);
    await answerSimGuide(page, world);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Kind of tuner").selectOption("tvheadend");
    await page.getByLabel("Address of the server").fill(server.address);
    await page.getByRole("button", { name: "Add and test" }).click();
    const tuners = page.getByRole("list", { name: "Tuners to use" });
    await tuners.getByText(/^Its server needs a user and a password/).waitFor();
    expect(await violations(page)).toEqual([]);
    const signInWith = async (password: string) => {
      await tuners.getByLabel(/^User for/).fill(USER.user);
      await tuners.getByLabel(/^Password for/).fill(password);
      await tuners.getByRole("button", { name: "Sign in to tvheadend1" }).click();
    };
    await signInWith("wrong");
    await page.getByText("The server rejects this user name or password.").waitFor();
    await signInWith(USER.password);
    await tuners.getByText(/^It receives none of the 8 channels of the guide\. It offers/).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel(/^Folder/).fill(machine.recordings);
    await page.getByRole("button", { name: "Continue" }).click();
    await answerUser(page);
    await startRecorder(page);
    expect(await readSecrets(machine.data)).toMatchObject({ tuners: { tvheadend1: USER } });
    expect((await stat(join(machine.data, "secrets.yaml"))).mode & 0o777).toBe(0o600);
    expect((await readFile(machine.file, "utf8")) + machine.said()).not.toContain(USER.password);
    await page.close();
  });

  it("explains why an answer is invalid, and changes nothing", async () => {
    await using machine = await fresh();
    const { page } = await openPage(browser, { base: machine.base, width: 390 });
    await page.goto(`/#link=${machine.code}`);
    await page.getByLabel("Another guide service").click();
    await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:1/");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).not.toBe("");
    await answerSimGuide(page, world);
    await page.getByRole("button", { name: "Continue" }).click();
    await addSimulator(page, "nowhere");
    await page.getByText("expected an address such as http://127.0.0.1:8090").waitFor();
    // Nobody answers there now: it may be there later, and is kept.
    await addSimulator(page, "http://127.0.0.1:1");
    const tuner = page.getByRole("list", { name: "Tuners to use" });
    await tuner.getByText("The tuner does not answer. Check that it is on and connected.").waitFor();
    await tuner.getByText("Technical details").click();
    await tuner.getByText(/cannot be reached \(ECONNREFUSED\)/).waitFor();
    expect(await violations(page)).toEqual([]);
    const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(isWide).toBe(false);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel(/^Folder/).fill("here");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Enter an absolute path, such as /srv/recordings.").waitFor();
    await page.getByLabel(/^Folder/).fill(machine.recordings);
    await page.getByRole("button", { name: "Continue" }).click();
    await answerUser(page);
    // Somebody has configured it meanwhile.
    await mkdir(dirname(machine.file));
    await writeFile(machine.file, "mine: true\n");
    await page.getByRole("button", { name: "Save and start" }).click();
    await page.getByText("A configuration file already exists. It was not changed.").waitFor();
    expect(await readFile(machine.file, "utf8")).toBe("mine: true\n");
    expect(await readdir(machine.home)).toEqual(["etc"]);
    await page.close();
  });

  // The other tests are at 127.0.0.1 already.
  it.each(IS_LONG ? ["127.0.0.1", "0.0.0.0"] : ["0.0.0.0"])(
    "admits at %s only the first user of its link",
    async (host) => {
      await using machine = await fresh(host);
      const { base, code } = machine;
      const post = (path: string, body: unknown, headers = {}) =>
        fetch(`${base}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        });
      for (const { method, path } of setupApi({} as SetupApi, {} as SignInParts)) {
        const isOpen = path === "/v1/session" && method !== "DELETE";
        const body = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
        const { status } = await fetch(base + path.replace(":id", "1"), { method, ...body });
        expect(status === 401, `${method} ${path}`).toBe(!isOpen);
      }
      expect((await post("/v1/session", { link: "2222-2222-2222" })).status).toBe(401);
      const { page } = await openPage(browser, { base });
      await page.goto("/");
      await page.getByLabel("Code").fill(code.toUpperCase());
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Guide service" }).waitFor();
      expect((await post("/v1/session", { link: code })).status).toBe(401);
      // Another page cannot have the browser send anything.
      const cookies = await page.context().cookies();
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      expect((await post("/v1/setup/look", {}, { cookie })).status).toBe(403);
      await answerSimGuide(page, world);
      await answerTheRest(page, world, machine.recordings);
      await answerUser(page);
      // A stored secret is never shown again.
      const view = await (await fetch(`${base}/v1/setup`, { headers: { cookie } })).text();
      for (const secret of [SIM_API_KEY, world.world.account.password, "a long password", "scrypt"]) {
        expect(view).not.toContain(secret);
      }
      await startRecorder(page);
      await page.close();
    },
  );
});
