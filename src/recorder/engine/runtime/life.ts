import { setMaxListeners } from "node:events";
import type { Log } from "../../../kit/log.ts";
import type { Chance, Clock } from "../../../kit/time/clock.ts";
import type { Schedule } from "../../../kit/time/cron.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { attemptId, runningAttempts } from "../../../model/attempt.ts";
import { type KernelClock, offsetOfBroadcast } from "../../../model/clock-trust.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Policy } from "../../../model/policy.ts";
import type { Capture, GuideAccount, Orders } from "../../../model/ports.ts";
import { isBefore, type RecordingId } from "../../../model/recording.ts";
import type { Repeat } from "../../../model/repeat.ts";
import { type Channel, type Triplet, tripletKey } from "../../../model/service.ts";
import type { Space } from "../../../model/space.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { OverrideChange } from "../../../model/timer-override.ts";
import { canReceive, type TunerFacts } from "../../../model/tuner.ts";
import type { Planner } from "../../plan/planner.ts";
import { deliveryLoop } from "../../report/delivery.ts";
import type { AbsencePolicy } from "../../sync/core/absence.ts";
import { pollLoop, type SyncStatus } from "../../sync/poll.ts";
import { concernsOf } from "../core/concerns.ts";
import type { DaemonDocument } from "../core/document.ts";
import { createActs } from "./acts.ts";
import { airingWants } from "./airing-wants.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { Closing } from "./closing-acts.ts";
import { Engine, type EngineParts } from "./engine.ts";
import type { Fleet } from "./fleet.ts";
import { createLeaseActs, type LeaseDesk } from "./lease-desk.ts";
import { programmeWants } from "./programme-wants.ts";

/** What the daemon's life lends to what runs beside it. */
export interface Beside {
  /** Has the plan looked at anew. */
  readonly stir: () => Promise<void>;
  /** @returns the document that holds it, once it is on disk */
  readonly wish: (recordingId: RecordingId, change: OverrideChange) => Promise<DaemonDocument>;
  /** As `wish`; the service is asked after that. */
  readonly repeat: (recordingId: RecordingId, repeat: Repeat) => Promise<DaemonDocument>;
  /** Somebody deleted what was recorded. */
  readonly deleted: (recordingId: RecordingId) => Promise<void>;
  readonly desk: LeaseDesk;
  /** More is known of services: recordings that have not begun follow. */
  readonly servicesKnown: () => Promise<void>;
}

