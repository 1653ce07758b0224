import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/recorder/config/load.ts";
import { readSecrets } from "../../src/recorder/config/secrets.ts";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import { commandLine } from "../cli/command-line.ts";
import { openBrowser, openPage } from "../dashboard/browser.ts";
import { addSimulator, answerUser, unexplained } from "../dashboard/first-steps.ts";
import {
  endCapturesOf,
  type Recorder,
  type TestWorld,
  temporaryFolder,
  testWorld,
} from "../main-job/recorder.ts";
import { Postgres, SECURED } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";
import { endNodes, nodesIn, SECRET, says, tellFleet } from "./nodes.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const why = whyNoPostgres();

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

/** A fleet of one node, which leads, and its invitation. */
interface First extends AsyncDisposable {
  readonly one: Recorder;
  readonly invitation: string;
  /** Installs nothing: the paths of another machine. */
  machine(name: string): Promise<Machine>;
}

interface Machine {
  readonly config: string;
  readonly data: string;
  readonly invited: string;
  readonly options: readonly string[];
}

async function firstNode(folder: string, home: TestWorld): Promise<First> {
  const one = await (await nodesIn({ folder, home, postgres }))("one");
  await tellFleet(one, { secret: SECRET });
  await one.start();
  await expect
    .poll(() =>
      stat(join(folder, "recordings/.recorderd/fleet")).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const { out: invitation, err, code } = await commandLine(["fleet", "invite", "--config", one.config]);
  expect([code, err]).toEqual([0, expect.stringContaining("holds the passwords of the fleet")]);
  // Here all nodes are on one machine.
  for (const key of ["fleet.database", "guide.url"])
    expect(err).toContain(`No other machine reaches the address in ${key}`);
  return {
    one,
    invitation,
    machine: async (name) => {
      const place = join(folder, name);
      await mkdir(place);
      const invited = join(place, "invitation");
      await writeFile(invited, `${invitation}\n`, { mode: 0o600 });
      const [config, data] = [join(place, "recorderd.yaml"), join(place, "daemon")];
      const options = [
        "--config",
        config,
        "--data",
        data,
        "--socket",
        join(place, "control.sock"),
        "--no-discover",
      ];
      return { config, data, invited, options };
    },
    [Symbol.asyncDispose]: () => endNodes([one]),
  };
}

describe.skipIf(why !== undefined)(`joining a fleet${why === undefined ? "" : ` (${why})`}`, () => {
  it("takes an invitation and the machine's own tuners, and the new node records for the leader", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using first = await firstNode(folder.path, home);
    const { config, data, invited, options } = await first.machine("two");
    const tuner = ["--tuner", `mock ${home.world.broadcaster.baseUrl}`];
    const joined = await commandLine(["setup", "--join", invited, "--node", "two", ...tuner, ...options]);
    expect(joined.code, joined.err).toBe(0);
    const text = await readFile(config, "utf8");
    for (const secret of [SECURED.password, SECRET, SIM_API_KEY, home.token])
      expect(text + joined.out + joined.err).not.toContain(secret);
    const { fleet, guide, recordings, tuners } = await loadConfig(config);
    const theirs = await loadConfig(first.one.config);
    expect(fleet).toMatchObject({
      database: theirs.fleet?.database,
      node: "two",
      listen: { host: "127.0.0.1" },
    });
    expect([guide, recordings]).toEqual([theirs.guide, theirs.recordings]);
    expect(tuners.map(({ kind }) => kind)).toEqual(["mock"]);
    expect((await stat(join(data, "secrets.yaml"))).mode & 0o777).toBe(0o600);
    const { tuners: _none, ...same } = (await readSecrets(data)) ?? {};
    expect(same).toEqual(await readSecrets(first.one.data));

    const child = spawn(process.execPath, [MAIN, "run", "--config", config], { stdio: "ignore" });
    try {
      await says(first.one, `"node":"two","msg":"a node of the fleet records for this one"`);
    } finally {
      child.kill("SIGTERM");
      await once(child, "exit");
      await endCapturesOf(data);
    }
  });

  it("is refused before anything is written, with the reason", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using first = await firstNode(folder.path, home);
    const { config, invited, options } = await first.machine("two");
    const setup = (...more: readonly string[]) =>
      commandLine(["setup", "--tuner", `mock ${home.world.broadcaster.baseUrl}`, ...options, ...more]);
    const tries = [
      [await setup("--join", invited, "--node", "one"), "has a node one that runs now"],
      [await setup("--join", `${invited}.not`, "--node", "two"), "ENOENT"],
      [await setup("--join", config.replace("two", "one"), "--node", "two"), "recorderd fleet invite"],
    ] as const;
    for (const [{ code, err }, words] of tries)
      expect([code === 0, err]).toEqual([false, expect.stringContaining(words)]);
    // A disk that is not mounted.
    const lines = [SIM_API_KEY, "", "wrong", ""].map((line) => `${line}\n`).join("");
    const database = (await loadConfig(first.one.config)).fleet?.database ?? "";
    const other = join(folder.path, "elsewhere");
    const own = [
      "--guide",
      home.world.guideUrl,
      "--region",
      "1",
      "--recordings",
      other,
      "--before",
      "1",
      "--after",
      "1",
    ];
    const byAddress = (stdin: string) =>
      commandLine(
        [
          "setup",
          "--tuner",
          `mock ${home.world.broadcaster.baseUrl}`,
          ...options,
          ...own,
          "--language",
          "en",
          "--join",
          database,
          "--node",
          "two",
        ],
        { stdin },
      );
    expect((await byAddress(lines)).err).toContain("cannot be used now (28P01)");
    expect((await byAddress(lines.replace("wrong", SECURED.password))).err).toContain(
      "is not the folder that the fleet shares",
    );
    await expect(stat(config)).rejects.toThrow("ENOENT");
  });

  it("is possible in the browser", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using first = await firstNode(folder.path, home);
    const { config, data, options } = await first.machine("two");
    await using browser = await openBrowser();
    const at = options.filter((word) => word !== "--no-discover");
    const child = spawn(process.execPath, [MAIN, "setup", "--web", "127.0.0.1:0", "--end-captures", ...at], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      said += part;
    });
    try {
      const link = () => /http:\/\/\S+:(\d+)\/(#link=\S+)\n/.exec(said);
      await expect.poll(link).not.toBeNull();
      const [, port, hash] = link() ?? [];
      const { page, errors } = await openPage(browser, { base: `http://127.0.0.1:${port}` });
      await page.goto(`/${hash}`);
      await page.getByText("Join a fleet of recorders").click();
      await page.getByLabel("Invitation").fill(first.invitation.slice(0, -9));
      await page.getByRole("button", { name: "Join" }).click();
      await page.getByText("This is no complete invitation.").waitFor();
      await page.getByLabel("Invitation").fill(first.invitation);
      await page.getByLabel("Name of this recorder").first().fill("two");
      await page.getByRole("button", { name: "Join" }).click();
      await page.getByRole("heading", { name: "Tuners" }).waitFor();
      await addSimulator(page, home.world.broadcaster.baseUrl);
      await page
        .getByRole("list", { name: "Tuners to use" })
        .getByText(/^Works: /)
        .waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await answerUser(page);
      await page.getByText(/^two · postgres:/).waitFor();
      await page.getByRole("button", { name: "Save and start" }).click();
      await says(first.one, `"node":"two","msg":"a node of the fleet records for this one"`);
      expect((await loadConfig(config)).fleet).toMatchObject({ node: "two" });
      // The page may ask again when the node stands by: its leader is at loopback, so it is shown no way to it.
      expect(unexplained(errors).filter((error) => !/status of (409|503)/.test(error))).toEqual([]);
      for (const secret of [SECURED.password, SECRET]) expect(said).not.toContain(secret);
    } finally {
      child.kill("SIGTERM");
      await once(child, "exit");
      await endCapturesOf(data);
    }
  });
});
