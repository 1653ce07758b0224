import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { openGuideServer } from "../../src/guide-server/server.ts";
import type { Document } from "../../src/guide-wire/documents.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { askSnapshot } from "../../src/recorder/api/ask.ts";
import { readSecretsFile } from "../../src/recorder/config/secrets.ts";
import { type Broadcaster, startBroadcaster } from "../../src/simulator/broadcaster/broadcaster.ts";
import { testClip } from "../simulator/air.ts";
import { pause, slowness, temporaryFolder } from "./recorder.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const clock = systemClock();

const EMAIL = "viewer@example.org";
const PASSWORD = "correct horse";
const API_KEY = "of this house";
const TITLE = "Kurznachrichten & <Wetter>";
const SERIES = "4711";
const TRIPLET = { onid: 0x1010, tsid: 0x0221, sid: 0x0220 };
/** One short show after the other: whenever the daemon is ready, one begins soon. */
const SHOW_MS = 4 * SECOND;
const SHOWS = 200;
/** The time from the search for a show to its start, on an idle machine: for the booking, the daemon's poll, and tuning. */
const LEAD_MS = 8 * SECOND;

it("R-39 a person in a clean shell signs in, finds a show, books it, sees it recorded, and signs out", async () => {
  await using folder = await temporaryFolder();
  const from = Math.ceil(clock.now() / SECOND) * SECOND;
  await using air = await onAir(from);
  await publish(join(folder.path, "guide"), from);
  const shell = new Shell(folder.path);
  const { run } = shell;

  await run(["guide-server", "add-account", EMAIL, "--data", "guide"], PASSWORD);
  await writeFile(join(folder.path, "key"), API_KEY);
  await using server = shell.start("guide-server", "--data", "guide", "--port", "0", "--api-key-file", "key");
  const url = (await server.until(/^http:\/\/\S+$/m))[0];
  await install(folder.path, { url, broadcaster: air.baseUrl });
  const config = ["--config", "recorderd.yaml"];
  const guide = (...args: readonly string[]) => run(["guide", ...args, ...config]);
  const read = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse(await guide(...args, "--json")) as T;

  expect(await run(["login", EMAIL, ...config], `${PASSWORD}\n${API_KEY}\n`)).toMatch(/^signed in as viewer/);
  const { devices } = await read<Document<"devices">>("devices", "add", "--label", "Lounge", "--type", "1");
  const deviceId = String(devices[0]?.id);
  expect(await guide("channels")).toMatch(/^7 +1 +Sim One +\S+ +4112\/545\/544$/m);
  expect(await guide("popular")).toMatch(new RegExp(`^1 +${SERIES} +${TITLE} +3 +1\\.00$`, "m"));
  expect(await guide("new-shows")).toMatch(new RegExp(`^${SERIES} +${TITLE} +\\w+, .* +7$`, "m"));

  await using daemon = shell.start("run", ...config);
  await until(daemon, async () => (await snapshot(folder.path))?.guide.lastGoodAt);
  const { shows } = await read<Document<"shows">>("shows", "--series", SERIES);
  const show = shows.find(({ start }) => Date.parse(start) > clock.now() + LEAD_MS * slowness());
  const added = await guide(
    "timers",
    "add",
    "--show",
    String(show?.id),
    "--device",
    deviceId,
    "--wire",
    "json",
  );
  expect(added).toMatch(/^state +waiting$/m);
  const timerId = /^id +(\d+)$/m.exec(added)?.[1] ?? "";

  const recording = await until(daemon, async () => {
    const found = (await snapshot(folder.path))?.recordings.find((one) => one.timerId === timerId);
    return found !== undefined && isTerminal(found.state) ? found : undefined;
  });
  expect(recording).toMatchObject({ name: TITLE, state: "completed", evidence: { continuityErrors: 0 } });
  expect((await stat(recording.evidence?.file ?? "")).size).toBeGreaterThan(0);
  const told = await until(daemon, async () => {
    const [timer] = (await read<Document<"timers">>("timers", "show", timerId)).timers;
    return timer?.state === "waiting" || timer?.state === "running" ? undefined : timer;
  });
  expect(told).toMatchObject({
    name: TITLE,
    state: "completed",
    message: expect.stringMatching(/^Recorded/),
  });

  await copyFile(join(folder.path, "daemon/secrets.yaml"), join(folder.path, "old.yaml"));
  expect(await guide("logout")).toBe("signed out");
  const here = await shell.outcome(["guide", "timers", "list", ...config]);
  expect(here).toMatchObject({ code: 77, out: "", err: expect.stringContaining("[GUIDE_SIGN_IN_NEEDED]") });
  for (const wire of ["json", "xml"]) {
    const access = ["--url", url, "--secrets", "old.yaml", "--wire", wire];
    const there = await shell.outcome(["guide", "timers", "list", ...access]);
    expect(there).toMatchObject({ code: 77, out: "", err: expect.stringContaining("answered 401") });
  }
  const { apiKey, account } = (await readSecretsFile(join(folder.path, "old.yaml"))) ?? {};
  expect([apiKey, account?.email]).toEqual([API_KEY, EMAIL]);
  for (const secret of [PASSWORD, API_KEY, account?.token ?? ""]) {
    expect(shell.said + server.said + daemon.said).not.toContain(secret);
  }
});

