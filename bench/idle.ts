import { pauseMs } from "./capture/contender.ts";
import { recordWithDaemon } from "./capture/daemon.ts";
import { cpuSecondsOf, proportionalBytesOf, wakeUpsOf } from "./capture/usage.ts";
import { type Benchmark, perSecond } from "./harness.ts";

/** Starting, the first sync, the compiler's work and the first round of the idle tuner, which begins after a minute, are over then. */
const SETTLE_SECONDS = 100;
/** Nobody listens there. */
const NOBODY = "http://127.0.0.1:9/";

const NOTHING = { firstPcr: 0, firstPcrIndex: 0, startedAt: 0, satipPort: 0 };

/** The resources of a daemon with a guide service, a tuner and nothing to do. */
export function idleBenchmark({ seconds }: { readonly seconds: number }): Benchmark {
  return {
    name: "idle",
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => ({
      cases: [
        {
          name: "nothing to record",
          run: async () => {
            const order = {
              folder,
              urls: [NOBODY],
              programme: "single",
              seconds: 0,
              air: NOTHING,
              isIdle: true,
            } as const;
            const { supervisor: daemon = 0, end } = await recordWithDaemon(order, "ffmpeg");
            await pauseMs(SETTLE_SECONDS * 1000);
            const before = { cpu: cpuSecondsOf(daemon), wakeUps: wakeUpsOf(daemon), at: performance.now() };
            await pauseMs(seconds * 1000);
            const passed = (performance.now() - before.at) / 1000;
            const cpu = (cpuSecondsOf(daemon) - before.cpu) / passed;
            const wakeUps = (wakeUpsOf(daemon) - before.wakeUps) / passed;
            const bytes = proportionalBytesOf(daemon);
            await end();
            return {
              cpu: { value: 100 * cpu, unit: "% of a core" },
              memory: { value: bytes / 1e6, unit: "MB" },
              "wake-ups": perSecond(wakeUps, "threads"),
            };
          },
        },
      ],
      [Symbol.asyncDispose]: async () => {},
    }),
  };
}
