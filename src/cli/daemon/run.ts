import { Command } from "commander";
import { createLog, errorPrefix, type Log } from "../../kit/log.ts";
import { type LoopWatch, watchLoop } from "../../kit/machine/loop-watch.ts";
import { releaseMemoryAfterStart } from "../../kit/machine/memory.ts";
import { serviceManager } from "../../kit/machine/service-manager.ts";
import { onDebugToggle, onHangUp } from "../../kit/process/user-signals.ts";
import { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import { type Work, workLine } from "../../model/set-aside.ts";
import { changeText, reloaded } from "../../recorder/config/difference.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import type { Config } from "../../recorder/config/schema.ts";
import { secretsPlace } from "../../recorder/config/secrets.ts";
import { type Daemon, openDaemon } from "../../recorder/daemon.ts";
import { statusLine } from "../../recorder/subsystems/power/core/status-line.ts";
import { createHeart, type Heart } from "../../recorder/subsystems/power/heart.ts";
import { starvationNote } from "../../recorder/subsystems/power/set-aside.ts";
import { endCaptures } from "../../recorder/wiring/captures.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";

export function runCommand(io: CliIo): Command {
  return new Command("run")
    .description("run the recorder in the foreground, until it is told to end")
    .addOption(
      configOption(
        "configuration, see config/recorderd.example.yaml; SIGHUP reloads it, SIGUSR2 switches detailed logging on and off",
      ),
    )
    .option("--end-captures", "end captures together with the daemon, as a container must", false)
    .action((flags: RunFlags) => beRecorder(io, flags));
}

interface RunFlags {
  readonly config: string;
  readonly endCaptures: boolean;
}

/** Runs until the process is asked to end. @throws RecorderdError for a bad configuration, or a missing precondition */
export async function beRecorder(io: CliIo, { config: file, endCaptures: endsAll }: RunFlags): Promise<void> {
  const manager = serviceManager();
  const reload = new WakeSignal();
  using _hangUps = onHangUp(() => reload.signal());
  io.signal.addEventListener("abort", () => manager.notify({ state: "stopping" }), { once: true });
  const last = await runAcrossReloads({ file, io, heart: createHeart(manager, io.clock), reload });
  if (!endsAll) return;
  const log = createLog(last.log.level);
  log.info("captures have ended", { count: await endCaptures(last, { clock: io.clock, log }) });
}

interface RunParts {
  readonly file: string;
  readonly io: CliIo;
  readonly heart: Heart;
  /** Signalled on a request to reload the configuration. */
  readonly reload: WakeSignal;
}

/**
 * Runs the daemon again and again, each time with its current configuration, until asked to end. A new configuration takes
 * effect like a restart: running captures continue and are adopted. An unusable one falls back to the previous one.
 *
 * @returns the last configuration
 */
async function runAcrossReloads(parts: RunParts): Promise<Config> {
  let wanted = await loadConfig(parts.file);
  let proven: Config | undefined;
  const log = createLog(wanted.log.level);
  let isLoud = false;
  const setLevel = () => log.setLevel(isLoud ? "debug" : wanted.log.level);
  using _more = onDebugToggle(() => {
    isLoud = !isLoud;
    if (!isLoud) log.info("detailed logging is off: log.level applies again");
    setLevel();
    if (isLoud) log.info("detailed logging is on, until the next SIGUSR2");
  });
  // The data folder stays the same across reloads.
  const noteFile = starvationNote(wanted.data.folder);
  await using watch = await watchLoop({ noteFile, logPrefix: errorPrefix(), clock: parts.io.clock, log });
  for (;;) {
    setLevel();
    const opened = await open({ wanted, proven, log, watch }, parts);
    await using daemon = opened.daemon;
    log.info("recorderd runs", { config: parts.file });
    proven = opened.config;
    const next = await runUntilReload({ config: proven, daemon, log }, parts);
    if (next === undefined) return proven;
    wanted = next;
  }
}

async function open(
  {
    wanted,
    proven,
    log,
    watch,
  }: {
    readonly wanted: Config;
    readonly proven: Config | undefined;
    readonly log: Log;
    readonly watch: LoopWatch;
  },
  { io: { clock }, heart }: RunParts,
): Promise<{ readonly daemon: Daemon; readonly config: Config }> {
  const parts = ({ data }: Config) => ({
    clock,
    log,
    onPulse: () => heart.beat(),
    onWork: (work: Work) => watch.begin(workLine(work)),
    secretsFile: secretsPlace(data.folder),
  });
  try {
    return { daemon: await openDaemon(wanted, parts(wanted)), config: wanted };
  } catch (error) {
    if (proven === undefined || !(error instanceof RecorderdError)) throw error;
    refused(error, { log, heart });
    return { daemon: await openDaemon(proven, parts(proven)), config: proven };
  }
}

function refused(
  { code, message: text }: RecorderdError,
  { log, heart }: { readonly log: Log; readonly heart: Heart },
): void {
  log.error("the new configuration cannot be used: the previous one stays in force", { code, text });
  heart.notice(`new configuration refused (${code})`);
}

/** @returns the next configuration; absent when asked to end */
async function runUntilReload(
  { config, daemon, log }: { readonly config: Config; readonly daemon: Daemon; readonly log: Log },
  parts: RunParts,
): Promise<Config | undefined> {
  const { io, heart } = parts;
  const over = new AbortController();
  const end = () => over.abort(io.signal.reason);
  io.signal.addEventListener("abort", end, { once: true });
  if (io.signal.aborted) end();
  try {
    const [next] = await Promise.all([
      nextConfig({ config, daemon, log, signal: over.signal }, parts).finally(end),
      daemon.run(over.signal).finally(end),
      heart.run(() => statusLine(daemon.snapshot()), over.signal),
      releaseMemoryAfterStart(io.clock, over.signal),
    ]);
    if (next === undefined) log.info("recorderd ends; running captures continue");
    return next;
  } finally {
    io.signal.removeEventListener("abort", end);
  }
}

/** Waits for a configuration with a relevant change; `undefined` when the signal is aborted. */
async function nextConfig(
  {
    config,
    daemon,
    log,
    signal,
  }: {
    readonly config: Config;
    readonly daemon: Pick<Daemon, "syncNow">;
    readonly log: Log;
    readonly signal: AbortSignal;
  },
  { file, heart, reload }: RunParts,
): Promise<Config | undefined> {
  const over = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  for (;;) {
    await reload.wait(over);
    if (signal.aborted) return undefined;
    const next = await readAgain(config, { file, log, heart });
    if (next === undefined) {
      // Channel lists and servers may have changed anyway.
      daemon.syncNow();
      continue;
    }
    heart.reload();
    return next;
  }
}

/** @returns `undefined` if nothing relevant changed */
async function readAgain(
  config: Config,
  { file, log, heart }: { readonly file: string; readonly log: Log; readonly heart: Heart },
): Promise<Config | undefined> {
  try {
    const { config: next, changed, kept } = reloaded(config, await loadConfig(file));
    for (const change of kept) log.warn("this change needs a restart", { change: changeText(change) });
    for (const change of changed) log.info("this change takes effect now", { change: changeText(change) });
    if (changed.length === 0) log.info("no change of the configuration takes effect now", { config: file });
    const waiting = kept.map(({ key }) => key).join(", ");
    heart.notice(waiting === "" ? undefined : `changes that need a restart: ${waiting}`);
    return changed.length === 0 ? undefined : next;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    refused(error, { log, heart });
    return undefined;
  }
}