export interface LifeParts
  extends Pick<EngineParts, "store" | "ledger" | "onTrouble" | "makeRoom" | "onPulse" | "register"> {
  readonly account: GuideAccount;
  readonly orders: Orders;
  readonly fleet: Fleet;
  readonly capture: Capture;
  readonly closing: Closing;
  readonly segmentFile: (attempt: string) => string;
  readonly policy: Policy;
  readonly planner: Planner;
  readonly schedule: Schedule;
  /** The service is polled at once when this is nudged. */
  readonly poll: WakeSignal;
  /** Whether somebody asked for the guide's channels since this was called last. */
  readonly takeChannelsAsked: () => boolean;
  /** The guide's channels with the services that are known now. */
  readonly channels: () => readonly Channel[];
  /** Done before each poll. */
  readonly beforePoll: () => Promise<void>;
  /** Reports that were put off are tried at once when this is nudged. */
  readonly resume: WakeSignal;
  readonly absence: AbsencePolicy;
  readonly onStatus: (status: SyncStatus) => void;
  readonly watch: ClockWatch;
  /** Asks the machine whether NTP keeps its clock. */
  readonly askKernel: (signal: AbortSignal) => Promise<KernelClock>;
  /** The disk, as last looked at. */
  readonly space?: () => Space | undefined;
  /** The last life lasted at least until then. */
  readonly aliveAt?: EpochMs | undefined;
  /** What runs beside the loops, ends with them, and decides nothing. */
  readonly beside: (life: Beside, signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/**
 * One life of the daemon, from taking over what outlived the last one until the signal is aborted: engine, poll and
 * delivery over whatever adapters it is given, real ones or simulated ones.
 */
export async function live(parts: LifeParts, outer: AbortSignal): Promise<void> {
  const {
    store,
    ledger,
    account,
    fleet,
    capture,
    closing,
    segmentFile,
    policy,
    onTrouble,
    watch,
    askKernel,
    clock,
    chance,
    log,
  } = parts;
  const bug = new AbortController();
  const signal = AbortSignal.any([outer, bug.signal]);
  // Every capture waits with it; more than these would be a leak.
  setMaxListeners(LIMITS.signalListeners, signal);
  const delivery = new WakeSignal();
  const leases = createLeaseActs(
    { driver: (id) => fleet.drivers.get(id), post: (occurrence) => engine.post(occurrence), clock },
    signal,
  );
  const act = createActs(
    {
      drivers: fleet.drivers,
      leases,
      capture,
      closing,
      orders: parts.orders,
      segmentFile,
      recording: (id) => store.current.recordings[id],
      post: (occurrence) => engine.post(occurrence),
      deliver: () => delivery.signal(),
      clock,
      log,
      onBroadcastTime: (utc) => {
        watch.heard("broadcast", offsetOfBroadcast(utc, clock.now()));
        void weighClock();
      },
      onBug: (error) => bug.abort(error),
    },
    signal,
  );
  const kernelLook = new WakeSignal();
  let wasFailing = false;
  /** Its latest answer in this life was good. */
  let isAnswering = false;
  const world = () => {
    const hasMoved = watch.hasMoved;
    const standing = watch.look();
    if (hasMoved) {
      kernelLook.signal();
      // Its Date is wanted, but a service that asked to be left alone is; the first poll of a life is under way anyway.
      if (isAnswering) parts.poll.signal();
    }
    const space = parts.space?.();
    const seen = { now: clock.now(), tuners: fleet.facts, policy, clock: standing, plan: parts.planner.plan };
    return space === undefined ? seen : { ...seen, space };
  };
  const engine: Engine = new Engine({
    store,
    ledger,
    act,
    onTrouble,
    ...(parts.makeRoom === undefined ? {} : { makeRoom: parts.makeRoom }),
    ...(parts.onPulse === undefined ? {} : { onPulse: parts.onPulse }),
    ...(parts.register === undefined ? {} : { register: parts.register }),
    world,
    tuners: () => fleet.facts,
    watch,
    clock,
    log,
  });
  /** Something was heard of the clock: when that changes whether it is trusted, there is something to decide. */
  const weighClock = async () => {
    const wasTrusted = store.current.clock?.doubt === undefined;
    if (watch.isTrusted !== wasTrusted) await engine.post({ kind: "instant" });
  };
  /** Called when tuners or known services have changed. Until the guide has told its channels there are none to match. */
  const servicesKnown = async () => {
    const channels = parts.channels();
    if (channels.length > 0) await engine.postLatest({ kind: "channels-fetched", channels });
    await engine.post({ kind: "instant" });
  };
  const [running] = await Promise.all([
    capture.running(),
    askKernel(outer).then((kernel) => watch.kernelSays(kernel)),
  ]);
  const unbegun = await neverBegun(store.current, { running, capture, segmentFile });
  await engine.post({ kind: "started", running, unbegun, aliveAt: parts.aliveAt });
  await allOrNone({ failed: bug, asked: outer }, [
    engine.run(signal),
    pollLoop(
      {
        account,
        schedule: parts.schedule,
        clock,
        log,
        nudge: parts.poll,
        before: parts.beforePoll,
        onServerTime: (offset) => {
          watch.heard("guide", offset);
          return weighClock();
        },
        onTimers: (list, absent) => engine.postLatest({ kind: "timers-fetched", list, absent }),
        held: () => store.current.timers,
        absence: parts.absence,
        chance,
        wants: () => programmeWants(store.current, { now: clock.now(), policy }),
        onProgrammes: async (programmes) => {
          if (Object.keys(programmes).length > 0)
            await engine.post({ kind: "programmes-fetched", programmes });
        },
        airingWants: () => airingWants(store.current, { now: clock.now(), tuners: fleet.facts, policy }),
        onAirings: (found) => engine.post({ kind: "airings-fetched", ...found }),
        onChannels: (channels) => engine.postLatest({ kind: "channels-fetched", channels }),
        knowsNoChannels: () => Object.keys(store.current.channels).length === 0,
        channelsMissed: () => channelsMissed(store.current, fleet.facts),
        takeChannelsAsked: parts.takeChannelsAsked,
        onStatus: (status) => {
          if (wasFailing && status.failure === undefined) parts.resume.signal();
          wasFailing = status.failure !== undefined;
          isAnswering = !wasFailing;
          parts.onStatus(status);
        },
      },
      signal,
    ),
    deliveryLoop(
      {
        account,
        waiting: () => store.current,
        onOutcome: (seq, outcome) => engine.post({ kind: "delivery", seq, outcome }),
        clock,
        chance,
        nudge: delivery,
        resume: parts.resume,
      },
      signal,
    ),
    fleet.run({ clock, log, onMore: servicesKnown }, signal),
    kernelLoop({ watch, askKernel, clock, nudge: kernelLook, onSaid: weighClock }, signal),
    parts.beside(
      {
        stir: () => engine.postLatest({ kind: "instant" }),
        wish: (recordingId, change) => engine.ask({ kind: "wish-changed", recordingId, change }),
        repeat: (recordingId, repeat) => engine.ask({ kind: "repeat-asked", recordingId, repeat }),
        deleted: (recordingId) => engine.post({ kind: "deleted", recordingId }),
        desk: leases.desk,
        servicesKnown,
      },
      signal,
    ),
  ]);
  if (bug.signal.aborted) throw bug.signal.reason;
}

/** Attempts that the last life ordered and did not carry out. An attempt whose stream flowed had begun, wherever its file is. */
async function neverBegun(
  { recordings }: DaemonDocument,
  { running, capture, segmentFile }: Pick<LifeParts, "capture" | "segmentFile"> & Running,
): Promise<ReadonlySet<string>> {
  const { begun } = concernsOf(recordings);
  const ids = begun.flatMap((recording) =>
    runningAttempts(recording)
      .filter(({ flowingAt }) => flowingAt === undefined)
      .map(({ number }) => attemptId(recording.id, number)),
  );
  const unbegun = new Set<string>();
  for (const id of ids) {
    if (!running.has(id) && !(await capture.hasBegun({ id, file: segmentFile(id) }))) unbegun.add(id);
  }
  return unbegun;
}

interface Running {
  readonly running: ReadonlySet<string>;
}

interface KernelParts extends Pick<LifeParts, "watch" | "askKernel" | "clock"> {
  /** The kernel is asked at once when this is nudged. */
  readonly nudge: WakeSignal;
  readonly onSaid: () => Promise<void>;
}

/** Asks the kernel from time to time, more often while the clock is not trusted. */
async function kernelLoop(
  { watch, askKernel, clock, nudge, onSaid }: KernelParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ms = watch.isTrusted ? LIMITS.kernelClockLookMs : LIMITS.kernelClockDoubtMs;
    await nudge.waitFor(ms, { clock, signal });
    if (signal.aborted) return;
    watch.kernelSays(await askKernel(signal));
    if (!signal.aborted) await onSaid();
  }
}

/** Waits for all loops to end; the first that fails ends the others. What ends because it was asked to has not failed. */
async function allOrNone(
  { failed, asked }: { readonly failed: AbortController; readonly asked: AbortSignal },
  loops: readonly Promise<void>[],
): Promise<void> {
  const fail = (error: unknown) => {
    if (!asked.aborted || error !== asked.reason) failed.abort(error);
  };
  await Promise.all(loops.map((loop) => loop.catch(fail)));
}

/** Channels of timers that lie ahead which nobody knows how to receive. */
function channelsMissed(
  { timers, channels, recordings }: DaemonDocument,
  tuners: readonly TunerFacts[],
): ReadonlySet<string> {
  const unknown = Object.values(timers).flatMap(({ channelId }) =>
    channels[channelId] === undefined ? [channelId] : [],
  );
  const isServed = (service: Triplet | undefined) =>
    service !== undefined && tuners.some((tuner) => canReceive(tuner, tripletKey(service)));
  const unserved = Object.values(recordings)
    .filter((recording) => isBefore(recording) && !isServed(recording.service))
    .map(({ channelId }) => channelId);
  return new Set([...unknown, ...unserved]);
}
