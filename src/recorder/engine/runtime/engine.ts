import type { Log } from "../../../kit/log.ts";
import { type Clock, onAbort, withDeadline } from "../../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../../kit/time/limits.ts";
import type { Backlog } from "../../../model/backlog.ts";
import type { ClockStanding } from "../../../model/clock-trust.ts";
import { type Facts, RecorderdError } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { WorkRegister } from "../../../model/ports.ts";
import type { Work } from "../../../model/set-aside.ts";
import type { StoreTrouble } from "../../../model/snapshot.ts";
import type { EpochMs } from "../../../model/time.ts";
import { decideInSteps } from "../core/decide.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { World } from "../core/draft.ts";
import { ENGINE_LIMITS } from "../core/limits.ts";
import type { Command, Occurrence } from "../core/occurrence.ts";
import type { AnswerTo, Question } from "../core/reply.ts";
import { beatInstant, dueInstant } from "../core/settle.ts";
import { Inbox } from "./inbox.ts";
import { busyError, notStoredError, startingError, stoppingError } from "./not-ready.ts";
import { Questions } from "./questions.ts";

/** A place besides the document that shows until when the daemon lived. */
export interface SignOfLife {
  /** The sign of an earlier run; absent if there is none. */
  readonly before: EpochMs | undefined;
  renew(): void | Promise<void>;
}

