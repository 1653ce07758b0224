import type { Clock } from "../../kit/time/clock.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { Policy } from "../../model/policy.ts";
import type { Capture, GuideAccount, Orders, TunerDriver } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import type { EpochMs } from "../../model/time.ts";
import { type DaemonDocument, emptyDocument } from "../../recorder/engine/core/document.ts";
import { ClockWatch, withLaterTrust } from "../../recorder/engine/runtime/clock-watch.ts";
import { DOCUMENT_FORMAT } from "../../recorder/engine/runtime/document-format.ts";
import { EngineRuntime, type EngineRuntimeParts } from "../../recorder/engine/runtime/engine-runtime.ts";
import type { Subsystem } from "../../recorder/engine/runtime/subsystem.ts";
import { TunerPool } from "../../recorder/engine/runtime/tuner-pool.ts";
import { createPlanner } from "../../recorder/plan/planner.ts";
import type { ChanceNow } from "./chance.ts";
import { outerParts, SAME_PARTS } from "./engine-parts.ts";
import { type GatheringParts, idleTunerTour } from "./gathering.ts";
import type { Downtime, Machine } from "./machine.ts";
import type { FaultStep } from "./script.ts";
import { CLOCK_TOLERANCE_MS, POLICY } from "./setting.ts";
import type { SimulatedFiles } from "./simulated-files.ts";

interface LivesParts {
  readonly clock: Clock;
  readonly machine: Machine;
  readonly chance: ChanceNow;
  readonly account: GuideAccount;
  readonly orders: Orders;
  /** The default policy of all weeks when absent. */
  readonly policy?: Policy;
  readonly drivers: (life: number) => readonly TunerDriver[];
  readonly capture: Capture;
  readonly shelf: SimulatedFiles;
  /** Called for each service whose EPG an idle tuner gathered. */
  readonly onListened?: (service: Triplet) => void;
  readonly onCommit: (before: DaemonDocument, after: DaemonDocument) => void;
  readonly onCrash: (life: number, power: boolean) => void;
  readonly onBug: (error: unknown) => void;
  /** Aborted at the end of the simulation. */
  readonly signal: AbortSignal;
}

type LedgerPort = EngineRuntimeParts["ledger"];

