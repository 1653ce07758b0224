import { withDeadline } from "../../../kit/time/clock.ts";
import type { Facts, RecorderdError } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { WorkRegister } from "../../../model/ports.ts";
import type { Work } from "../../../model/set-aside.ts";
import type { StoreTrouble } from "../../../model/snapshot.ts";
import { decideInSteps } from "../core/decide.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { Decision, World } from "../core/draft.ts";
import type { Command, Occurrence } from "../core/occurrence.ts";
import type { AnswerTo, Question } from "../core/reply.ts";
import { Inbox } from "./inbox.ts";
import { InstantWait, type InstantWaitParts } from "./instant-wait.ts";
import { busyError, notStoredError, startingError, stoppingError } from "./not-ready.ts";
import { Questions } from "./questions.ts";
import { StoreGuard, type StoreGuardParts } from "./store-guard.ts";

/** The engine's dependencies: its store, its ledger and the performer of its commands. */
export interface EngineParts extends StoreGuardParts, InstantWaitParts {
  readonly store: StoreGuardParts["store"] &
    InstantWaitParts["store"] & { commit(next: DaemonDocument): Promise<void> };
  readonly ledger: {
    append(entries: readonly LedgerFact[]): Promise<void>;
    /** Appends the latest facts that a crash has kept out. */
    catchUp(latest: readonly LedgerFact[]): Promise<void>;
  };
  /** Carries out one command; returns at once, its result comes back as an occurrence. */
  readonly act: (command: Command) => void;
  /** Called once for each decision; its clock includes the changes since the last one. */
  readonly world: () => World;
  /** `noted` is called when the decision about a change of the clock is on disk. */
  readonly watch: InstantWaitParts["watch"] & { noted(): void };
  /**
   * Called at least every `TIME_LIMITS.waitSliceMs` while the loop lives; during a decision and its write, when that is
   * done.
   */
  readonly onPulse?: () => void;
  /** Receives each decision. */
  readonly register?: Pick<WorkRegister, "begin">;
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
  readonly #guard: StoreGuard;
  readonly #wait: InstantWait;
  #phase: "starting" | "running" | "over" = "starting";
  /** Resolves when the engine runs. */
  readonly #running: Promise<void>;
  #settleRunning: (error?: RecorderdError) => void = () => {};

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#questions = new Questions(parts.clock);
    this.#wait = new InstantWait(parts);
    const onTrouble = (trouble: StoreTrouble | undefined) => {
      if (trouble !== undefined) this.#wait.renewSignOfLife();
      parts.onTrouble(trouble);
    };
    this.#guard = new StoreGuard({ ...parts, onTrouble }, () => void this.#inbox.post({ kind: "instant" }));
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
    return this.#guard.trouble;
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
    if (this.#guard.trouble !== undefined) return notStoredError();
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
      await this.#guard.untilWritten(() => ledger.catchUp(store.current.latestFacts), signal);
      let next: Occurrence | undefined = started;
      while (!signal.aborted) {
        this.#parts.onPulse?.();
        this.#guard.checkBacklog();
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
    const { ledger, act, log } = this.#parts;
    const found = await this.#guard.untilWritten(() => this.#decideAndCommit(occurrence, signal), signal);
    if (found === undefined) return;
    const { before, decision } = found;
    const { commands, facts, rest, document, refusal } = decision;
    // A newer list includes all of an older one, and plans the rest with it.
    if (this.#rest?.kind !== "timers-fetched" || occurrence.kind === "timers-fetched") this.#rest = rest;
    if (commands.length > 0 || facts.length > 0) {
      log.debug("decided", { ...factsOf(occurrence), commands: commands.map(({ kind }) => kind).join(" ") });
    }
    this.#guard.checkBacklog();
    // The document holds the facts too: acting need not wait for the ledger.
    for (const command of commands) {
      if (GOES_ON.has(command.kind)) act(command);
      else this.#guard.whenStored(() => act(command));
    }
    this.#guard.whenStored(() => this.#questions.decided(occurrence, { before, document, refusal }));
    for (const { at: _at, fact, facts: more = {}, ...about } of facts) log.info(fact, { ...about, ...more });
    if (facts.length > 0) await this.#guard.untilWritten(() => ledger.append(facts), signal);
  }

  /** Decides again with each retry: hours later, when the disk has room again, another decision may be right. */
  async #decideAndCommit(
    occurrence: Occurrence,
    signal: AbortSignal,
  ): Promise<{ readonly before: DaemonDocument; readonly decision: Decision }> {
    const { store, world, watch, register, clock } = this.#parts;
    const work = workOf(occurrence);
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
    const decision = step.value;
    this.#wait.decided(seen.now);
    if (decision.document !== before) {
      await store.commit(decision.document);
      this.#wait.written();
    }
    watch.noted();
    // The last sign is by the clock as it was set before.
    if (seen.clock.moved !== undefined) this.#wait.renewSignOfLife();
    return { before, decision };
  }

  #takeRest(): Occurrence | undefined {
    const rest = this.#rest;
    this.#rest = undefined;
    return rest;
  }

  /** Waits until an occurrence arrives or an instant of the document comes. */
  async #waitForNext(signal: AbortSignal): Promise<void> {
    if (!this.#inbox.isEmpty || signal.aborted) return;
    const isDue = await this.#wait.untilDue((interrupt) => this.#inbox.onArrival(interrupt), signal);
    if (isDue) await this.#inbox.post({ kind: "instant" });
  }
}

/** Commands that a backlog does not hold up: they use tuners. A next leader would repeat what others do to files and at the service. */
const GOES_ON: ReadonlySet<Command["kind"]> = new Set(["attempt", "stop", "lease", "evict", "probe"]);

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
