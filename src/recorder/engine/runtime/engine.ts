import type { Log } from "../../../kit/log.ts";
import { type Clock, waitWithin } from "../../../kit/time/clock.ts";
import type { ClockStanding } from "../../../model/clock-trust.ts";
import { type Facts, RecorderdError } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { WorkRegister } from "../../../model/ports.ts";
import type { Work } from "../../../model/set-aside.ts";
import type { StoreTrouble } from "../../../model/snapshot.ts";
import type { EpochMs } from "../../../model/time.ts";
import { decideInSteps } from "../core/decide.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { World } from "../core/draft.ts";
import type { Command, Occurrence } from "../core/occurrence.ts";
import { nextInstant } from "../core/settle.ts";
import { Inbox } from "./inbox.ts";

/** What the engine needs: where the document lies, where history goes, who acts. */
export interface EngineParts {
  readonly store: { readonly current: DaemonDocument; commit(next: DaemonDocument): Promise<void> };
  readonly ledger: {
    append(entries: readonly LedgerFact[]): Promise<void>;
    /** Appends what of the latest facts a crash has kept out. */
    catchUp(latest: readonly LedgerFact[]): Promise<void>;
  };
  /** Carries out one command; returns at once, its result comes back as an occurrence. */
  readonly act: (command: Command) => void;
  /** The data folder cannot be written: nothing is decided until it can; `undefined`: it can again. */
  readonly onTrouble: (trouble: StoreTrouble | undefined) => void;
  /** Makes room in the data folder when its disk is full. @returns whether that is to be tried again at once */
  readonly makeRoom?: () => Promise<boolean>;
  /** Asked once for each decision: it tells what the clock did since the last one. */
  readonly world: () => World;
  readonly tuners: () => World["tuners"];
  /** Whether the clock was set, or the machine slept, since the last decision; `noted` when that one is on disk. */
  readonly watch: Pick<ClockStanding, "othersAheadMs"> & { readonly hasMoved: boolean; noted(): void };
  /** Called at least every `LIMITS.waitSliceMs` while the loop lives; while it decides and writes, when that is done. */
  readonly onPulse?: () => void;
  /** Is told of each decision. */
  readonly register?: Pick<WorkRegister, "begin">;
  readonly clock: Clock;
  readonly log: Log;
}

interface Asker {
  readonly resolve: (document: DaemonDocument) => void;
  readonly reject: (error: RecorderdError) => void;
}

