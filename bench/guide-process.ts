import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GuideServer } from "../src/guide-server/server.ts";
import { createGuideClient } from "../src/guide-wire/client.ts";
import type { WireFormat } from "../src/guide-wire/codec.ts";
import type { HttpClient } from "../src/kit/http/http.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import { SECOND } from "../src/model/time.ts";

const MAIN = join(import.meta.dirname, "../src/main.js");
const LOOP_DELAY = join(import.meta.dirname, "loop-delay-child.js");
const MEMBER = { email_address: "viewer@bench.example", password: "measured, not secret" };
/** The API key of the recorder and of the captures bench. */
export const API_KEY = "bench";
const clock = systemClock();
const { signal } = new AbortController();

/** The email address in requests of viewers. */
export const VIEWER = MEMBER.email_address;

type Seed = Parameters<GuideServer["seed"]>[0];

/** Gives a guide its one region, these channels and shows, and the account of `VIEWER` with a device. @returns the device's id */
export async function seedGuide(
  guide: Pick<GuideServer, "seed" | "addAccount" | "addDevice">,
  { channels, shows = [] }: Pick<Seed, "channels"> & Partial<Pick<Seed, "shows">>,
): Promise<number> {
  await guide.seed({
    regions: [{ id: 1, name: "Everywhere", timezone: "UTC" }],
    channels,
    manufacturers: [],
    types: [{ id: 1, model: "Recorder" }],
    series: [],
    shows,
  });
  const { email_address: email, password } = MEMBER;
  await guide.addAccount({ email, password, regionId: 1 });
  return await guide.addDevice(email, { label: "Recorder", type_id: 1 });
}

/** The token of `VIEWER`. */
export async function signIn(
  baseUrl: string,
  { http, wire = "json" }: { readonly http: HttpClient; readonly wire?: WireFormat },
): Promise<string> {
  const client = createGuideClient({
    baseUrl,
    apiKey: API_KEY,
    applicationVersion: "bench",
    wire,
    http,
    clock,
    credentials: () => undefined,
  });
  const { value } = await client.login({ member: MEMBER }, signal);
  return value.member.token;
}

/** `recorderd guide-server` as a process of its own, which says how long its loop was blocked. */
export interface GuideProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** Since it was last asked. */
  longestBlockMs(): Promise<number>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
}

/** @param loop a file for what it says of its loop. What it logs comes by `child.stderr`, and is to be read */
export async function startGuide(
  args: readonly string[],
  { loop }: { readonly loop: string },
): Promise<GuideProcess> {
  const all = ["--import", LOOP_DELAY, MAIN, "guide-server", ...args, "--port", "0"];
  const child = spawn(process.execPath, all, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LOOP_DELAY: loop },
  });
  // The child must not outlive this process after a failure.
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return {
    child,
    baseUrl: line.trim(),
    longestBlockMs: async () => {
      child.kill("SIGUSR2");
      await clock.sleep(SECOND, signal);
      return Number(await readFile(loop, "utf8"));
    },
    stop: async () => {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}
