import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { SECOND } from "../../src/model/time.ts";
import { SIM_API_KEY, SIM_REGION } from "../../src/simulator/world.ts";
import { openBrowser, openPage } from "../dashboard/browser.ts";
import { answerUser } from "../dashboard/first-steps.ts";
import { answerSimGuide, answerTheRest } from "../dashboard/setup-answers.ts";
import { pause, soon, type TestWorld, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { type ComposeService, Podman, runArguments, whyNoContainers } from "./podman.ts";

const IMAGE = "localhost/recorderd";
const ROOT = join(import.meta.dirname, "../..");
/** The user in the image. */
const UID = 1000;
/** The largest size of the image, in the unit in which registries count. */
const BYTES_MAX = 500e6;
const PATIENCE_MS = 120 * SECOND;
const why = whyNoContainers();
const clock = systemClock();

// Said here: a skipped test says nothing.
if (why !== undefined) process.stderr.write(`skipped, no container can be built and run: ${why}\n`);

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

describe.skipIf(why !== undefined)("the image", () => {
  let podman: Podman;
  let world: TestWorld;
  let folder: { readonly path: string } & AsyncDisposable;
  let services: Readonly<Record<string, ComposeService>>;
  let withCards: Pick<ComposeService, "devices" | "group_add">;
  let bytes: number;
  const name = `recorderd-test-${process.pid}`;

  beforeAll(async () => {
    podman = await Podman.open();
    for (const base of await podman.bases(await readFile(join(ROOT, "Dockerfile"), "utf8"))) note(base);
    const began = clock.now();
    await podman.build(IMAGE);
    bytes = Number(await podman.do(["image", "inspect", "--format", "{{.Size}}", IMAGE]));
    const seconds = Math.round((clock.now() - began) / SECOND);
    note(`the image was built in ${seconds} s and has ${Math.round(bytes / 1e6)} MB`);
    services = parse(await readFile(join(ROOT, "compose.yaml"), "utf8")).services;
    withCards = parse(await readFile(join(ROOT, "compose.dvb.yaml"), "utf8")).services.recorderd;
    folder = await temporaryFolder();
    chmodSync(folder.path, 0o755);
    world = await testWorld(folder.path);
    await install();
  });

  afterAll(async () => {
    await podman?.ask(["rm", "--force", "--time", "5", name]);
    await world?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const place = (file: string) => join(folder.path, "box", file);

  /** Creates the files beside compose.yaml, and a DVB card that only group video may use. */
  async function install(): Promise<void> {
    const { guideUrl, broadcaster } = world.world;
    for (const inside of ["config", "data", "recordings"]) await ownFolder(inside);
    const config = {
      guide: { url: guideUrl, regionId: SIM_REGION, deviceId: world.deviceId, sync: "* * * * * *" },
      recordings: { folder: "/srv/recordings", padding: { beforeSeconds: 1, afterSeconds: 1 } },
      tuners: [{ kind: "mock", id: "sim-1", broadcaster: broadcaster.baseUrl }],
    };
    await writeFile(place("config/recorderd.yaml"), stringify(config), { mode: 0o644 });
    const account = { email: "viewer@sim.example", token: world.token };
    await writeFile(place("data/secrets.yaml"), stringify({ apiKey: SIM_API_KEY, account }), { mode: 0o600 });
    chownSync(place("data/secrets.yaml"), UID, UID);
    await mkdir(place("dvb"));
    execFileSync("mknod", ["--mode=0660", place("dvb/frontend0"), "c", "1", "3"]);
    execFileSync("chgrp", ["video", place("dvb/frontend0")]);
  }

  async function ownFolder(name: string): Promise<void> {
    await mkdir(place(name), { recursive: true });
    chownSync(place(name), UID, UID);
  }

  /** The options of compose.yaml and compose.dvb.yaml; here each device is passed by itself. */
  function recorderArguments(): readonly string[] {
    const { devices: _devices, ...cards } = withCards;
    const service = { ...(services["recorderd"] as ComposeService), ...cards };
    const places = { config: place("config"), data: place("data"), "./recordings": place("recordings") };
    const card = `${place("dvb/frontend0")}:/dev/dvb/adapter0/frontend0`;
    return ["--detach", "--name", name, ...runArguments(service, places), "--device", card, IMAGE];
  }

  async function inside(...command: readonly string[]) {
    return podman.ask(["exec", name, ...command]);
  }

  async function snapshot(): Promise<Snapshot | undefined> {
    const { code, out } = await inside("recorderd", "status", "--json");
    return code === 0 ? (JSON.parse(out) as Snapshot) : undefined;
  }

  async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const deadline = clock.now() + PATIENCE_MS;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (clock.now() > deadline) {
        const { out, err } = await podman.ask(["logs", name]);
        throw new Error(`it did not come to be that ${what}\n${out}\n${err}`);
      }
      await pause(200);
    }
  }

  function recordingOf(timerId: string, fits: (recording: Recording) => boolean) {
    return async () => {
      const all = (await snapshot())?.recordings ?? [];
      return all.findLast((recording) => recording.timerId === timerId && fits(recording));
    };
  }

  it("is smaller than 500 MB", () => {
    expect(bytes).toBeLessThan(BYTES_MAX);
  });

  it("runs setup in a browser without a configuration or a card, and then the recorder", async () => {
    for (const inside of ["new/config", "new/data", "new/recordings"]) await ownFolder(inside);
    const places = {
      config: place("new/config"),
      data: place("new/data"),
      "./recordings": place("new/recordings"),
    };
    const fresh = `${name}-new`;
    const service = services["recorderd"] as ComposeService;
    const at = ["--env", "RECORDERD_SETUP_AT=127.0.0.1:0"];
    await podman.do(["run", "--detach", "--name", fresh, ...runArguments(service, places), ...at, IMAGE]);
    const logs = async () => Object.values(await podman.ask(["logs", fresh])).join("\n");
    try {
      const [, base = "", code = ""] = await until("it tells a link", async () => {
        return /(http:\/\/\S+:\d+)\/#link=(\S+)/.exec(await logs()) ?? undefined;
      });
      const browser = await openBrowser();
      try {
        const { page } = await openPage(browser, { base });
        await page.goto(`/#link=${code}`);
        await answerSimGuide(page, world);
        await answerTheRest(page, world, "/srv/recordings");
        await answerUser(page);
        await page.getByRole("button", { name: "Write it and start" }).click();
        await page.getByRole("button", { name: "Sign in" }).waitFor();
      } finally {
        await browser.close();
      }
      const isWell = async () =>
        (await podman.ask(["healthcheck", "run", fresh])).code === 0 ? true : undefined;
      await until("its health is good", isWell);
      await podman.do(["stop", fresh]);
      // In the life that follows setup, too.
      expect(await logs()).toMatch(/"count":0,"msg":"captures have ended"/);
      await podman.do(["start", fresh]);
      await until("its health is good with what setup wrote", isWell);
    } finally {
      await podman.ask(["rm", "--force", "--time", "5", fresh]);
    }
  });

  it("records the simulator's broadcast without network, on a read-only root, as an unprivileged user", async () => {
    const service = services["simulator"] as ComposeService;
    const args = runArguments(service, { simulator: `${name}-simulator` });
    const command = [...(service.command ?? []), "--once", "--json", "--seconds", "5"];
    const out = await podman.do(["run", "--rm", ...args, IMAGE, ...command]);
    await podman.do(["volume", "rm", `${name}-simulator`]);
    const { recordings } = JSON.parse(out) as { readonly recordings: readonly object[] };
    expect(recordings).toMatchObject([{ state: "completed", coverage: 1, continuityErrors: 0 }]);
  });

  it("is healthy while its daemon answers", async () => {
    const began = clock.now();
    await podman.do(["run", ...recorderArguments()]);
    await until("its health is good", async () =>
      (await podman.ask(["healthcheck", "run", name])).code === 0 ? true : undefined,
    );
    note(`well ${((clock.now() - began) / SECOND).toFixed(1)} s after it was started`);
  });

  it("is healthy while its guide server answers", async () => {
    const server = `${name}-guide`;
    const args = ["guide-server", "--data", "/var/lib/recorderd/guide", "--port", "9000", "--demo"];
    await podman.do(["run", "--detach", "--name", server, "--network", "none", IMAGE, ...args]);
    await until("its health is good", async () =>
      (await podman.ask(["healthcheck", "run", server])).code === 0 ? true : undefined,
    );
    await podman.do(["rm", "--force", "--volumes", "--time", "5", server]);
  });

  it("is unhealthy without a daemon", async () => {
    await podman.do(["run", "--detach", "--name", `${name}-empty`, "--entrypoint", "sleep", IMAGE, "300"]);
    const { code } = await podman.ask(["healthcheck", "run", `${name}-empty`]);
    await podman.do(["rm", "--force", "--time", "0", `${name}-empty`]);
    expect(code).toBe(1);
  });

  it("runs as an unprivileged user, below a process that reaps captures, and can write only the necessary folders", async () => {
    const look = [
      "id -u",
      "tr '\\0' ' ' </proc/1/cmdline | cut -d ' ' -f 1",
      "grep -E '^(CapEff|NoNewPrivs)' /proc/self/status | tr -s '\\t' ' '",
      "ulimit -c",
      ...["/etc/x", "/usr/x", "/usr/lib/recorderd/x"].map(
        (path) => `(: >>${path}) 2>/dev/null && echo ${path} can be written`,
      ),
      ...["/var/lib/recorderd/x", "/srv/recordings/x", "/run/recorderd/x"].map(
        (path) => `(: >${path}) && rm ${path} && echo ${path} can be written`,
      ),
      "(: </dev/dvb/adapter0/frontend0) && echo card can be used",
      "true",
    ];
    const { out } = await inside("sh", "-c", look.join("\n"));
    expect(out.split("\n")).toEqual([
      String(UID),
      "/usr/bin/tini",
      "CapEff: 0000000000000000",
      "NoNewPrivs: 1",
      "0",
      "/var/lib/recorderd/x can be written",
      "/srv/recordings/x can be written",
      "/run/recorderd/x can be written",
      "card can be used",
    ]);
  });

  it("R-34 closes its files when stopped during a recording, and continues it after the next start", async () => {
    const show = { channel: 1, title: "Stopped", start: soon(), durationMs: 45 * SECOND };
    const timerId = await world.world.book(show, world.deviceId);
    await until(
      "it records",
      recordingOf(timerId, ({ state }) => state === "recording"),
    );
    await podman.do(["stop", name]);
    expect(await podman.do(["inspect", "--format", "{{.State.ExitCode}}", name])).toBe("0");
    const { out, err } = await podman.ask(["logs", name]);
    expect(`${out}${err}`).toMatch(/"count":1,"msg":"captures have ended"/);

    await podman.do(["start", name]);
    const { state, attempts, evidence, message } = await until("it has ended", async () => {
      const found = await recordingOf(timerId, (recording) => isTerminal(recording.state))();
      return found === undefined ? undefined : { ...found, message: found.reported?.message };
    });
    // Whether what is missing is too much for `completed` depends on how fast the machine is.
    expect(["partial", "completed"]).toContain(state);
    expect({ attempts: attempts.length, segments: evidence?.segments }).toEqual({ attempts: 2, segments: 2 });
    expect(evidence).toMatchObject({ continuityErrors: 0, gaps: [expect.anything()] });
    const file = place((evidence?.file ?? "").replace("/srv/recordings", "recordings"));
    expect(existsSync(file)).toBe(true);
    const told = await world.world.guide.timerReports(timerId);
    const states = told.flatMap((report) => (report.state === undefined ? [] : [report.state]));
    note(`the service was told: ${states.join(", ")}; ${message}`);
    expect([states[0], states.at(-1)]).toEqual(["waiting", expect.stringMatching(/^(failed|completed)$/)]);
    expect(states).toContain("running");
  });

  it("exits with 0 when stopped", async () => {
    const began = clock.now();
    await podman.do(["stop", name]);
    note(`stopped in ${((clock.now() - began) / SECOND).toFixed(1)} s`);
    expect(await podman.do(["inspect", "--format", "{{.State.ExitCode}}", name])).toBe("0");
  });
});