/** The loop: occurrence → decide → commit → act. The only writer of the document. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #inbox = new Inbox<Occurrence>();
  /** What an earlier decision left to do. A crash loses nothing with it: it is found out again. */
  #rest: Occurrence | undefined;
  /** Who waits for what becomes of an occurrence. */
  readonly #askers = new Map<Occurrence, Asker>();
  /** The loop has ended: nobody is answered any more. */
  #isOver = false;
  /** Up to then everything of the plan was looked at. */
  #decidedAt: EpochMs = 0;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  post(occurrence: Occurrence): Promise<void> {
    return this.#inbox.post(occurrence);
  }

  /**
   * Posts what somebody waits for.
   *
   * @returns the document that the decision on it made, once it is on disk; others may have been decided by then
   * @throws RecorderdError TUNER_BUSY when the engine ends before, or has ended
   */
  ask(occurrence: Occurrence): Promise<DaemonDocument> {
    if (this.#isOver) return Promise.reject(ending());
    return new Promise((resolve, reject) => {
      this.#askers.set(occurrence, { resolve, reject });
      void this.#inbox.post(occurrence);
    });
  }

  /** For what tells everything each time: takes the place of one of its kind that still waits. */
  postLatest(occurrence: Occurrence): Promise<void> {
    return this.#inbox.replace(occurrence, ({ kind }) => kind === occurrence.kind);
  }

  /**
   * Runs until the signal is aborted; what is in the inbox then is left: the document yields it again. While the data folder
   * cannot be written it waits for that, and captures go on: commit, then act.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { store, ledger } = this.#parts;
    try {
      await this.#insist(() => ledger.catchUp(store.current.latestFacts), signal);
      while (!signal.aborted) {
        this.#parts.onPulse?.();
        const occurrence = this.#inbox.take() ?? this.#takeRest();
        if (occurrence === undefined) await this.#waitForNext(signal);
        else await this.#handle(occurrence, signal);
      }
    } finally {
      this.#isOver = true;
      for (const { reject } of this.#askers.values()) reject(ending());
      this.#askers.clear();
    }
  }

  async #handle(occurrence: Occurrence, signal: AbortSignal): Promise<void> {
    const { store, ledger, act, world, watch, register, clock, log } = this.#parts;
    const work = workOf(occurrence);
    const decision = await this.#insist(async () => {
      // Anew with each try: what was right to do is not, when the disk has room again hours later.
      const before = store.current;
      const seen = world();
      const steps = decideInSteps(before, occurrence, seen);
      register?.begin(work);
      let step = steps.next();
      while (step.done !== true) {
        // By the clock, so that others have their turn in virtual time too.
        await clock.sleep(0, signal).catch(() => {});
        register?.begin(work);
        step = steps.next();
      }
      const decided = step.value;
      this.#decidedAt = seen.now;
      if (decided.document !== before) await store.commit(decided.document);
      watch.noted();
      return decided;
    }, signal);
    if (decision === undefined) return;
    this.#askers.get(occurrence)?.resolve(decision.document);
    this.#askers.delete(occurrence);
    const { commands, facts, rest } = decision;
    // A newer list says all that an older one did, and what is to be planned is found with it.
    if (this.#rest?.kind !== "timers-fetched" || occurrence.kind === "timers-fetched") this.#rest = rest;
    if (commands.length > 0 || facts.length > 0) {
      log.debug("decided", { ...factsOf(occurrence), commands: commands.map(({ kind }) => kind).join(" ") });
    }
    // The document holds the facts too: acting need not wait for the ledger.
    for (const command of commands) act(command);
    for (const { at: _at, fact, facts: more = {}, ...about } of facts) log.info(fact, { ...about, ...more });
    if (facts.length > 0) await this.#insist(() => ledger.append(facts), signal);
  }

  #takeRest(): Occurrence | undefined {
    const rest = this.#rest;
    this.#rest = undefined;
    return rest;
  }

  /** Tries again, with a pause, as long as the data folder cannot be written. @returns `undefined` when told to end */
  async #insist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const { clock, onTrouble, log } = this.#parts;
    const since = clock.now();
    for (let pauseMs: number = LIMITS.retryMsMin, failures = 0; ; failures += 1) {
      try {
        const done = await work();
        if (failures > 0) {
          onTrouble(undefined);
          log.info("the data folder can be written again", { failures });
        }
        return done;
      } catch (error) {
        if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
        const trouble = troubleOf(error, since);
        if (trouble.code === "DISK_FULL" && (await this.#parts.makeRoom?.()) === true) continue;
        onTrouble(trouble);
        if (failures === 0) log.error("the data folder cannot be written, trying again", { ...trouble });
      }
      await clock.sleep(pauseMs, signal).catch(() => {});
      if (signal.aborted) return undefined;
      this.#parts.onPulse?.();
      pauseMs = Math.min(LIMITS.retryMsMax, 2 * pauseMs);
    }
  }

  /** Until an occurrence arrives or an instant of the document comes. */
  async #waitForNext(signal: AbortSignal): Promise<void> {
    const { store, tuners, clock, watch } = this.#parts;
    // From the last decision on: what fell due while it was being written is still to come.
    const since = Math.min(this.#decidedAt, clock.now());
    const at = nextInstant(store.current, { tuners: tuners(), now: since, clock: watch });
    await waitWithin(signal, (over) => Promise.race([this.#inbox.arrival(), this.#sleepUntil(at, over)]));
  }

  /** In slices that notice a stepped clock. */
  async #sleepUntil(at: EpochMs, over: AbortSignal): Promise<void> {
    const { watch, clock } = this.#parts;
    do {
      const ms = Math.min(Math.max(0, at - clock.now()), LIMITS.waitSliceMs);
      await clock.sleep(ms, over).catch(() => {});
      if (over.aborted) return;
      this.#parts.onPulse?.();
    } while (clock.now() < at && !watch.hasMoved);
    await this.#inbox.post({ kind: "instant" });
  }
}

/** What the system says of a file system without room, or of a user without. */
const FULL: readonly unknown[] = ["ENOSPC", "EDQUOT"];

function troubleOf({ message: text, facts }: RecorderdError, since: EpochMs): StoreTrouble {
  return { since, code: FULL.includes(facts["system"]) ? "DISK_FULL" : "STORE_WRITE_FAILED", text };
}

/** What the service told is left alone where it starves the loop; other decisions are named alone. */
function workOf(occurrence: Occurrence): Work {
  const [list, verb] = occurrence.kind.split("-");
  if (verb === "fetched") return { kind: "guide-list", subject: list ?? "" };
  const { recordingId } = factsOf(occurrence);
  const about = recordingId === undefined ? "" : ` of ${recordingId}`;
  return { kind: "decision", subject: `${occurrence.kind}${about}` };
}

/** What it was and whom it concerns; texts and lists of it are in the facts that came of it. */
function factsOf(occurrence: Occurrence): Facts {
  const { kind, ...rest } = occurrence;
  const named = Object.entries(rest).filter(([key]) =>
    ["recordingId", "attempt", "tunerId", "leaseId", "seq"].includes(key),
  );
  return { occurrence: kind, ...Object.fromEntries(named.map(([key, value]) => [key, String(value)])) };
}

function ending(): RecorderdError {
  return new RecorderdError("TUNER_BUSY", "The recorder is just ending: ask again when it has started.");
}