/** The engine's dependencies: its store, its ledger and the performer of its commands. */
export interface EngineParts {
  readonly store: {
    readonly current: DaemonDocument;
    readonly backlog?: Backlog<DaemonDocument> | undefined;
    commit(next: DaemonDocument): Promise<void>;
  };
  readonly ledger: {
    append(entries: readonly LedgerFact[]): Promise<void>;
    /** Appends the latest facts that a crash has kept out. */
    catchUp(latest: readonly LedgerFact[]): Promise<void>;
  };
  /** Carries out one command; returns at once, its result comes back as an occurrence. */
  readonly act: (command: Command) => void;
  /** The data folder is not writable, so no decision is made; `undefined`: it is writable again. */
  readonly onTrouble: (trouble: StoreTrouble | undefined) => void;
  /** Frees space in the data folder when its disk is full. @returns whether to retry at once */
  readonly makeRoom?: () => Promise<boolean>;
  /** Called once for each decision; its clock includes the changes since the last one. */
  readonly world: () => World;
  readonly tuners: () => World["tuners"];
  /**
   * `hasMoved`: whether the clock was set or the machine slept since the last decision. `noted` is called when that decision is
   * on disk. `isNoted`: the disk has all such changes.
   */
  readonly watch: Pick<ClockStanding, "othersAheadMs"> & {
    readonly hasMoved: boolean;
    readonly isNoted: boolean;
    noted(): void;
  };
  /**
   * Called at least every `TIME_LIMITS.waitSliceMs` while the loop lives; during a decision and its write, when that is
   * done.
   */
  readonly onPulse?: () => void;
  readonly signOfLife: SignOfLife;
  /** Whether only a sign of life is due by now: nothing that time alone changes. */
  readonly isQuiet: () => boolean;
  /** Receives each decision. */
  readonly register?: Pick<WorkRegister, "begin">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The loop: occurrence → decide → commit → act. The only writer of the document. It accepts occurrences before it
 * runs.
 */
export class Engine {
  readonly #parts: EngineParts;
  readonly #inbox = new Inbox<Occurrence>();
  /** The deferred rest of an earlier decision. A crash loses nothing with it: it is found again. */
  #rest: Occurrence | undefined;
  readonly #questions: Questions;
  #phase: "starting" | "running" | "over" = "starting";
  /** Resolves when the engine runs. */
  readonly #running: Promise<void>;
  #settleRunning: (error?: RecorderdError) => void = () => {};
  #trouble: StoreTrouble | undefined;
  #backlog: Backlog<DaemonDocument> | undefined;
  /** Commands that wait for the end of the backlog. */
  #heldUp: (() => void)[] = [];
  /** Every earlier instant of the plan has been decided about. */
  #decidedAt: EpochMs = 0;
  /** The latest sign of life since the document was written. */
  #beatAt: EpochMs | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#questions = new Questions(parts.clock);
    this.#running = new Promise((resolve, reject) => {
      this.#settleRunning = (error) => (error === undefined ? resolve() : reject(error));
    });
    // Nobody may await it.
    this.#running.catch(() => {});
  }

  get phase(): "starting" | "running" | "over" {
    return this.#phase;
  }

  /** Present while the data folder is not writable. */
  get trouble(): StoreTrouble | undefined {
    return this.#trouble;
  }

  /**
   * Resolves as soon as the engine runs: for requests that do more than ask.
   *
   * @throws RecorderdError DAEMON_NOT_READY when it is stopping, or does not run within `MODEL_LIMITS.tuneMs`
   */
  async ready(): Promise<void> {
    if (this.#phase === "over") throw stoppingError();
    const signal = new AbortController().signal;
    const limits = { ms: MODEL_LIMITS.tuneMs, signal, timeoutError: startingError };
    await withDeadline(this.#parts.clock, limits, () => this.#running);
  }

  /** Posts news that needs no answer. After the end it is dropped: the document yields it again. */
  post(occurrence: Occurrence): Promise<void> {
    return this.#inbox.post(occurrence);
  }

  /**
   * Posts a question and waits for its answer. A question asked before the engine runs is decided about when it does.
   *
   * @returns the result of the decision, once that is on disk; others may have been decided by then
   * @throws RecorderdError the refusal of the decision
   * @throws RecorderdError DAEMON_NOT_READY when the engine ends before, has ended, or is not there within
   * `MODEL_LIMITS.tuneMs`
   * @throws RecorderdError STORE_WRITE_FAILED when the data folder is not writable for so long
   */
  async ask<Q extends Question>(question: Q): Promise<AnswerTo<Q>> {
    if (this.#phase === "over") throw stoppingError();
    const answer = this.#questions.wait(question, () => this.#whyLate(question));
    void this.#inbox.post(question);
    return await answer;
  }

  /** Withdraws a question that was not begun, since nobody waits for it. A change that waits for the disk stays. */
  #whyLate(question: Occurrence): RecorderdError {
    if (this.#trouble !== undefined) return notStoredError();
    const isWithdrawn = this.#inbox.withdraw(question);
    return this.#phase === "starting" ? startingError() : busyError(isWithdrawn);
  }

  /** Posts complete news: it replaces a waiting occurrence of the same kind. */
  postLatest(occurrence: Occurrence): Promise<void> {
    return this.#inbox.replace(
      occurrence,
      (waiting) => waiting.kind === occurrence.kind && !this.#questions.has(waiting),
    );
  }

  /**
   * Runs until the signal is aborted and leaves the rest of the inbox: the document yields it again. While the data
   * folder is not writable, it waits, and captures continue: commit, then act.
   *
   * @param started the captures of the earlier run; decided about before everything that waits
   */
  async run(started: Extract<Occurrence, { readonly kind: "started" }>, signal: AbortSignal): Promise<void> {
    const { store, ledger } = this.#parts;
    if (this.#phase === "starting") this.#phase = "running";
    this.#settleRunning();
    // A question that is being decided about still gets its answer; no other is begun.
    const refuseQuestions = () => {
      this.#phase = "over";
    };
    signal.addEventListener("abort", refuseQuestions, { once: true });
    if (signal.aborted) refuseQuestions();
    try {
      await this.#insist(() => ledger.catchUp(store.current.latestFacts), signal);
      let next: Occurrence | undefined = started;
      while (!signal.aborted) {
        this.#parts.onPulse?.();
        this.#weighBacklog();
        if (next === undefined) await this.#waitForNext(signal);
        else await this.#handle(next, signal);
        next = this.#inbox.take() ?? this.#takeRest();
      }
    } finally {
      signal.removeEventListener("abort", refuseQuestions);
      this.end();
    }
  }

  /** Ends the engine and rejects waiting questions. Calling it twice is harmless. */
  end(): void {
    this.#phase = "over";
    this.#settleRunning(stoppingError());
    this.#inbox.close();
    this.#questions.rejectAll(stoppingError());
  }

  async #handle(occurrence: Occurrence, signal: AbortSignal): Promise<void> {
    const { store, ledger, act, world, watch, register, clock, log } = this.#parts;
    const work = workOf(occurrence);
    const found = await this.#insist(async () => {
      // Decide again with each retry: hours later, when the disk has room again, another decision may be right.
      const before = store.current;
      const seen = world();
      const steps = decideInSteps(before, occurrence, seen);
      register?.begin(work);
      let step = steps.next();
      while (step.done !== true) {
        // Yield by the clock, so that others have their turn in virtual time too.
        await clock.sleep(0, signal).catch(() => {});
        register?.begin(work);
        step = steps.next();
      }
      const decided = step.value;
      this.#decidedAt = seen.now;
      if (decided.document !== before) {
        await store.commit(decided.document);
        this.#beatAt = undefined;
      }
      watch.noted();
      // The last sign is by the clock as it was set before.
      if (seen.clock.moved !== undefined) this.#renewSignOfLife();
      return { before, decision: decided };
    }, signal);
    if (found === undefined) return;
    const { before, decision } = found;
    const { commands, facts, rest, document, refusal } = decision;
    // A newer list includes all of an older one, and plans the rest with it.
    if (this.#rest?.kind !== "timers-fetched" || occurrence.kind === "timers-fetched") this.#rest = rest;
    if (commands.length > 0 || facts.length > 0) {
      log.debug("decided", { ...factsOf(occurrence), commands: commands.map(({ kind }) => kind).join(" ") });
    }
    this.#weighBacklog();
    // The document holds the facts too: acting need not wait for the ledger.
    for (const command of commands) {
      if (GOES_ON.has(command.kind)) act(command);
      else this.#whenStored(() => act(command));
    }
    this.#whenStored(() => this.#questions.decided(occurrence, { before, document, refusal }));
    for (const { at: _at, fact, facts: more = {}, ...about } of facts) log.info(fact, { ...about, ...more });
    if (facts.length > 0) await this.#insist(() => ledger.append(facts), signal);
  }

  /** Notices that decisions are not stored for now, or that all of them are. */
  #weighBacklog(): void {
    const { store, log } = this.#parts;
    const { backlog } = store;
    if (backlog === this.#backlog) return;
    this.#backlog = backlog;
    if (backlog === undefined) {
      this.#tell(undefined);
      log.info("the state is stored again", { heldUp: this.#heldUp.length });
      for (const act of this.#heldUp.splice(0)) act();
      return;
    }
    const { since, text } = backlog;
    this.#tell({ since, code: "STORE_WRITE_FAILED", text });
    log.error("the state cannot be stored; recordings begin and end, and all else waits", { text });
    void backlog.over.then(() => this.#inbox.post({ kind: "instant" }));
  }

  #whenStored(act: () => void): void {
    if (this.#backlog === undefined) act();
    else this.#heldUp.push(act);
  }

  #takeRest(): Occurrence | undefined {
    const rest = this.#rest;
    this.#rest = undefined;
    return rest;
  }

  /** Retries with a pause while the data folder is not writable. @returns `undefined` when the signal ends it */
  async #insist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const { clock, log } = this.#parts;
    const since = clock.now();
    for (let pauseMs: number = ENGINE_LIMITS.retryMsMin, failures = 0; ; failures += 1) {
      try {
        const done = await work();
        if (failures > 0) {
          this.#tell(undefined);
          log.info("the state can be written again", { failures });
        }
        return done;
      } catch (error) {
        if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
        const trouble = troubleOf(error, since);
        if (trouble.code === "DISK_FULL" && (await this.#parts.makeRoom?.()) === true) continue;
        this.#tell(trouble);
        if (failures === 0) log.error("the state cannot be written; retrying", { ...trouble });
      }
      await clock.sleep(pauseMs, signal).catch(() => {});
      if (signal.aborted) return undefined;
      this.#parts.onPulse?.();
      pauseMs = Math.min(ENGINE_LIMITS.retryMsMax, 2 * pauseMs);
    }
  }

  #tell(trouble: StoreTrouble | undefined): void {
    if (trouble !== undefined) this.#renewSignOfLife();
    this.#trouble = trouble;
    this.#parts.onTrouble(trouble);
  }

  /**
   * A sign later than a sleep says that the recorder was up meanwhile, and one by a new setting of the clock does not
   * fit the stored times: there is none until the document has both.
   */
  #renewSignOfLife(): void {
    const { watch, signOfLife } = this.#parts;
    if (watch.isNoted) void signOfLife.renew();
  }

  /** Waits until an occurrence arrives or an instant of the document comes. */
  async #waitForNext(signal: AbortSignal): Promise<void> {
    if (!this.#inbox.isEmpty || signal.aborted) return;
    const { store, tuners, clock, watch, onPulse, isQuiet } = this.#parts;
    // Counts from the last decision on: an instant that passed during its write is still to come.
    const since = Math.min(this.#decidedAt, clock.now());
    const dueAt = dueInstant(store.current, { tuners: tuners(), now: since, clock: watch });
    const look = () => {
      onPulse?.();
      return watch.hasMoved;
    };
    const isDue = await new Promise<boolean>((resolve) => {
      const stopWaiting = (due: boolean) => {
        callOff();
        unfollow();
        this.#inbox.onArrival(undefined);
        resolve(due);
      };
      // Thousands of waits a day: a signal and a promise for each of their parts would dominate their cost.
      const waitOn = () => {
        const beatAt = beatInstant(this.#beatAt ?? store.current.heartbeatAt, clock.now());
        return clock.whenAt(Math.min(dueAt, beatAt), { sliceMs: TIME_LIMITS.waitSliceMs, look }, wake);
      };
      const wake = () => {
        if (clock.now() >= dueAt || watch.hasMoved || !isQuiet()) return stopWaiting(true);
        // A minute in which nothing is due needs no decision, and no write of the document.
        this.#beatAt = clock.now();
        this.#renewSignOfLife();
        callOff = waitOn();
      };
      let callOff = waitOn();
      const unfollow = onAbort(signal, () => stopWaiting(false));
      this.#inbox.onArrival(() => stopWaiting(false));
    });
    if (isDue) await this.#inbox.post({ kind: "instant" });
  }
}

/** Commands that a backlog does not hold up: they use tuners. A next leader would repeat what others do to files and at the service. */
const GOES_ON: ReadonlySet<Command["kind"]> = new Set(["attempt", "stop", "lease", "evict", "probe"]);

/** Codes of a full file system and of an exhausted quota. */
const DISK_FULL_CODES: readonly unknown[] = ["ENOSPC", "EDQUOT"];

function troubleOf({ message: text, facts }: RecorderdError, since: EpochMs): StoreTrouble {
  return {
    since,
    code: DISK_FULL_CODES.includes(facts["system"]) ? "DISK_FULL" : "STORE_WRITE_FAILED",
    text,
  };
}

/**
 * Names the work for the watch on starvation. Lists of the service are set aside when they starve the loop; other
 * decisions are named alone.
 */
function workOf(occurrence: Occurrence): Work {
  const [list, verb] = occurrence.kind.split("-");
  if (verb === "fetched") return { kind: "guide-list", subject: list ?? "" };
  const { recordingId } = factsOf(occurrence);
  const about = recordingId === undefined ? "" : ` of ${recordingId}`;
  return { kind: "decision", subject: `${occurrence.kind}${about}` };
}

/** The occurrence's kind and ids; the facts that follow hold its texts and lists. */
function factsOf(occurrence: Occurrence): Facts {
  const { kind, ...rest } = occurrence;
  const named = Object.entries(rest).filter(([key]) =>
    ["recordingId", "attempt", "tunerId", "leaseId", "seq"].includes(key),
  );
  return { occurrence: kind, ...Object.fromEntries(named.map(([key, value]) => [key, String(value)])) };
}
