import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { MisbehaviourName } from "../../src/guide-server/misbehave.ts";
import { createGuideClient, type GuideClient } from "../../src/guide-wire/client.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Recording } from "../../src/model/recording.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { askSnapshot } from "../../src/recorder/api/ask.ts";
import { writeSecrets } from "../../src/recorder/config/secrets.ts";
import { endCaptures } from "../../src/recorder/wiring/captures.ts";
import {
  openWorld,
  SIM_API_KEY,
  SIM_DEVICE_TYPE,
  SIM_REGION,
  type World,
} from "../../src/simulator/world.ts";
import { endWithFile } from "../left-by-tests.ts";
import { CLIP_FOLDER } from "../simulator/air.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const clock = systemClock();
/** Sync, plan and tuner take this long on an idle machine. */
const LEAD_MS = 6_000;

/** A folder of its own for one test. */
export async function temporaryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "recorderd-test-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}

/** The simulator's guide service and broadcaster, with a signed-in device. */
export interface TestWorld extends AsyncDisposable {
  readonly world: World;
  readonly deviceId: number;
  readonly token: string;
  /** The same world with a device more, for another recorder; it ends with the first. */
  another(uid: string): Promise<TestHome>;
}

/** The parts of a test world that a recorder needs. */
export type TestHome = Pick<TestWorld, "world" | "deviceId" | "token">;

