import { Command } from "commander";
import { createLog, errorPrefix, type Log } from "../../kit/log.ts";
import { type LoopWatch, watchLoop } from "../../kit/machine/loop-watch.ts";
import { releaseMemoryAfterStart } from "../../kit/machine/memory.ts";
import { serviceManager } from "../../kit/machine/service-manager.ts";
import { onDebugToggle, onHangUp } from "../../kit/process/user-signals.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import { type Work, workLine } from "../../model/set-aside.ts";
import { SECOND } from "../../model/time.ts";
import { changeText, reloaded } from "../../recorder/config/difference.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import type { Config } from "../../recorder/config/schema.ts";
import { secretsPlace } from "../../recorder/config/secrets.ts";
import { type Daemon, openDaemon } from "../../recorder/daemon.ts";
import type { Fleet, Lead } from "../../recorder/fleet/fleet.ts";
import { openSignpost } from "../../recorder/fleet/signpost.ts";
import { statusLine } from "../../recorder/subsystems/power/core/status-line.ts";
import { createHeart, type Heart } from "../../recorder/subsystems/power/heart.ts";
import { starvationNote } from "../../recorder/subsystems/power/set-aside.ts";
import { endCaptures } from "../../recorder/wiring/captures.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";

export function runCommand(io: CliIo): Command {
  return new Command("run")
    .description("run the recorder in the foreground, until it is stopped")
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
  const heart = createHeart(manager, io.clock);
  const first = await loadConfig(file);
  const log = createLog(first.log.level);
  await using fleet = await fleetOf(first, { io, heart, log });
  const last = await runAcrossReloads(first, { file, io, heart, reload, log, fleet });
  if (!endsAll) return;
  log.info("captures have ended", { count: await endCaptures(last, { clock: io.clock, log }) });
  await fleet?.release();
}

/** Loads what a fleet needs only for a recorder that is in one. */
async function fleetOf(
  config: Config,
  { io: { clock }, heart, log }: Pick<RunParts, "io" | "heart" | "log">,
): Promise<Fleet | undefined> {
  if (config.fleet === undefined) return undefined;
  const { openFleetNode } = await import("./fleet-node.ts");
  return await openFleetNode(config, {
    clock,
    log,
    onPulse: () => heart.beat(),
    onStandBy: () => endOwnCaptures(config, { clock, log }),
  });
}

/** Another node has the recordings now. */
async function endOwnCaptures(
  config: Config,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  const count = await endCaptures(config, parts);
  if (count > 0) parts.log.warn("captures of this node have ended: another node leads the fleet", { count });
}

interface RunParts {
  readonly file: string;
  readonly io: CliIo;
  readonly heart: Heart;
  /** Signalled on a request to reload the configuration. */
  readonly reload: WakeSignal;
  readonly log: ReturnType<typeof createLog>;
  /** Absent: the recorder is on its own. */
  readonly fleet: Fleet | undefined;
}

/**
 * Runs the daemon again and again, each time with its current configuration, until asked to end. A new configuration takes
 * effect like a restart: running captures continue and are adopted. An unusable one falls back to the previous one.
 *
 * @returns the last configuration
 */
async function runAcrossReloads(first: Config, parts: RunParts): Promise<Config> {
  const { log } = parts;
  let wanted = first;
  let proven: Config | undefined;
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
    const lead = await leadOf(wanted, parts);
    if (lead === "ended") return wanted;
    const opened = await open({ wanted, proven, watch, lead }, parts).catch(unlessPassing(lead));
    if (opened === undefined) {
      await parts.io.clock.sleep(OPEN_AGAIN_MS, parts.io.signal).catch(() => {});
      continue;
    }
    await using daemon = opened.daemon;
    log.info("recorderd is running", { config: parts.file });
    proven = opened.config;
    const next = await runUntilReload({ config: proven, daemon, lead }, parts);
    if (next === undefined) return proven;
    if (next === "unwanted") continue;
    if (next !== "lost") wanted = next;
    else if (parts.fleet?.sharesCaptures !== true)
      await endOwnCaptures(proven, { clock: parts.io.clock, log });
  }
}

const OPEN_AGAIN_MS = SECOND;