/** A broadcaster in this process, with one channel on which the shows are. */
async function onAir(from: number): Promise<Broadcaster> {
  const event = (at: number) => {
    const number = Math.floor((at - from) / SHOW_MS);
    const start = from + number * SHOW_MS;
    return { eventId: number & 0x7fff, start, durationMs: SHOW_MS, title: TITLE, text: "" };
  };
  return startBroadcaster({
    services: [{ triplet: TRIPLET, name: "Sim One" }],
    clip: await testClip(),
    schedule: (_, at) => ({ present: event(at), following: event(at + SHOW_MS) }),
    clock,
    log: silentLog,
  });
}

/** Puts the shows into the data of a guide server that does not run yet. */
async function publish(dataFolder: string, from: number): Promise<void> {
  await using server = await openGuideServer({ dataFolder, clock, log: silentLog });
  const { onid, tsid, sid } = TRIPLET;
  const dvb = [{ original_network_id: onid, transport_stream_id: tsid, service_id: sid }];
  await server.seed({
    regions: [{ id: 1, name: "Hafen", timezone: "UTC" }],
    channels: [{ id: 7, name: "Sim One", lcns: "1", region_id: 1, dvb }],
    manufacturers: [{ id: "1", name: "recorderd" }],
    types: [{ id: 1, manufacturer_id: 1, model: "Daemon" }],
    series: [{ id: SERIES, summary: { id: SERIES, title: TITLE }, votes: 3, isNew: true }],
    shows: Array.from({ length: SHOWS }, (_, index) => ({
      id: 1000 + index,
      channelId: 7,
      seriesId: SERIES,
      start: from + index * SHOW_MS,
      durationMinutes: SHOW_MS / MINUTE,
      title: TITLE,
    })),
  });
}

/** The files that a person sets up before the first start. */
async function install(
  folder: string,
  { url, broadcaster }: { readonly url: string; readonly broadcaster: string },
): Promise<void> {
  for (const name of ["daemon", "recordings"]) await mkdir(join(folder, name));
  const config = {
    // Once a day: the command itself reports the booking to the daemon.
    guide: { url, format: "xml", regionId: 1, sync: "0 4 * * *" },
    recordings: { folder: join(folder, "recordings"), padding: { beforeSeconds: 1, afterSeconds: 1 } },
    tuners: [{ kind: "mock", id: "sim-1", broadcaster }],
    data: { folder: join(folder, "daemon") },
    control: { socket: join(folder, "control.sock") },
  };
  await writeFile(join(folder, "recorderd.yaml"), stringify(config));
}

async function snapshot(folder: string) {
  // Not up yet: no answer.
  return askSnapshot(join(folder, "control.sock"), { clock, signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
}

async function until<T>(process: Running, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = clock.now() + 150 * SECOND;
  while (clock.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(100);
  }
  throw new Error(`it did not come to pass:\n${process.said}`);
}

/** The built program, run by a person who has set nothing but the path and a home. */
class Shell {
  readonly #folder: string;
  /** The output of all commands. */
  said = "";

  constructor(folder: string) {
    this.#folder = folder;
  }

  start(...args: readonly string[]): Running {
    const env = { PATH: process.env["PATH"] ?? "", HOME: this.#folder };
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: this.#folder, env });
    return new Running(child);
  }

  async outcome(args: readonly string[], stdin = "") {
    const running = this.start(...args);
    const outcome = await running.ended(stdin);
    this.said += running.said;
    return outcome;
  }

  /** Runs a command that must succeed. @returns its output */
  readonly run = async (args: readonly string[], stdin?: string): Promise<string> => {
    const { code, out, err } = await this.outcome(args, stdin);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${err}`);
    return out;
  };
}

class Running implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #over: Promise<unknown>;
  #out = "";
  #err = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#over = once(child, "close");
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#out += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#err += text;
    });
  }

  get said(): string {
    return this.#out + this.#err;
  }

  async ended(stdin: string) {
    this.#child.stdin?.end(stdin);
    await this.#over;
    return { code: this.#child.exitCode, out: this.#out.trimEnd(), err: this.#err.trimEnd() };
  }

  /** Waits until it has written something like that. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return until(this, async () => pattern.exec(this.#out) ?? undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill("SIGTERM");
    await this.#over;
  }
}