export async function testWorld(
  folder: string,
  channels = 4,
  habits: readonly MisbehaviourName[] = [],
  host = "127.0.0.1",
): Promise<TestWorld> {
  const { signal } = new AbortController();
  const world = await openWorld({
    folder,
    clipFolder: CLIP_FOLDER,
    channels,
    host,
    habits,
    clock,
    log: silentLog,
    signal,
  });
  const first = await signedIn(world, "test-recorder");
  return {
    ...first,
    another: (uid) => signedIn(world, uid),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function signedIn(world: World, uid: string): Promise<TestHome> {
  const { signal } = new AbortController();
  await using http = createHttpClient();
  const client = createGuideClient({
    baseUrl: world.guideUrl,
    apiKey: SIM_API_KEY,
    applicationVersion: "test",
    wire: "json",
    http,
    clock,
    credentials: () => undefined,
  });
  const { email, password } = world.account;
  const device = { uid, label: "Test recorder", type_id: SIM_DEVICE_TYPE };
  const { value } = await client.login({ member: { email_address: email, password }, device }, signal);
  return { world, deviceId: value.device?.id ?? 0, token: value.member.token };
}

/** Asks the guide service of a test world, as its account. */
export async function asked<T>(
  { world, token }: Pick<TestHome, "world" | "token">,
  question: (client: GuideClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await using http = createHttpClient();
  const client = createGuideClient({
    ...{ baseUrl: world.guideUrl, apiKey: SIM_API_KEY, applicationVersion: "test", wire: "json" },
    ...{ http, clock },
    credentials: () => ({ email: world.account.email, token }),
  });
  return await question(client, new AbortController().signal);
}

/** A recorder with so many tuners of the simulated broadcaster. */
export function onSimulator(
  folder: string,
  home: TestHome,
  {
    tuners = 1,
    paddingSeconds = 1,
    more = {},
    within = [],
  }: {
    readonly tuners?: number;
    readonly paddingSeconds?: number;
    readonly more?: object;
    readonly within?: readonly string[];
  } = {},
): Promise<Recorder> {
  const { baseUrl: broadcaster } = home.world.broadcaster;
  const ids = Array.from({ length: tuners }, (_, index) => `sim-${index + 1}`);
  return Recorder.install({
    folder,
    home,
    tuners: ids.map((id) => ({ kind: "mock", id, broadcaster })),
    paddingSeconds,
    more,
    within,
  });
}

export interface RecorderOptions {
  readonly folder: string;
  /** The guide service that the recorder uses, and its device there. */
  readonly home: Pick<TestWorld, "token" | "deviceId"> & { readonly world: Pick<World, "guideUrl"> };
  readonly tuners: readonly object[];
  readonly paddingSeconds?: number;
  /** Further parts of the configuration. */
  readonly more?: object;
  /** The command that runs the program elsewhere, such as in a network namespace: it must keep the process id. */
  readonly within?: readonly string[];
}

/** The daemon as people run it: a process of its own, with a configuration file, from the built program. */
export class Recorder implements AsyncDisposable {
  readonly socket: string;
  readonly recordings: string;
  readonly data: string;
  readonly config: string;
  readonly #within: readonly string[];
  #child: ChildProcess | undefined;
  #said = "";
  #looking: Promise<Snapshot | undefined> | undefined;
  readonly #ended = endWithFile(async () => {
    await this.kill();
    await this[Symbol.asyncDispose]();
  });

  private constructor(folder: string, within: readonly string[]) {
    this.#within = within;
    this.socket = join(folder, "control.sock");
    this.recordings = join(folder, "recordings");
    this.data = join(folder, "daemon");
    this.config = join(folder, "recorderd.yaml");
  }

  static async install(options: RecorderOptions): Promise<Recorder> {
    const { folder, home, tuners, paddingSeconds = 1, more = {}, within = [] } = options;
    const { world, token, deviceId } = home;
    const recorder = new Recorder(folder, within);
    const { data } = recorder;
    await mkdir(recorder.recordings, { recursive: true });
    await mkdir(data, { recursive: true });
    await writeSecrets(data, { apiKey: SIM_API_KEY, account: { email: "viewer@sim.example", token } });
    const config = {
      guide: {
        url: world.guideUrl,
        regionId: SIM_REGION,
        deviceId,
        sync: "* * * * * *",
        idleTuners: false,
      },
      recordings: {
        folder: recorder.recordings,
        padding: { beforeSeconds: paddingSeconds, afterSeconds: paddingSeconds },
      },
      tuners,
      data: { folder: data },
      control: { socket: recorder.socket },
      ...more,
    };
    await writeFile(recorder.config, stringify(config));
    return recorder;
  }

  /** The text on its standard error. */
  get said(): string {
    return this.#said;
  }

  /** Starts the process; returns when it has its timers from the service. */
  async start(env?: NodeJS.ProcessEnv): Promise<void> {
    this.launch(env);
    const deadline = clock.now() + 90_000;
    while ((await this.snapshot())?.guide.lastGoodAt === undefined) {
      if (clock.now() > deadline) throw new Error(`the recorder did not come up:\n${this.#said}`);
      await pause(200);
    }
  }

  launch(env: NodeJS.ProcessEnv = process.env): void {
    const words = [...this.#within, process.execPath, MAIN, "run", "--config", this.config];
    const child = spawn(words[0] ?? "", words.slice(1), {
      stdio: ["ignore", "ignore", "pipe"],
      env,
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
    this.#child = child;
  }

  /** The process id, as long as there is a process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The exit code, once the process has ended without a signal. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  /** The signal that ended the process, if one did. */
  get endedBy(): NodeJS.Signals | null {
    return this.#child?.signalCode ?? null;
  }

  /** Kills the process as the kernel does when memory runs out: it reports nothing and tidies nothing. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Sends a signal as a person would. */
  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  async snapshot(): Promise<Snapshot | undefined> {
    try {
      return await askSnapshot(this.socket, { clock, signal: AbortSignal.timeout(5_000) });
    } catch {
      // Not up yet, or not any more.
      return undefined;
    }
  }

  /** Many may wait at once: one answer serves them all. */
  #look(): Promise<Snapshot | undefined> {
    this.#looking ??= this.snapshot().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Waits until the recording of a timer meets the condition. */
  async until(
    timerId: string,
    fits: (recording: Recording) => boolean,
    patienceMs = 240_000,
  ): Promise<Recording> {
    const deadline = clock.now() + patienceMs;
    let last: Recording | undefined;
    while (clock.now() < deadline) {
      last = (await this.#look())?.recordings.findLast((recording) => recording.timerId === timerId);
      if (last !== undefined && fits(last)) return last;
      await pause(200);
    }
    throw new Error(`timer ${timerId} did not get there: ${JSON.stringify(last)}\n${this.#said}`);
  }

  /** Ends the captures as well, which a daemon leaves to its next life, and their host, which waits for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended();
    await this.stop();
    await endCapturesOf(this.data);
  }
}

/** Ends the captures that a daemon with this data folder has left, and their host, which waits for the next daemon. */
export async function endCapturesOf(data: string): Promise<void> {
  const config = { data: { folder: data }, capture: { ffmpegPath: "ffmpeg", engine: "host" as const } };
  await endCaptures(config, { clock, log: silentLog });
}

export function pause(ms: number): Promise<void> {
  return clock.sleep(ms, new AbortController().signal);
}

/**
 * The first full second at which a recorder that a test has just started can record a timer that is booked now: later on a busy
 * machine.
 */
export function soon(): number {
  return Math.ceil((clock.now() + LEAD_MS * slowness()) / 1000) * 1000;
}

/** How many times as long as on an idle machine work takes, from 1 to 5. */
export function slowness(): number {
  // "0.20 0.18 0.12 1/80 11206": the averages know nothing yet of tests that have just begun, the number of running threads does.
  const [load = 0, , , running = 0] = readFileSync("/proc/loadavg", "latin1").split(/[ /]/).map(Number);
  const share = 2 * availableParallelism();
  return Math.min(5, Math.max(1, load / share, running / share));
}
