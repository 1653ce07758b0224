import { join } from "node:path";
import { createGuideClient } from "../guide-wire/client.ts";
import type { WireFormat } from "../guide-wire/codec.ts";
import { makeNamedFolder } from "../kit/files/make-folder.ts";
import { createHttpClient } from "../kit/http/http.ts";
import type { Log } from "../kit/log.ts";
import type { Clock } from "../kit/time/clock.ts";
import { VERSION } from "../kit/version.ts";
import { isTerminal, type Recording } from "../model/recording.ts";
import { type DurationMs, type EpochMs, formatTimeOfDay, SECOND } from "../model/time.ts";
import { Config } from "../recorder/config/schema.ts";
import { writeSecrets } from "../recorder/config/secrets.ts";
import { type Daemon, openDaemon } from "../recorder/daemon.ts";
import { endCaptures } from "../recorder/wiring/captures.ts";
import { openWorld, SIM_API_KEY, SIM_DEVICE_TYPE, SIM_REGION, simMultiplexes, type World } from "./world.ts";

export interface SimulationOptions {
  /** Holds guide, clip, the daemon's document and recordings. */
  readonly folder: string;
  readonly seconds: number;
  readonly channels: number;
  /** Number of recordings that begin at once. */
  readonly recordings: number;
  readonly wire: WireFormat;
  /** Port of the dashboard and the API, on loopback; absent: none. */
  readonly web?: number;
}

export interface SimulationParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Receives progress lines for people. */
  readonly progress: (line: string) => void;
}

/** One recording as `recorderd simulate --json` prints it. */
export interface SimulatedRecording {
  readonly timerId: string;
  readonly name: string;
  readonly state: string;
  readonly file: string | null;
  readonly bytes: number;
  readonly windowMs: DurationMs;
  readonly coveredMs: DurationMs;
  /** Share of the window that is on disk. */
  readonly coverage: number;
  readonly continuityErrors: number;
  readonly startedLateMs: DurationMs;
  readonly segments: number;
}

/** The reports that the guide service got about one timer. */
export interface SimulatedTimer {
  readonly timerId: string;
  readonly states: readonly string[];
  readonly message: string;
}

export interface SimulationResult {
  readonly recordings: readonly SimulatedRecording[];
  readonly service: readonly SimulatedTimer[];
}

/** Minimum time from booking to the start of the event: sync, tuner and file must be ready. */
const LEAD_MS = 5 * SECOND;
/** On a busy machine, preparing a recording takes at most this multiple of the start-up time. */
const LEAD_FACTOR = 2;
/** A recorder without an answer from the guide service by then is booked for anyway: its reports give the reason. */
const READY_MS = 120 * SECOND;
const PADDING_SECONDS = 1;
/** A recording still open this long after its end will never be closed. */
const CLOSING_MS = 60 * SECOND;
const LOOK_MS = 200;

/**
 * Runs the main job once, with real parts in real time on loopback: a guide service, a broadcaster and a daemon. Books timers
 * that begin within seconds, and returns when all of them have ended and were reported.
 *
 * @returns `undefined` when the signal was aborted first
 */
export async function simulate(
  options: SimulationOptions,
  parts: SimulationParts,
): Promise<SimulationResult | undefined> {
  const { clock, log, signal, progress } = parts;
  await makeNamedFolder(join(options.folder, "recordings"));
  await makeNamedFolder(join(options.folder, "daemon"));
  progress("preparing       a picture to broadcast, a guide service, a recorder");
  await using world = await openWorld({
    folder: options.folder,
    clipFolder: join(options.folder, "clip"),
    channels: options.channels,
    clock,
    log,
    signal,
  });
  progress(`guide service   ${world.guideUrl}`);
  progress(`broadcaster     ${world.broadcaster.baseUrl}, ${options.channels} channels`);
  const deviceId = await signIn(world, options, parts);
  const config = configOf(world, options, deviceId);
  // The broadcaster ends with us, so captures must not outlive it.
  await using _captures = {
    [Symbol.asyncDispose]: async () => void (await endCaptures(config, { clock, log })),
  };
  const openedMs = clock.monotonicMs();
  await using daemon = await openDaemon(config, { clock, log });
  progress("recorder        started, waiting for the guide service");
  if (daemon.webPort !== undefined) progress(`dashboard       ${daemon.webLink()}`);
  const stop = new AbortController();
  const running = daemon.run(AbortSignal.any([signal, stop.signal]));
  try {
    await Promise.race([untilReady(daemon, parts), running]);
    if (signal.aborted) return undefined;
    const leadMs = Math.max(LEAD_MS, LEAD_FACTOR * (clock.monotonicMs() - openedMs));
    const start = nextSecond(clock.now() + leadMs);
    const timers = await book(world, { options, deviceId, start, progress });
    daemon.syncNow();
    const ended = allEnded(daemon, { timers, start, options, parts });
    await Promise.race([ended, running]);
    return signal.aborted ? undefined : resultOf(daemon, world, timers);
  } finally {
    stop.abort();
    await running;
  }
}