function sameFact(a: LedgerFact, b: LedgerFact | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

type Crash = Extract<FaultStep, { readonly kind: "crash" }>;

/** The daemon's successive runs over one store; each may be cut off at any call of a port. */
export class Lives {
  readonly ledger: LedgerFact[] = [];
  readonly downtimes: Downtime[] = [];
  document: DaemonDocument;
  /** The latest sign of life besides the document. */
  aliveAt: EpochMs | undefined;
  readonly #parts: LivesParts;
  #number = 0;
  #cut: AbortController | undefined;
  #coming: { readonly crash: Crash; calls: number } | undefined;

  constructor(parts: LivesParts) {
    this.#parts = parts;
    this.document = emptyDocument(parts.clock.now());
  }

  start(): void {
    const {
      clock,
      machine,
      chance,
      account,
      orders,
      drivers,
      capture,
      shelf,
      signal,
      onBug,
      policy = POLICY,
      onListened,
    } = this.#parts;
    this.#number += 1;
    const downtime = this.downtimes.at(-1);
    if (downtime !== undefined) downtime.to ??= clock.now();
    // The next run knows only the bytes on disk.
    this.document = afterReload(this.document);
    const cut = new AbortController();
    this.#cut = cut;
    const port = <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
      this.#port(cut.signal, call);
    const engine = new EngineRuntime({
      store: this.#store(cut.signal),
      signOfLife: { before: this.aliveAt, renew: () => this.#renew(cut.signal) },
      ledger: this.#ledger(port),
      ...SAME_PARTS,
      ...outerParts(port, { account, orders, shelf }),
      pool: new TunerPool(
        drivers(this.#number).map((driver) => ({
          ...driver,
          open: port((service, ending) => driver.open(service, ending)),
        })),
      ),
      capture: {
        // By the machine's clock, as everything that the daemon says.
        start: port((order) => capture.start({ ...order, endsBy: order.endsBy - machine.offsetMs })),
        running: () => capture.running(),
        hasBegun: (attempt) => capture.hasBegun(attempt),
        watch: (order, ending) => capture.watch(order, ending).finally(() => machine.awake()),
        stop: port((id) => capture.stop(id)),
      },
      policy,
      planner: createPlanner(),
      watch: new ClockWatch({
        clock: machine.clock,
        uptimeMs: () => machine.uptimeMs(),
        boot: machine.boot,
        toleranceMs: CLOCK_TOLERANCE_MS,
        memory: withLaterTrust(this.document.clock, this.aliveAt),
      }),
      askKernel: async () => machine.kernel(),
      clock: machine.clock,
      chance: () => chance("pause").int(0, 999) / 1000,
    });
    const listening = onListened === undefined ? [] : [this.#listening({ desk: engine.desk, onListened })];
    const running = engine.run(AbortSignal.any([cut.signal, signal]), listening);
    running.catch((error: unknown) => {
      if (!cut.signal.aborted && !signal.aborted) onBug(error);
    });
  }

  #listening(parts: Pick<GatheringParts, "desk" | "onListened">): Subsystem {
    const { drivers, machine } = this.#parts;
    const tuners = drivers(this.#number).map(({ facts }) => facts);
    const channels = () => Object.values(this.document.channels);
    const tour = idleTunerTour({ ...parts, channels, tuners, clock: machine.clock });
    return { name: "gathering", run: (signal) => tour.run(signal) };
  }

  /** Arms a crash. Without effect while the daemon is off or another crash is armed. */
  crash(crash: Crash): boolean {
    if (this.#cut === undefined || this.#coming !== undefined) return false;
    this.#coming = { crash, calls: crash.calls };
    if (crash.calls === 0) this.#end(crash);
    return true;
  }

  /** Cancels a crash that has not happened yet. */
  disarm(): void {
    this.#coming = undefined;
  }

  #ledger(port: <T>(call: (facts: readonly LedgerFact[]) => Promise<T>) => typeof call): LedgerPort {
    const append = async (facts: readonly LedgerFact[]) => void this.ledger.push(...facts);
    return {
      append: port(append),
      // Batches are complete or missing: the last fact shows it.
      catchUp: async (latest) => {
        const last = latest.at(-1);
        const isThere = last === undefined || sameFact(last, this.ledger.at(-1));
        if (!isThere) await append(latest);
      },
    };
  }

  #store(cut: AbortSignal): EngineRuntimeParts["store"] {
    const lives = this;
    const { machine, chance, onCommit } = this.#parts;
    return {
      get current() {
        return lives.document;
      },
      commit: this.#port(cut, async (next) => {
        const before = this.document;
        // A heartbeat is written without a wait.
        if (before.recordings !== next.recordings)
          await machine.clock.sleep(chance("commit").int(1, 40), cut);
        this.document = next;
        onCommit(before, next);
      }),
    };
  }

  /** Wraps a port: the run may be cut off before the call has effect, or after it, and then nothing receives the answer. */
  #port<A extends readonly unknown[], T>(
    cut: AbortSignal,
    call: (...args: A) => Promise<T>,
  ): (...args: A) => Promise<T> {
    const { machine } = this.#parts;
    const never = new Promise<never>(() => {});
    return async (...args) => {
      if (cut.aborted) return never;
      const coming = this.#comesNow();
      if (coming?.when === "before") {
        this.#end(coming);
        return never;
      }
      try {
        const answer = await call(...args);
        if (machine.isAsleep) await machine.awake();
        if (cut.aborted || coming !== undefined) return never;
        return answer;
      } catch (error) {
        if (machine.isAsleep) await machine.awake();
        if (cut.aborted || coming !== undefined) return never;
        throw error;
      } finally {
        if (coming !== undefined) this.#end(coming);
      }
    };
  }

  /** A port as well, but without a wait. */
  #renew(cut: AbortSignal): void {
    if (cut.aborted) return;
    const coming = this.#comesNow();
    if (coming?.when !== "before") this.aliveAt = this.#parts.machine.clock.now();
    if (coming !== undefined) this.#end(coming);
  }

  #comesNow(): Crash | undefined {
    if (this.#coming === undefined) return undefined;
    this.#coming.calls -= 1;
    return this.#coming.calls === 0 ? this.#coming.crash : undefined;
  }

  #end({ offMs, ...crash }: Crash): void {
    const { clock, machine, onCrash, signal } = this.#parts;
    // After a power cut with a wrong clock, recording times are unknown.
    const power = crash.power && !machine.isWrong;
    this.#coming = undefined;
    const cut = this.#cut;
    if (cut === undefined) return;
    this.#cut = undefined;
    this.downtimes.push({ from: clock.now() });
    cut.abort();
    onCrash(this.#number, power);
    void clock
      .sleep(offMs, signal)
      .then(() => machine.awake())
      .then(
        () => {
          if (!signal.aborted) this.start();
        },
        () => {},
      );
  }
}

/** The document as it is after writing and reading. */
function afterReload(document: DaemonDocument): DaemonDocument {
  const { parse, split } = DOCUMENT_FORMAT;
  const { now, past } = split(document);
  const over = Object.entries(past).map(([collection, values]) => [collection, new Map(copyOf([...values]))]);
  return parse(copyOf(now), Object.fromEntries(over));
}

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
