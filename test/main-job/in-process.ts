import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import type { CaptureLimits } from "../../src/recorder/capture/engine.ts";
import { CAPTURE_LIMITS } from "../../src/recorder/capture/limits.ts";
import { Config } from "../../src/recorder/config/schema.ts";
import { writeSecrets } from "../../src/recorder/config/secrets.ts";
import { type Daemon, openDaemon } from "../../src/recorder/daemon.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import type { IdleLimits } from "../../src/recorder/subsystems/gather/open.ts";
import type { PushService } from "../../src/recorder/subsystems/notify/push/open.ts";
import { LIVE_LIMITS, type LiveLimits } from "../../src/recorder/subsystems/playback/live/limits.ts";
import { captureOf } from "../../src/recorder/wiring/captures.ts";
import { SIM_API_KEY, SIM_REGION } from "../../src/simulator/world.ts";
import { HOST_PROGRAM } from "../recorder/capture/host.ts";
import { pause, type TestWorld } from "./recorder.ts";

const clock = systemClock();
const LOOK_MS = 50;

/** Short where a test would wait on any machine. A source that gives nothing has as long as a busy machine needs. */
const HURRIED: CaptureLimits = {
  ...CAPTURE_LIMITS,
  firstPayloadMs: 30 * SECOND,
  stallMs: 30 * SECOND,
  wrongServiceMs: SECOND,
  captureLookMs: SECOND / 4,
};

/** The whole daemon with real captures, in this process, in more of a hurry than people have it. */
export interface InProcess extends AsyncDisposable {
  readonly config: Config;
  readonly daemon: Daemon;
  readonly data: string;
  readonly recordings: string;
  /** Waits until the latest recording of a timer meets the condition. */
  until(timerId: string, fits: (recording: Recording) => boolean, patienceMs?: number): Promise<Recording>;
}

export async function inProcess(
  folder: string,
  home: Pick<TestWorld, "token" | "deviceId" | "world">,
  more: {
    readonly tuners: readonly object[];
    readonly paddingSeconds?: number;
    readonly limits?: Partial<CaptureLimits>;
    readonly idleLimits?: IdleLimits;
    readonly liveLimits?: Partial<LiveLimits>;
    readonly pushService?: PushService;
  } & Readonly<Record<string, unknown>>,
): Promise<InProcess> {
  const {
    tuners,
    paddingSeconds = 1,
    limits = {},
    idleLimits,
    liveLimits = {},
    pushService,
    ...settings
  } = more;
  const data = join(folder, "daemon");
  const recordings = join(folder, "recordings");
  for (const each of [data, recordings]) await mkdir(each, { recursive: true });
  await writeSecrets(data, {
    apiKey: SIM_API_KEY,
    account: { email: "viewer@sim.example", token: home.token },
  });
  // On a slow machine, a test may last until an idle tuner is used: it does not expect the stream.
  const idleTuners = idleLimits !== undefined;
  const { deviceId } = home;
  const config = Config.parse({
    guide: {
      url: home.world.guideUrl,
      regionId: SIM_REGION,
      deviceId,
      sync: "* * * * * *",
      idleTuners,
    },
    recordings: {
      folder: recordings,
      padding: { beforeSeconds: paddingSeconds, afterSeconds: paddingSeconds },
    },
    tuners,
    data: { folder: data },
    control: { socket: join(folder, "control.sock") },
    ...settings,
  });
  const daemon = await openDaemon(config, {
    clock,
    log: silentLog,
    captureLimits: { ...HURRIED, ...limits },
    liveLimits: { ...LIVE_LIMITS, ...liveLimits },
    hostProgram: HOST_PROGRAM,
    ...(idleLimits === undefined ? {} : { idleLimits }),
    ...(pushService === undefined ? {} : { pushService }),
  });
  const ended = new AbortController();
  const running = daemon.run(ended.signal);
  let seenAtMs = Number.NEGATIVE_INFINITY;
  let seen: readonly Recording[] = [];
  /** Many may wait at once: they look at one picture, or making it is all that happens. */
  const recordingsNow = () => {
    if (clock.monotonicMs() - seenAtMs >= LOOK_MS) {
      seen = daemon.snapshot().recordings;
      seenAtMs = clock.monotonicMs();
    }
    return seen;
  };
  return {
    config,
    daemon,
    data,
    recordings,
    async until(timerId, fits, patienceMs = 180 * SECOND) {
      const deadline = clock.now() + patienceMs;
      for (;;) {
        const last = recordingsNow().findLast((recording) => recording.timerId === timerId);
        if (last !== undefined && fits(last)) return last;
        if (clock.now() > deadline)
          throw new Error(`timer ${timerId} did not get there: ${JSON.stringify(last)}`);
        await pause(LOOK_MS);
      }
    },
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
      await daemon[Symbol.asyncDispose]();
      // It would wait for more to do until long after the test.
      const parts = {
        clock,
        log: silentLog,
        openInspection,
        limits: CAPTURE_LIMITS,
        hostProgram: HOST_PROGRAM,
      };
      await captureOf(config, parts).dismissHost();
    },
  };
}

/** So many tuners of the simulated broadcaster. */
export function simTuners(
  { world }: Pick<TestWorld, "world">,
  count: number,
  warmUpMs = 2 * SECOND,
): readonly object[] {
  const { baseUrl: broadcaster } = world.broadcaster;
  return Array.from({ length: count }, (_, index) => ({
    kind: "mock",
    id: `sim-${index + 1}`,
    broadcaster,
    warmUpMs,
  }));
}
