import { join } from "node:path";
import { rememberingLog } from "../kit/log.ts";
import type { DaemonApi } from "./api/daemon-api.ts";
import type { Config } from "./config/schema.ts";
import { openEngine } from "./engine/open.ts";
import type { EngineRuntime } from "./engine/runtime/engine-runtime.ts";
import type { Subsystem } from "./engine/runtime/subsystem.ts";
import { RECORDER_LIMITS } from "./limits.ts";
import { createReserve } from "./store/reserve.ts";
import { factsAbout } from "./store/timer-facts.ts";
import { watchSignIn } from "./subsystems/booking/sign-in.ts";
import { filesOf } from "./subsystems/library/removal.ts";
import { createProbe } from "./subsystems/probe/probe.ts";
import { openTraces } from "./subsystems/traces/open.ts";
import { PLANNING_THREAD } from "./threads/place.ts";
import { createPlanning } from "./threads/planning.ts";
import { openAccess } from "./wiring/access.ts";
import type { DaemonBase, DaemonParts } from "./wiring/base.ts";
import { openBooking } from "./wiring/booking.ts";
import { Opened } from "./wiring/opened.ts";
import { openPeople } from "./wiring/people.ts";
import { policyOf } from "./wiring/settings.ts";
import { idleOf } from "./wiring/tuner-access.ts";
import { openWatches } from "./wiring/watches.ts";

/** The daemon, ready to run. Disposing it leaves running captures to its next run. */
export interface Daemon extends AsyncDisposable, DaemonApi {
  /** Records until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** The port of the dashboard and the API; absent without a web listener. */
  readonly webPort: number | undefined;
  /** The HTTP port of the HDHomeRun emulation; absent while it does not listen. */
  readonly hdhomerunPort: number | undefined;
}

/**
 * Builds a daemon from a configuration, by hand: guide → sync → plan → tune → capture → inspect → report.
 *
 * @throws RecorderdError STORE_LOCKED, STORE_DAMAGED, STORE_TOO_NEW, CONFIG_INVALID, FILE_UNREADABLE or
 * ADDRESS_IN_USE
 */
export async function openDaemon(config: Config, parts: DaemonParts): Promise<Daemon> {
  const opened = new Opened();
  try {
    return await open(config, parts, opened);
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

async function open(config: Config, parts: DaemonParts, opened: Opened): Promise<Daemon> {
  const { clock } = parts;
  const { log, lines: logLines } = rememberingLog(parts.log, { clock, linesMax: RECORDER_LIMITS.logLines });
  const { disposeLater, signal: closed } = opened;
  const { folder } = config.data;
  const base: DaemonBase = { config, folder, startedAt: clock.now(), disposeLater, closed, clock, log };
  const main = await openMainRoad(base, { ...parts, onChange: () => people.onChange() });
  const { access, runtime } = main;
  const watches = openWatches(base, access);
  const probe = createProbe(config, { clock, log, limits: parts.captureLimits });
  const people = await openPeople(base, {
    ...main,
    watches,
    probe,
    logLines,
    liveLimits: parts.liveLimits,
    pushService: parts.pushService,
    nodes: parts.nodes,
  });
  const { gathering } = access.captures;
  const subsystems: readonly Subsystem[] = [
    ...people.subsystems,
    ...watches.all,
    ...main.subsystems,
    gathering.subsystem(idleOf({ ...access.tuners, store: access.storage.store, runtime, log })),
    watchSignIn({ refresh: () => runtime.refreshSignIn(), clock }),
  ];
  return {
    ...people.api,
    run: (signal) => runtime.run(signal, subsystems),
    get webPort() {
      return people.web?.port;
    },
    get hdhomerunPort() {
      return people.hdhomerun?.port;
    },
    async [Symbol.asyncDispose]() {
      // First: a waiting caller would keep a listener open.
      await runtime[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Opens the path from the guide to the reports: the engine with everything that it acts on. */
async function openMainRoad(base: DaemonBase, parts: DaemonParts & { readonly onChange: () => void }) {
  const { config, folder, clock, log } = base;
  const { onChange, onPulse } = parts;
  const requestReplan = () => runtime.requestReplan();
  const access = await openAccess(base, parts, requestReplan);
  const { http, storage } = access;
  const policy = policyOf(config);
  const planning = createPlanning({ threadFile: PLANNING_THREAD, clock, log });
  const history = (timerId: string) => factsAbout(storage.state.readLedger, timerId);
  const traces = openTraces(config, { history, http, clock, log });
  const reserve = createReserve({ file: join(folder, "reserve"), clock, log, onChange });
  const { guide, orders, keeper } = openBooking(base, {
    ...access,
    planning,
    policy,
    isListed: () => runtime.syncStatus.lastGoodAt !== undefined,
    onOrdered: () => runtime.pollNow(),
    takeOver: () => runtime.refreshSignIn(),
  });
  const runtime: EngineRuntime = openEngine(base, {
    ...access,
    ledger: traces.observing(storage.ledger),
    orders,
    policy,
    planner: planning.planner,
    makeRoom: reserve.release,
    onStatus: onChange,
    onPulse,
    ...(parts.nodes === undefined ? {} : { leaving: parts.nodes.leaving }),
  });
  const follower = runtime.follower(() => {
    access.tuners.pool.rearrange();
    // A daemon that ends plans nothing any more.
    runtime.servicesKnown().catch(() => {});
  });
  const { library, captures } = access;
  const finished = () => library.entries().flatMap(filesOf);
  parts.nodes?.follow({ ...follower, library: { finished, takeIn: captures.shelf.takeIn } });
  const subsystems: readonly Subsystem[] = [
    reserve,
    access.library,
    keeper,
    traces,
    { name: "planning", run: (signal) => planning.run(signal, requestReplan) },
  ];
  return { access, runtime, planning, policy, reserve, guide, subsystems };
}
