import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Broadcaster, openBroadcaster } from "./capture/broadcast.ts";
import { pauseMs } from "./capture/contender.ts";
import { type CpuProfile, cpuProfileOf, sharesOf } from "./capture/cpu-profile.ts";
import { recordWithDaemon } from "./capture/daemon.ts";
import type { Benchmark, Measures } from "./harness.ts";

const SETTLE_SECONDS = 8;
/** To attach, to fetch a profile and to let go again, twice. */
const SLACK_SECONDS = 20;
/** Smaller shares are summed up as the rest. */
const LEAST_PERCENT = 1;

export interface ProfileOptions {
  readonly recordings: readonly number[];
  readonly seconds: number;
  /** Output folder of `.cpuprofile` files, which browsers and editors display. */
  readonly profiles: string | undefined;
}

/** Profiles the loops of the capture host and of its daemon during recording, as shares of their busy time. */
export function profileBenchmark({ recordings, seconds, profiles }: ProfileOptions): Benchmark {
  return {
    name: "profile",
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => {
      const broadcaster = await openBroadcaster(folder);
      return {
        cases: recordings.map((count) => ({
          name: `recorderd, host × ${count}`,
          run: async () => {
            const found = await profilesOf({ broadcaster, folder, count, seconds });
            if (profiles !== undefined) {
              for (const [name, profile] of Object.entries(found)) {
                await writeFile(join(profiles, `${name}-${count}.cpuprofile`), JSON.stringify(profile));
              }
            }
            return { ...measuresOf("host", found.host), ...measuresOf("daemon", found.daemon) };
          },
        })),
        [Symbol.asyncDispose]: () => broadcaster[Symbol.asyncDispose](),
      };
    },
  };
}

async function profilesOf({
  broadcaster,
  folder,
  count,
  seconds,
}: {
  readonly broadcaster: Broadcaster;
  readonly folder: string;
  readonly count: number;
  readonly seconds: number;
}): Promise<{ readonly host: CpuProfile; readonly daemon: CpuProfile }> {
  const running = await recordWithDaemon(
    {
      folder,
      ...broadcaster.send("http", count),
      seconds: SETTLE_SECONDS + 2 * seconds + SLACK_SECONDS,
      isProfiled: true,
    },
    "host",
  );
  await pauseMs(SETTLE_SECONDS * 1000);
  const daemonPid = running.supervisor ?? 0;
  const hostPid = (await running.host?.()) ?? 0;
  if (daemonPid === 0 || hostPid === 0) throw new Error("the daemon or its capture host does not run");
  const host = await cpuProfileOf(hostPid, seconds * 1000);
  const daemon = await cpuProfileOf(daemonPid, seconds * 1000);
  await running.end();
  return { host, daemon };
}

function measuresOf(process: string, profile: CpuProfile): Measures {
  const shares = sharesOf(profile);
  const named = shares.filter(([, percent]) => percent >= LEAST_PERCENT);
  const rest = Math.max(0, 100 - named.reduce((sum, [, percent]) => sum + percent, 0));
  return Object.fromEntries(
    [...named, ["the rest", rest] as const].map(([name, value]) => [
      `${process}: ${name}`,
      { value, unit: "%" },
    ]),
  );
}
