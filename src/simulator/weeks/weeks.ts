import { promiseJobsDone } from "../../kit/time/promises.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { Policy } from "../../model/policy.ts";
import type { Recording } from "../../model/recording.ts";
import type { Triplet } from "../../model/service.ts";
import { DAY, type EpochMs, HOUR } from "../../model/time.ts";
import { coveredMs, lengthMs } from "../../model/window.ts";
import { iso } from "../iso.ts";
import { createVirtualClock, type VirtualClock } from "../virtual-clock.ts";
import { Air } from "./air.ts";
import { Captures } from "./captures.ts";
import { type ChanceNow, chanceOf } from "./chance.ts";
import type { FaultPlan } from "./fault-plan.ts";
import { faultSteps } from "./faults.ts";
import { Guide } from "./guide.ts";
import { householdSteps } from "./household.ts";
import type { Violation } from "./invariant.ts";
import { Invariants } from "./invariants.ts";
import { Lives } from "./lives.ts";
import { Machine } from "./machine.ts";
import { Receivers } from "./receivers.ts";
import type { Fault, FaultStep, Script, Step } from "./script.ts";
import { CHANNELS, POLICY, plainSetting, settingOf } from "./setting.ts";
import { SimulatedFiles } from "./simulated-files.ts";
import type { TrueTimer } from "./true-timer.ts";
import type { Truth } from "./truth.ts";

export interface WeeksOptions {
  readonly days: number;
  readonly seed: number;
  readonly faults: readonly Fault[];
  /** A written plan of additional steps. */
  readonly plan?: FaultPlan;
  /** The recorder's policy for repeats; `offer` when absent. */
  readonly repeats?: Policy["repeats"];
  /** If present, idle tuners gather EPG data; called for each service gathered. */
  readonly onListened?: (service: Triplet) => void;
}

export interface TimerOutcome {
  readonly timerId: string;
  readonly name: string;
  readonly channel: number;
  /** ISO 8601, UTC. */
  readonly start: string;
  readonly stop: string;
  readonly outcome: Recording["state"] | "unknown to the recorder";
  readonly attempts: number;
  /** Share of the event on disk, truncated to four digits. */
  readonly coverage: number;
  /** The reports to the service, in order. */
  readonly told: readonly string[];
  readonly message: string;
}

export interface WeeksResult {
  readonly seed: number;
  readonly days: number;
  readonly faults: readonly Fault[];
  /** The written plan's name, as given. */
  readonly plan?: string;
  readonly repeats?: Policy["repeats"];
  readonly steps: number;
  readonly lives: number;
  readonly timers: readonly TimerOutcome[];
  readonly violation?: Violation;
  /** The ledger's facts about the timer of a violation; empty without one. */
  readonly ledger: readonly LedgerFact[];
}

/** A Monday. */
export const START = Date.UTC(2026, 10, 2);
/** Longer than any back-off and any Retry-After. */
const QUIET_MS = 2 * HOUR;

function scriptOf({ days, seed, faults, plan }: WeeksOptions): Script {
  const end = START + days * DAY;
  const household = plan?.household === false ? [] : householdSteps(seed, { start: START, days });
  const byChance = faultSteps(seed, { start: START, days, kinds: faults });
  const trouble = [...byChance, ...(plan?.steps ?? [])].map((step) => healedBefore(step, end));
  const steps = [...household, ...trouble].filter(({ at }) => at < end).sort((a, b) => a.at - b.at);
  return { start: START, end, steps };
}

function healedBefore({ at, action }: Step, end: EpochMs): Step {
  if (action.kind === "late-ntp") {
    return {
      at,
      action: { ...action, offMs: Math.min(action.offMs, end - at), until: Math.min(action.until, end) },
    };
  }
  if ("until" in action) return { at, action: { ...action, until: Math.min(action.until, end) } };
  return {
    at,
    action: action.kind === "crash" ? { ...action, offMs: Math.min(action.offMs, end - at) } : action,
  };
}

/** Runs the first `count` steps of a seed's script, and then to the end. */
export async function simulateWeeks(
  options: WeeksOptions,
  count = Number.POSITIVE_INFINITY,
): Promise<WeeksResult> {
  const script = scriptOf(options);
  const steps = script.steps.slice(0, count);
  const world = openWeeks(options, script.start);
  const { clock, invariants, truth } = world;
  const isSound = () => invariants.violation === undefined;
  world.start();
  for (const { at, action } of steps) {
    if (!isSound()) break;
    await world.advanceTo(Math.max(at, clock.now()));
    world.carryOut(action);
  }
  if (isSound()) await world.advanceTo(Math.max(script.end, clock.now()));
  world.calm();
  const last = () =>
    Math.max(script.end, ...[...truth.guide.timersById.values()].map(({ event }) => event.stop)) + QUIET_MS;
  // Repeat bookings come even later.
  while (isSound() && clock.now() < last()) await world.advanceTo(last());
  if (isSound()) invariants.final();
  world.end();
  await clock.advance(0);
  const { violation } = invariants;
  return {
    seed: options.seed,
    days: options.days,
    faults: options.faults,
    ...(options.plan === undefined ? {} : { plan: options.plan.file }),
    ...(options.repeats === undefined ? {} : { repeats: options.repeats }),
    steps: steps.length,
    lives: truth.downtimes.length + 1,
    timers: [...truth.guide.timersById.values()].map((timer) => outcomeOf(timer, truth)),
    ...(violation === undefined ? {} : { violation }),
    ledger: truth.ledger.filter(({ timerId }) => timerId !== undefined && timerId === violation?.timerId),
  };
}