/** Signs in like a viewer, which also names the recorder. @returns the device's id */
async function signIn(
  { guideUrl, account }: World,
  { folder, wire }: SimulationOptions,
  { clock, signal }: SimulationParts,
): Promise<number> {
  await using http = createHttpClient();
  const client = createGuideClient({
    baseUrl: guideUrl,
    apiKey: SIM_API_KEY,
    applicationVersion: VERSION,
    wire,
    http,
    clock,
    credentials: () => undefined,
  });
  const { value } = await client.login(
    {
      member: { email_address: account.email, password: account.password },
      device: { uid: "simulated-recorder", label: "Simulated recorder", type_id: SIM_DEVICE_TYPE },
    },
    signal,
  );
  const { token } = value.member;
  await writeSecrets(join(folder, "daemon"), {
    apiKey: SIM_API_KEY,
    account: { email: account.email, token },
  });
  return value.device?.id ?? 0;
}

function configOf(
  { guideUrl, broadcaster }: World,
  { folder, wire, channels, web }: SimulationOptions,
  deviceId: number,
): Config {
  const tuners = Math.max(2, simMultiplexes(channels));
  return Config.parse({
    guide: { url: guideUrl, format: wire, regionId: SIM_REGION, deviceId, sync: "* * * * * *" },
    recordings: {
      folder: join(folder, "recordings"),
      padding: { beforeSeconds: PADDING_SECONDS, afterSeconds: PADDING_SECONDS },
    },
    tuners: Array.from({ length: tuners }, (_, index) => ({
      kind: "mock",
      id: `sim-${index + 1}`,
      broadcaster: broadcaster.baseUrl,
    })),
    data: { folder: join(folder, "daemon") },
    control: { socket: join(folder, "daemon", "control.sock") },
    ...(web === undefined ? {} : { web: { port: web } }),
  });
}

interface Booking {
  readonly options: SimulationOptions;
  readonly deviceId: number;
  readonly start: EpochMs;
  readonly progress: (line: string) => void;
}

async function book(
  world: World,
  { options, deviceId, start, progress }: Booking,
): Promise<readonly string[]> {
  const timers: string[] = [];
  for (let index = 0; index < options.recordings; index += 1) {
    const channel = 1 + (index % options.channels);
    const title = `Simulated show ${index + 1}`;
    const durationMs = options.seconds * SECOND;
    timers.push(await world.book({ channel, title, start, durationMs }, deviceId));
    progress(
      `booked          “${title}” on Sim ${channel}, ${formatTimeOfDay(start, "UTC")} UTC, ${options.seconds} s`,
    );
  }
  return timers;
}

/** Books only once the recorder knows its channels, however long it took to start. */
async function untilReady(daemon: Daemon, { clock, signal }: SimulationParts): Promise<void> {
  const deadlineMs = clock.monotonicMs() + READY_MS;
  while (daemon.snapshot().guide.lastGoodAt === undefined && clock.monotonicMs() < deadlineMs) {
    if (signal.aborted) return;
    await clock.sleep(LOOK_MS, signal).catch(() => {});
  }
}

function nextSecond(at: EpochMs): EpochMs {
  return Math.ceil(at / SECOND) * SECOND;
}

/** Returns when every recording has ended and was reported, or when that is overdue. */
async function allEnded(
  daemon: Daemon,
  {
    timers,
    start,
    options,
    parts: { clock, signal, progress },
  }: {
    readonly timers: readonly string[];
    readonly start: EpochMs;
    readonly options: SimulationOptions;
    readonly parts: SimulationParts;
  },
): Promise<void> {
  const deadline = start + options.seconds * SECOND + CLOSING_MS;
  const said = new Map<string, string>();
  while (!signal.aborted && clock.now() < deadline) {
    const { recordings, guide } = daemon.snapshot();
    const ours = recordings.filter(({ timerId }) => timers.includes(timerId));
    for (const { id, name, reported } of ours) {
      if (reported === undefined || said.get(id) === reported.message) continue;
      said.set(id, reported.message);
      progress(`${(reported.state ?? "").padEnd(15)} “${name}”: ${reported.message}`);
    }
    const over = ours.length === timers.length && ours.every(({ state }) => isTerminal(state));
    if (over && guide.reportsWaiting === 0) return;
    await clock.sleep(LOOK_MS, signal).catch(() => {});
  }
}

async function resultOf(
  daemon: Daemon,
  { guide }: World,
  timers: readonly string[],
): Promise<SimulationResult> {
  const { recordings } = daemon.snapshot();
  return {
    recordings: recordings.filter(({ timerId }) => timers.includes(timerId)).map(viewOf),
    service: await Promise.all(
      timers.map(async (timerId) => {
        const told = await guide.timerReports(timerId);
        return {
          timerId,
          states: told.flatMap(({ state }) => (state === undefined ? [] : [state])),
          message: told.findLast(({ message }) => message !== undefined)?.message ?? "",
        };
      }),
    ),
  };
}

function viewOf({ timerId, name, state, window, evidence }: Recording): SimulatedRecording {
  const windowMs = window.stop - window.start;
  const coveredMs = evidence?.windowCoveredMs ?? 0;
  return {
    timerId,
    name,
    state,
    file: evidence?.file ?? null,
    bytes: evidence?.bytes ?? 0,
    windowMs,
    coveredMs: Math.round(coveredMs),
    coverage: coveredMs / windowMs,
    continuityErrors: evidence?.continuityErrors ?? 0,
    startedLateMs: Math.max(0, Math.round((evidence?.firstAt ?? window.stop) - window.start)),
    segments: evidence?.segments ?? 0,
  };
}

/** Whether every booked recording is complete on disk. */
export function isWhole({ recordings, service }: SimulationResult): boolean {
  return recordings.length === service.length && recordings.every(({ state }) => state === "completed");
}
