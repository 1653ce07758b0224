import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../kit/files/make-folder.ts";
import { readFile, writeFile } from "../../kit/files/steady-fs.ts";
import {
  findMarked,
  type MarkedProcess,
  signalProcess,
  startDetached,
} from "../../kit/process/marked-process.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type DvblastLogState, readDvblastLog } from "./dvblast-log.ts";
import type { TUNE_LIMITS } from "./limits.ts";
import { LOOPBACK, type LoopbackGroups } from "./loopback-group.ts";

/** Environment variable of every tuner process: `<owner>/<tuner id>/<tuning>`. */
const MARK = "RECORDERD_TUNER";
const PATH = "/usr/local/bin:/usr/bin:/bin";
const LOOK_MS = 20;

/**
 * Runs and guards dvblast. The guard ends dvblast when nothing has read from it for a while, even without the daemon: the end of
 * the last recording is not known beforehand. `$1` matches its readers in the kernel's table of sockets. `$2` is the file of
 * outputs, `$3` the log and `$4` its maximum size (its beginning is kept: lock and tables). `$5` and `$6` are the checks without a
 * reader that it allows, after new outputs and later.
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
  Readonly<Record<keyof typeof TUNE_LIMITS, number>>,
  "logBytes" | "unreadFirstMs" | "unreadMs" | "stopPatienceMs"
>;

/** The process of one tuner, even if an earlier run started it. */
export interface Dvblast {
  /** The tuning passed to `start`; `undefined` while no process runs. */
  running(): Promise<string | undefined>;
  /** @throws a system error */
  start(tunedTo: string, input: readonly string[]): Promise<void>;
  logState(): Promise<DvblastLogState>;
  /** Sends exactly these services, 0 for the whole multiplex, without disturbing the present ones. @throws a system error */
  handOut(sids: Iterable<number>): Promise<void>;
  /** Resolves when the process is gone, or when it hangs in the kernel. Harmless if it is already gone. */
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
  /** Folder in the daemon's data: holds the process's files, and identifies its owner. */
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
      await makeFolder(home, 0o750);
      await rm(log, { force: true });
      // Services are added once the tables are known: dvblast would invent a transport stream id for earlier ones.
      await writeOutputs([]);
      const looks = (ms: number) => String(Math.ceil(ms / GUARD_LOOK_MS));
      const { logBytes, unreadFirstMs, unreadMs } = limits;
      const bounds = [String(logBytes), looks(unreadFirstMs), looks(unreadMs)];
      // All streams of a service as broadcast, with all tables and events (without -e, 3.4 drops present/following).
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
    logState: async () => readDvblastLog(await readFile(log, "utf8").catch(() => "")),
    async handOut(sids) {
      await writeOutputs(sids);
      const process = await guard();
      if (process !== undefined) await signalProcess(process, "SIGHUP");
    },
    async stop() {
      const deadline = clock.monotonicMs() + limits.stopPatienceMs;
      const never = new AbortController().signal;
      // Searches again each time, so that a process being started ends too.
      for (let left = await find(); left.length > 0; left = await find()) {
        for (const process of left) await signalProcess(process, "SIGKILL");
        if (clock.monotonicMs() >= deadline) return;
        await clock.sleep(LOOK_MS, never);
      }
    },
  };
}