interface OpenWeeks {
  readonly clock: VirtualClock;
  readonly invariants: Invariants;
  readonly truth: Truth;
  start(): void;
  carryOut(action: FaultStep): void;
  advanceTo(at: EpochMs): Promise<void>;
  /** Cancels all coming faults. */
  calm(): void;
  end(): void;
}

function openWeeks({ seed, plan, repeats = "offer", onListened }: WeeksOptions, startAt: EpochMs): OpenWeeks {
  const clock = createVirtualClock(startAt, promiseJobsDone);
  const chance: ChanceNow = (purpose) => chanceOf(seed, `${purpose} ${clock.now()}`);
  const setting = plan?.tuners === undefined ? settingOf(seed) : plainSetting(plan.tuners);
  const { tuners, isCopied, refusedStates, listsForgottenTwice, hasNtp } = setting;
  const over = new AbortController();
  const { signal } = over;
  const invariants: Invariants = new Invariants(() => truth);
  const guide = new Guide({
    clock,
    chance,
    channels: CHANNELS,
    refusedStates,
    listsForgottenTwice,
    watch: invariants,
  });
  const receivers = new Receivers({ tuners, clock, chance, watch: invariants });
  const air = new Air({ clock, timers: () => guide.timersById.values() });
  const captures = new Captures({ receivers, isCopied, air, clock, chance, watch: invariants, signal });
  const machine = new Machine({ clock, hasNtp, signal });
  const shelf = new SimulatedFiles({ captures, clock, machine, chance });
  const lives = new Lives({
    clock,
    machine,
    chance,
    account: guide,
    orders: guide.orders,
    policy: { ...POLICY, repeats },
    ...(onListened === undefined ? {} : { onListened }),
    drivers: (life) => receivers.drivers(life),
    capture: captures.port(),
    shelf,
    signal,
    onCommit: (before, after) => invariants.committed(before, after),
    onCrash: (life, power) => {
      if (power) captures.powerOff();
      if (power) machine.powerOff();
      receivers.abandon(life);
      guide.unserve(lives.document);
    },
    onBug: (error) => {
      invariants.broken(
        "R-44 no failure ends the daemon",
        error instanceof Error ? `${error.stack}` : String(error),
      );
    },
  });
  const { downtimes, ledger } = lives;
  const document = () => lives.document;
  const truth: Truth = {
    clock,
    guide,
    tuners,
    receivers,
    captures,
    air,
    shelf,
    machine,
    downtimes,
    document,
    aliveAt: () => lives.aliveAt,
    ledger,
  };

  async function advanceTo(at: EpochMs): Promise<void> {
    while (clock.now() < at && invariants.violation === undefined) {
      const hour = (Math.floor(clock.now() / HOUR) + 1) * HOUR;
      await clock.advanceTo(Math.min(hour, at));
      if (clock.now() === hour) invariants.hourly();
    }
  }

  /** Without NTP status, only a clock that is far behind shows that it was not kept. */
  function bootLate({ offMs, savedMs, until }: Extract<FaultStep, { readonly kind: "late-ntp" }>): void {
    if (machine.isWrong || machine.isAsleep) return;
    const went = clock.now();
    if (!lives.crash({ kind: "crash", calls: 0, when: "before", offMs, power: true })) return;
    const bootAt = went + offMs;
    const byMs = savedMs === "never" || !hasNtp ? -bootAt : -(offMs + savedMs);
    machine.setClock({ byMs, until: Math.max(until, bootAt + 1) });
  }

  return {
    clock,
    invariants,
    truth,
    start: () => lives.start(),
    advanceTo,
    calm: () => lives.disarm(),
    end: () => over.abort(),
    carryOut: (action) => {
      switch (action.kind) {
        case "book":
          return guide.book(action.booking);
        case "reschedule":
          return guide.reschedule(action.timerId, action.event);
        case "forget":
          return guide.forget(action.timerId);
        case "gone":
        case "rekey":
          return guide.lose(action);
        case "outage":
        case "slow":
        case "distort":
        case "guide-date":
          return guide.misbehave(action);
        case "tuner-trouble":
        case "no-data":
          return receivers.trouble(action);
        case "overrun":
          air.runOn(action);
          return captures.listen();
        case "capture-trouble":
        case "disk-full":
        case "storage-offline":
          return captures.trouble(action);
        case "host-death":
          return captures.hostDies();
        case "crash":
          lives.crash(action);
          return;
        case "clock-step":
          return machine.setClock(action);
        case "late-ntp":
          return bootLate(action);
        case "suspend":
          if (machine.isAsleep) return;
          captures.sleepUntil(action.until);
          return machine.sleepUntil(action.until);
      }
    },
  };
}

function outcomeOf({ booking, event, reports }: TrueTimer, { document, captures }: Truth): TimerOutcome {
  const { timerId, name, channel } = booking;
  const recording = Object.values(document().recordings).findLast((each) => each.timerId === timerId);
  const spans = recording === undefined ? [] : captures.spansOf(recording.id);
  const states = reports.flatMap(({ state }) => (state === undefined ? [] : [state]));
  return {
    timerId,
    name,
    channel,
    start: iso(event.start),
    stop: iso(event.stop),
    outcome: recording?.state ?? "unknown to the recorder",
    attempts: recording?.attempts.length ?? 0,
    coverage: Math.floor((10_000 * coveredMs(event, spans)) / Math.max(1, lengthMs(event))) / 10_000,
    told: states.filter((state, index) => state !== states[index - 1]),
    message: reports.at(-1)?.message ?? "",
  };
}
