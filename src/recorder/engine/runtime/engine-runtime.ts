import { setMaxListeners } from "node:events";
import type { Log } from "../../../kit/log.ts";
import type { Chance, Clock } from "../../../kit/time/clock.ts";
import type { Schedule } from "../../../kit/time/cron.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { type AttemptNotes, partsOfAttemptId, runningAttempts } from "../../../model/attempt.ts";
import type { Backlog } from "../../../model/backlog.ts";
import { type KernelClock, offsetOfBroadcast } from "../../../model/clock-trust.ts";
import { oncePer } from "../../../model/once-per.ts";
import type { FleetFollower } from "../../../model/planned-capture.ts";
import type { Policy } from "../../../model/policy.ts";
import type { Capture, GuideAccount, Orders } from "../../../model/ports.ts";
import { isTerminal } from "../../../model/recording.ts";
import type { Channel } from "../../../model/service.ts";
import type { Space } from "../../../model/space.ts";
import type { Reader } from "../../../words/reader.ts";
import type { Planner } from "../../plan/planner.ts";
import { deliveryLoop } from "../../report/delivery.ts";
import type { AbsencePolicy } from "../../sync/core/absence.ts";
import type { SyncStatus } from "../../sync/poll.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { World } from "../core/draft.ts";
import { plannedCaptures } from "../core/planned-captures.ts";
import { quietUntil } from "../core/quiet.ts";
import { type ActParts, createActs } from "./acts.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { Closing } from "./closing-acts.ts";
import { Engine, type EngineParts } from "./engine.ts";
import { guideLoop } from "./guide-loop.ts";
import { kernelLoop } from "./kernel-loop.ts";
import { createLeaseActs, type LeaseDesk } from "./lease-desk.ts";
import { RUNTIME_LIMITS } from "./limits.ts";
import { type Loop, runTogether } from "./loops.ts";
import type { Subsystem } from "./subsystem.ts";
import { findOnNode, findSurvivors } from "./surviving-captures.ts";
import type { TunerPool } from "./tuner-pool.ts";
import { TunerReleases } from "./tuner-releases.ts";

