import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  findMarked,
  type MarkedProcess,
  signalProcess,
  startDetached,
} from "../../kit/process/marked-process.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { LIMITS } from "../../model/limits.ts";
import { type DvblastSaid, readDvblastLog } from "./dvblast-log.ts";
import { LOOPBACK, type LoopbackGroups } from "./loopback-group.ts";

/** In the environment of every tuner process: `<owner>/<tuner id>/<what it is tuned to>`. */
const MARK = "RECORDERD_TUNER";
const PATH = "/usr/local/bin:/usr/bin:/bin";
const LOOK_MS = 20;

/**
 * dvblast and what watches over it. dvblast ends when nobody has read from it for a while, daemon or no daemon: that is its
 * upper bound, for no hour could be named beforehand at which the last recording of its multiplex will be over. `$1` finds the
 * readers in the kernel's table of sockets. `$2` is the file of outputs, `$3` the log and `$4` its size at most (its beginning is
 * kept: lock and tables). `$5` and `$6` are how many looks without a reader it may take, when there are new outputs and later.
 */
const GUARD = `
readers=$1 outputs=$2 log=$3 bytes=$4 first=$5 later=$6; shift 6
left=$first
trap 'kill -HUP "$tuner"; if [ -s "$outputs" ]; then left=$first; else left=$later; fi' HUP
trap 'kill "$tuner"' INT TERM
"$@" &
tuner=$!
while kill -0 "$tuner" 2>/dev/null; do
  sleep 2 &
  wait "$!"
  if grep -q "$readers" /proc/net/udp; then left=$later; else left=$((left - 1)); fi
  [ "$left" -gt 0 ] || { kill "$tuner"; wait "$tuner"; break; }
  [ "$(wc -c <"$log")" -le "$bytes" ] || { head -c 65536 "$log" >"$log.head"; cat "$log.head" >"$log"; }
done
`;
const GUARD_LOOK_MS = 2000;

export type DvblastLimits = Pick<
  Readonly<Record<keyof typeof LIMITS, number>>,
  "tunerLogBytes" | "tunerUnreadFirstMs" | "tunerUnreadMs" | "stopPatienceMs"
>;

/** The process of one tuner, whichever life of the daemon started it. */
export interface Dvblast {
  /** What it is tuned to, as it was said to `start`; `undefined` while it does not run. */
  running(): Promise<string | undefined>;
  /** @throws the system's error */
  start(tunedTo: string, input: readonly string[]): Promise<void>;
  said(): Promise<DvblastSaid>;
  /** Sends out these services and no other ones, 0 for the whole multiplex; those that stay do not notice. @throws the system's error */
  handOut(sids: Iterable<number>): Promise<void>;
  /** Returns when it is gone, or when the kernel alone keeps it. Harmless when it is gone already. */
  stop(): Promise<void>;
}

export function dvblast({
  tunerId,
  folder,
  groups,
  clock,
  limits,
}: {
  readonly tunerId: string;
  /** Of the daemon's data: holds what belongs to the process, and says whose it is. */
  readonly folder: string;
  readonly groups: LoopbackGroups;
  readonly clock: Clock;
  readonly limits: DvblastLimits;
}): Dvblast {
  const prefix = `${folder}/${tunerId}/`;
  const home = join(folder, "tuners");
  const outputs = join(home, `${tunerId}.outputs`);
  const log = join(home, `${tunerId}.log`);
  const find = async (): Promise<readonly MarkedProcess[]> =>
    (await findMarked(MARK)).filter(({ mark }) => mark.startsWith(prefix));
  const guard = async () => (await find()).find(({ isGroupLeader }) => isGroupLeader);

  async function writeOutputs(sids: Iterable<number>): Promise<void> {
    const lines = [...sids].map((sid) => `${groups.address(sid)}@${LOOPBACK}/udp/ttl=0\t0\t${sid || "*"}\n`);
    await writeFile(`${outputs}.new`, lines.join(""), { mode: 0o600 });
    await rename(`${outputs}.new`, outputs);
  }

  return {
    async running() {
      return (await guard())?.mark.slice(prefix.length);
    },
    async start(tunedTo, input) {
      await mkdir(home, { recursive: true, mode: 0o750 });
      await rm(log, { force: true });
      // Services come when the tables are known: dvblast would make up a transport stream id for those that come before.
      await writeOutputs([]);
      const looks = (ms: number) => String(Math.ceil(ms / GUARD_LOOK_MS));
      const { tunerLogBytes, tunerUnreadFirstMs, tunerUnreadMs } = limits;
      const bounds = [String(tunerLogBytes), looks(tunerUnreadFirstMs), looks(tunerUnreadMs)];
      // All streams of a service as broadcast, with all its tables, events included (without -e 3.4 drops present/following).
      const command = [
        "dvblast",
        "--config-file",
        outputs,
        "--dvb-compliance",
        "--epg-passthrough",
        "--any-type",
      ];
      await startDetached({
        command: "/bin/sh",
        args: ["-c", GUARD, "recorderd-tuner", groups.pattern, outputs, log, ...bounds, ...command, ...input],
        env: { PATH, LC_ALL: "C", [MARK]: prefix + tunedTo },
        logFile: log,
        onExit: () => {},
      });
    },
    said: async () => readDvblastLog(await readFile(log, "utf8").catch(() => "")),
    async handOut(sids) {
      await writeOutputs(sids);
      const process = await guard();
      if (process !== undefined) await signalProcess(process, "SIGHUP");
    },
    async stop() {
      const deadline = clock.monotonicMs() + limits.stopPatienceMs;
      const never = new AbortController().signal;
      // Looked for anew each time: what was being started meanwhile is ended too.
      for (let left = await find(); left.length > 0; left = await find()) {
        for (const process of left) await signalProcess(process, "SIGKILL");
        if (clock.monotonicMs() >= deadline) return;
        await clock.sleep(LOOK_MS, never);
      }
    },
  };
}