/** While it opens, the database of a fleet may go away, or another node may take the lead. */
function unlessPassing(lead: Lead | undefined): (error: unknown) => undefined {
  return (error) => {
    const { code } = error instanceof RecorderdError ? error : {};
    const isPassing = code === "STORE_WRITE_FAILED" || (code === "STORE_LOCKED" && lead?.lost.aborted);
    if (lead === undefined || !isPassing) throw error;
  };
}

/** Waits until this recorder may run: at once, or as the leader of its fleet. */
async function leadOf(
  config: Config,
  { fleet, heart, io, log }: RunParts,
): Promise<Lead | "ended" | undefined> {
  if (fleet === undefined) return undefined;
  await using _signpost = await openSignpost(config, { look: () => fleet.signpost, clock: io.clock, log });
  const over = new AbortController();
  const showing = heart.run(() => "stands by for its fleet", over.signal);
  try {
    return (await fleet.lead(io.signal, config)) ?? "ended";
  } finally {
    over.abort();
    await showing;
  }
}

async function open(
  {
    wanted,
    proven,
    watch,
    lead,
  }: {
    readonly wanted: Config;
    readonly proven: Config | undefined;
    readonly watch: LoopWatch;
    readonly lead: Lead | undefined;
  },
  { io: { clock }, heart, log }: RunParts,
): Promise<{ readonly daemon: Daemon; readonly config: Config }> {
  const parts = ({ data }: Config) => ({
    clock,
    log,
    onPulse: () => heart.beat(),
    onWork: (work: Work) => watch.begin(workLine(work)),
    secretsFile: secretsPlace(data.folder),
    ...(lead === undefined ? {} : { state: lead.state }),
    ...(lead?.nodes === undefined ? {} : { nodes: lead.nodes }),
  });
  try {
    return { daemon: await openDaemon(wanted, parts(wanted)), config: wanted };
  } catch (error) {
    if (proven === undefined || proven === wanted || !(error instanceof RecorderdError)) throw error;
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

/** @returns the next configuration; absent when asked to end, `lost` when another node leads the fleet, `unwanted` when one should */
async function runUntilReload(
  {
    config,
    daemon,
    lead,
  }: { readonly config: Config; readonly daemon: Daemon; readonly lead: Lead | undefined },
  parts: RunParts,
): Promise<Config | "lost" | "unwanted" | undefined> {
  const { io, heart, log } = parts;
  const over = new AbortController();
  const end = () => over.abort(io.signal.reason);
  const ends = [io.signal, ...(lead === undefined ? [] : [lead.lost, lead.unwanted])];
  for (const signal of ends) {
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  }
  try {
    const [next] = await Promise.all([
      nextConfig({ config, daemon, signal: over.signal }, parts).finally(end),
      daemon.run(over.signal).finally(end),
      heart.run(() => statusLine(daemon.snapshot()), over.signal),
      releaseMemoryAfterStart(io.clock, over.signal),
    ]);
    if (lead?.lost.aborted) return "lost";
    if (lead?.unwanted.aborted && !io.signal.aborted) return "unwanted";
    if (next === undefined) log.info("recorderd is stopping; running captures continue");
    return next;
  } catch (error) {
    // A write that the term no longer allows.
    if (lead?.lost.aborted && error instanceof RecorderdError) return "lost";
    throw error;
  } finally {
    for (const signal of ends) signal.removeEventListener("abort", end);
  }
}

/** Waits for a configuration with a relevant change; `undefined` when the signal is aborted. */
async function nextConfig(
  {
    config,
    daemon,
    signal,
  }: {
    readonly config: Config;
    readonly daemon: Pick<Daemon, "syncNow">;
    readonly signal: AbortSignal;
  },
  { file, heart, reload, log }: RunParts,
): Promise<Config | undefined> {
  // The daemon may have been asked to end while it opened: the signal calls no listener that comes later.
  if (signal.aborted) return undefined;
  for (;;) {
    await reload.wait(signal);
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
    for (const change of kept)
      log.warn("this change takes effect after a restart", { change: changeText(change) });
    for (const change of changed) log.info("this change takes effect now", { change: changeText(change) });
    if (changed.length === 0) log.info("no change to the configuration takes effect now", { config: file });
    const waiting = kept.map(({ key }) => key).join(", ");
    heart.notice(waiting === "" ? undefined : `changes that need a restart: ${waiting}`);
    return changed.length === 0 ? undefined : next;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    refused(error, { log, heart });
    return undefined;
  }
}
