import { once } from "node:events";
import { basename } from "node:path";
import { systemClock } from "../../src/kit/time/clock.ts";
import { pauseMs } from "./contender.ts";

/** The inspector address of a Node.js process after SIGUSR1; one process at a time. */
const INSPECTOR = "http://127.0.0.1:9229/json/list";
const PATIENCE_MS = 20_000;
const LOOK_MS = 50;
const SAMPLE_MICROSECONDS = 500;
/** The loop waits for something to come, or is held up so that more comes at once (kit/time/clock.ts). */
const WAITING = new Set(["(idle)", "blockThread (clock.js)"]);
const clock = systemClock();

/** The inspector's format, also that of `.cpuprofile` files. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Profiles the loop of a Node.js process for `ms`. */
export async function cpuProfileOf(pid: number, ms: number): Promise<CpuProfile> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await until(inspectorAddress));
  await once(socket, "open");
  const send = asker(socket);
  await send("Profiler.enable");
  await send("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
  await send("Profiler.start");
  await pauseMs(ms);
  const { profile } = (await send("Profiler.stop")) as { readonly profile: CpuProfile };
  await send("Runtime.evaluate", { expression: "setTimeout(() => process._debugEnd(), 100)" });
  socket.close();
  await until(async () => ((await inspectorAddress()) === undefined ? true : undefined));
  return profile;
}

async function inspectorAddress(): Promise<string | undefined> {
  const answer = await fetch(INSPECTOR).catch(() => undefined);
  const [target] = ((await answer?.json()) ?? []) as readonly { readonly webSocketDebuggerUrl: string }[];
  return target?.webSocketDebuggerUrl;
}

async function until<T>(found: () => Promise<T | undefined>): Promise<T> {
  const deadline = clock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    const value = await found();
    if (value !== undefined) return value;
    if (clock.monotonicMs() > deadline) throw new Error("the inspector of a process did not get there");
    await pauseMs(LOOK_MS);
  }
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

function asker(socket: WebSocket): (method: string, params?: object) => Promise<unknown> {
  let id = 0;
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      id += 1;
      const mine = id;
      socket.addEventListener("message", function heard({ data }) {
        const answer = JSON.parse(String(data)) as Answer;
        if (answer.id !== mine) return;
        socket.removeEventListener("message", heard);
        if (answer.error === undefined) resolve(answer.result);
        else reject(new Error(`${method}: ${answer.error.message}`));
      });
      socket.send(JSON.stringify({ id: mine, method, params }));
    });
}

/** Self time of each function in percent of the busy time, largest first. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): readonly (readonly [string, number])[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const micros = new Map<string, number>();
  let all = 0;
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? "";
    if (WAITING.has(name)) continue;
    const delta = timeDeltas[at] ?? 0;
    micros.set(name, (micros.get(name) ?? 0) + delta);
    all += delta;
  }
  return [...micros]
    .map(([name, spent]) => [name, (100 * spent) / all] as const)
    .sort(([, a], [, b]) => b - a);
}

function nameOf({ functionName, url }: CpuProfile["nodes"][number]["callFrame"]): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  return url === "" ? name : `${name} (${url.startsWith("node:") ? url : basename(url)})`;
}