export interface EngineRuntimeParts
  extends Pick<EngineParts, "store" | "ledger" | "makeRoom" | "onPulse" | "signOfLife" | "register"> {
  readonly account: GuideAccount;
  readonly orders: Orders;
  readonly pool: TunerPool;
  readonly capture: Capture;
  readonly closing: Closing;
  readonly segmentFile: (attempt: string) => string;
  readonly notes: AttemptNotes;
  readonly policy: Policy;
  readonly planner: Planner;
  /** The schedule of polls. */
  readonly schedule: Schedule;
  readonly absence: AbsencePolicy;
  /** The guide's channels with the services that are known now. */
  readonly channels: () => readonly Channel[];
  /** Loads the language of messages to the guide service. */
  readonly reader: () => Promise<Reader>;
  /** Reads the sign-in again. @returns whether it has changed */
  readonly refreshSignIn: () => Promise<boolean>;
  readonly watch: ClockWatch;
  /** Asks the machine whether NTP keeps its clock. */
  readonly askKernel: (signal: AbortSignal) => Promise<KernelClock>;
  /** The latest measurement of the disk. */
  readonly space?: () => Space | undefined;
  /** Attempts on drained nodes of the fleet. */
  readonly leaving?: () => ReadonlySet<string>;
  /** `syncStatus` or the engine's trouble has changed. */
  readonly onStatus?: () => void;
  readonly onTrouble?: EngineParts["onTrouble"];
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/**
 * The engine with its acts and main loops: polls, reports, tuners, the clock. It exists before it runs: earlier
 * questions wait in its inbox. It runs once.
 */
export class EngineRuntime implements AsyncDisposable {
  readonly engine: Engine;
  /** Grants tuners to viewers, probes and EPG gathering. */
  readonly desk: LeaseDesk;
  readonly #parts: EngineRuntimeParts;
  readonly #ended = new AbortController();
  readonly #poll = new WakeSignal();
  readonly #delivery = new WakeSignal();
  readonly #resume = new WakeSignal();
  readonly #kernelLook = new WakeSignal();
  #sync: SyncStatus = { failures: 0 };
  /** The service's latest answer in this run was good. */
  #isAnswering = false;
  #areChannelsAsked = false;
  /** At the last decision, other sources replaced the clock. */
  #wasReplaced = false;
  #subsystems: readonly Subsystem[] = [];
  #backlog: Backlog<DaemonDocument> | undefined;

  constructor(parts: EngineRuntimeParts) {
    this.#parts = parts;
    const { pool, clock } = parts;
    // Every capture listens to it; more listeners than these would be a leak.
    setMaxListeners(RUNTIME_LIMITS.signalListeners, this.#ended.signal);
    const post: ActParts["post"] = (occurrence) => this.engine.post(occurrence);
    const releases = new TunerReleases(clock);
    const leases = createLeaseActs(
      {
        driver: (id) => pool.here.get(id) ?? pool.drivers.get(id),
        post,
        ask: (question) => this.engine.ask(question),
        releases,
        clock,
      },
      this.#ended.signal,
    );
    this.desk = leases.desk;
    this.engine = this.#createEngine(
      createActs(
        {
          ...parts,
          drivers: pool.drivers,
          leases,
          releases,
          recording: (id) => parts.store.current.recordings[id],
          post,
          deliver: () => this.#delivery.signal(),
          onBroadcastTime: (utc) => this.#hearClock("broadcast", offsetOfBroadcast(utc, clock.now())),
          onBug: (error) => this.#ended.abort(error),
        },
        this.#ended.signal,
      ),
    );
  }

  #createEngine(act: EngineParts["act"]): Engine {
    const { store, onTrouble, onStatus, pool, ...rest } = this.#parts;
    return new Engine({
      ...rest,
      store: {
        get current() {
          return store.current;
        },
        get backlog() {
          return store.backlog;
        },
        commit: async (next) => {
          await store.commit(next);
          this.#committed();
        },
      },
      act,
      onTrouble: (trouble) => {
        onTrouble?.(trouble);
        onStatus?.();
      },
      world: () => this.#world(),
      isQuiet: () => this.#isQuiet(),
      tuners: () => pool.facts,
    });
  }

  /** Subsystems act on stored documents only. */
  #committed(): void {
    const { current, backlog } = this.#parts.store;
    if (backlog === undefined) for (const subsystem of this.#subsystems) subsystem.onCommit?.(current);
    else if (backlog !== this.#backlog) void backlog.over.then(() => this.#committed());
    this.#backlog = backlog;
  }

  #world(): World {
    const { watch, clock, pool, policy, planner, space: look, leaving } = this.#parts;
    const hasMoved = watch.hasMoved;
    const standing = watch.look();
    this.#wasReplaced = standing.othersAheadMs !== undefined;
    if (hasMoved) {
      this.#kernelLook.signal();
      // Polls for the service's Date, unless the service asked for a pause; the first poll of a run is under way
      // anyway.
      if (this.#isAnswering) this.#poll.signal();
    }
    const space = look?.();
    return {
      ...{ now: clock.now(), tuners: pool.facts, policy, clock: standing, plan: planner.plan },
      ...(leaving === undefined ? {} : { leaving: leaving() }),
      ...(space === undefined ? {} : { space }),
    };
  }

  #isQuiet(): boolean {
    const { store, pool, policy, watch, clock, space: look } = this.#parts;
    if (clock.now() >= quietUntil(store.current, { tuners: pool.facts, policy })) return false;
    if (watch.hasMoved || !watch.isTrusted) return false;
    const space = look?.();
    return space === undefined || (space.kind === "online" && space.freeBytes >= space.lowBytes);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get clockStatus(): ClockWatch["status"] {
    return this.#parts.watch.status;
  }

  /** The state of the polls. */
  get syncStatus(): SyncStatus {
    return this.#sync;
  }

  /** Polls the guide service at once, also for its channels. */
  syncNow(): void {
    this.#areChannelsAsked = true;
    this.#poll.signal();
  }

  /** Polls the guide service at once for its timers. */
  pollNow(): void {
    this.#poll.signal();
  }

  /** A new sign-in takes effect at once, for lists and for reports. */
  async refreshSignIn(): Promise<void> {
    if (!(await this.#parts.refreshSignIn())) return;
    this.#poll.signal();
    this.#resume.signal();
  }

  readonly requestReplan = (): Promise<void> => this.engine.postLatest({ kind: "instant" });

  /** Tuners or known services have changed: recordings that have not begun follow. */
  readonly servicesKnown = async (): Promise<void> => {
    const channels = this.#parts.channels();
    // Before the guide's first list there are no channels to match.
    if (channels.length > 0) await this.engine.postLatest({ kind: "channels-fetched", channels });
    await this.engine.post({ kind: "instant" });
  };

  /** For the connections to the other nodes of the fleet. @param onTuners their tuners have changed */
  follower(onTuners: () => void): FleetFollower {
    const { store, clock, log } = this.#parts;
    const planned = oncePer((document: DaemonDocument) => plannedCaptures(document, clock.now()));
    return {
      onTuners,
      planned: () => planned(store.current),
      knows: (id) => {
        const { recordingId, number } = partsOfAttemptId(id);
        return number <= (store.current.recordings[recordingId]?.attempts.length ?? Number.POSITIVE_INFINITY);
      },
      isReplaced: (id) => {
        const { recordingId, number } = partsOfAttemptId(id);
        const recording = store.current.recordings[recordingId];
        if (recording === undefined || isTerminal(recording.state) || recording.state === "closing")
          return true;
        return runningAttempts(recording).some(
          (each) => each.number > number && each.flowingAt !== undefined,
        );
      },
      isClosed: (id) => {
        const recording = store.current.recordings[partsOfAttemptId(id).recordingId];
        return recording !== undefined && isTerminal(recording.state);
      },
      claim: async (running) => {
        try {
          const question = await findOnNode(running, this.#parts);
          return question.found.length === 0 ? new Set() : await this.engine.ask(question);
        } catch (error) {
          // The answer waits for the database, and the captures are adopted already. If they are not, the next leader asks again.
          log.warn("what a node has recorded without its leader is not stored yet", { text: String(error) });
          return new Set(running);
        }
      },
    };
  }

  /** Wakes the engine if a new reading changes whether the clock is trusted, or whether others replace it. */
  async #weighClock(): Promise<void> {
    const { watch, store } = this.#parts;
    const wasTrusted = store.current.clock?.doubt === undefined;
    const isReplaced = watch.othersAheadMs !== undefined;
    if (watch.isTrusted !== wasTrusted || isReplaced !== this.#wasReplaced)
      await this.engine.post({ kind: "instant" });
  }

  #hearClock(...heard: Parameters<ClockWatch["noteOffset"]>): Promise<void> {
    this.#parts.watch.noteOffset(...heard);
    return this.#weighClock();
  }

  #hearStatus(status: SyncStatus): void {
    const wasFailing = this.#sync.failure !== undefined;
    if (wasFailing && status.failure === undefined) this.#resume.signal();
    this.#isAnswering = status.failure === undefined;
    this.#sync = status;
    this.#parts.onStatus?.();
  }

  #takeChannelsAsked(): boolean {
    const were = this.#areChannelsAsked;
    this.#areChannelsAsked = false;
    return were;
  }

  /**
   * One run of the daemon, from taking over the earlier run's captures until the signal is aborted.
   *
   * @param subsystems run after the takeover, and end with it
   */
  async run(signal: AbortSignal, subsystems: readonly Subsystem[]): Promise<void> {
    this.#subsystems = subsystems;
    const end = () => this.#ended.abort(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      const { watch, askKernel } = this.#parts;
      const [started] = await Promise.all([
        findSurvivors({ ...this.#parts, aliveAt: this.#parts.signOfLife.before }),
        askKernel(signal).then((kernel) => watch.noteKernelState(kernel)),
      ]);
      const loops: readonly Loop[] = [
        (ending) => this.engine.run(started, ending),
        ...this.#loops(),
        ...subsystems.flatMap((subsystem) => subsystem.run?.bind(subsystem) ?? []),
      ];
      await runTogether({ failed: this.#ended, asked: signal }, loops);
    } finally {
      signal.removeEventListener("abort", end);
      this.engine.end();
    }
    const { aborted, reason } = this.#ended.signal;
    if (aborted && reason !== signal.reason) throw reason;
  }

  /** Also ends a runtime that never ran. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.engine.end();
  }

  #loops(): readonly Loop[] {
    const parts = this.#parts;
    const { account, store, pool, watch, askKernel, reader, clock, chance, log } = parts;
    return [
      (ending) =>
        guideLoop(
          {
            ...parts,
            engine: this.engine,
            isQuiet: () => this.#isQuiet(),
            wakeSignal: this.#poll,
            before: () => this.refreshSignIn(),
            onServerTime: (offset) => this.#hearClock("guide", offset),
            takeChannelsAsked: () => this.#takeChannelsAsked(),
            onStatus: (status) => this.#hearStatus(status),
          },
          ending,
        ),
      (ending) =>
        deliveryLoop(
          {
            account,
            waiting: () => store.backlog?.stored ?? store.current,
            reader,
            onOutcome: (delivery) => this.engine.post({ kind: "delivery", ...delivery }),
            clock,
            chance,
            wakeSignal: this.#delivery,
            resume: this.#resume,
          },
          ending,
        ),
      (ending) => pool.run({ clock, log, onMore: this.servicesKnown }, ending),
      (ending) =>
        kernelLoop(
          { watch, askKernel, clock, wakeSignal: this.#kernelLook, onSaid: () => this.#weighClock() },
          ending,
        ),
    ];
  }
}
