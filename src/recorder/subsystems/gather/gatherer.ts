import type { Log } from "../../../kit/log.ts";
import { backOffMs } from "../../../kit/time/back-off.ts";
import type { Chance, Clock } from "../../../kit/time/clock.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import type { BroadcastGuide } from "../../../model/broadcast-guide.ts";
import { type ErrorCode, RecorderdError } from "../../../model/errors.ts";
import type { GatherStatus } from "../../../model/gathering.ts";
import type { BroadcastDesk } from "../../../model/ports.ts";
import type { DurationMs } from "../../../model/time.ts";
import { GATHER_LIMITS } from "./limits.ts";
import { newParts, requestsOf, type SentParts, servicesOf, withSent } from "./parts.ts";

/** Assembles sections of event tables. */
export interface Tables {
  readonly eventsRead: number;
  /** The number of events, sections and names read. */
  readonly held: number;
  section(pid: number, section: Uint8Array): void;
  guide(): BroadcastGuide;
}

export interface GathererParts {
  readonly desk: BroadcastDesk;
  /** Creates empty tables. */
  readonly newTables: () => Tables;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/** Gathers EIT data from streams, and sends it to a service that accepts it. */
export class Gatherer {
  readonly #parts: GathererParts;
  readonly #due = new WakeSignal();
  #tables: Tables;
  /** Each source's share of the tables. */
  #heldOf = new Map<string, number>();
  /** Instants are of the monotonic clock. */
  #tablesSinceMs: DurationMs;
  #askedMs = Number.NEGATIVE_INFINITY;
  #brought: SentParts = new Map();
  #failures = 0;
  #failure: ErrorCode | undefined;
  #status: GatherStatus = { isTaken: false, events: 0 };

  constructor(parts: GathererParts) {
    this.#parts = parts;
    this.#tables = parts.newTables();
    this.#tablesSinceMs = parts.clock.monotonicMs();
  }

  get status(): GatherStatus {
    return this.#status;
  }

  /** Whether the service accepts gathered data now. */
  get isWanted(): boolean {
    return this.#status.isTaken && this.#failure === undefined;
  }

  /** Whether a file with this modification time belongs to a stream that is being read, and its data is wanted. */
  isLive(mtimeMs: number): boolean {
    return this.#status.isTaken && this.#parts.clock.now() - mtimeMs < GATHER_LIMITS.liveMs;
  }

  /**
   * Reads a section of SDT or EIT, unchecked; valid during the call only. Every source leaves room for all others:
   * one with a million events does not keep them out.
   *
   * @param source the origin of the section: the key of the received service, or the file
   */
  section(pid: number, section: Uint8Array, source: string): void {
    const before = this.#tables.held;
    const ofSource = this.#heldOf.get(source) ?? 0;
    if (ofSource >= GATHER_LIMITS.events - before) return;
    this.#tables.section(pid, section);
    const added = this.#tables.held - before;
    if (added > 0) this.#heldOf.set(source, ofSource + added);
  }

  /** Sends the data of an idle tuner at once, not within some minutes. */
  idleTunerRead(): void {
    this.#status = { ...this.#status, idleAt: this.#parts.clock.now() };
    // A failing service is asked again after its pause, not sooner.
    if (this.#failure === undefined) this.#due.signal();
  }

  /** Sends new data bit by bit until the signal is aborted. Never rejects for failures of the service. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#turn(signal);
      await this.#due.waitFor(pauseMs, { clock: this.#parts.clock, signal });
    }
  }

  /** @returns the pause before the next turn */
  async #turn(signal: AbortSignal): Promise<DurationMs> {
    const { clock, chance, log } = this.#parts;
    if (clock.monotonicMs() - this.#tablesSinceMs >= GATHER_LIMITS.keptMs) this.#restart();
    try {
      await this.#ask(signal);
      if (this.#status.isTaken && this.#tables.eventsRead > 0) await this.#bring(signal);
      if (this.#failure !== undefined) log.info("EIT data is delivered again");
      this.#failures = 0;
      this.#failure = undefined;
      return GATHER_LIMITS.bringMs;
    } catch (error) {
      if (signal.aborted) return 0;
      if (!(error instanceof RecorderdError)) throw error;
      const { code, message: text, facts } = error;
      if (code !== this.#failure)
        log.warn("EIT data cannot be delivered; recording continues", { code, text });
      this.#failure = code;
      this.#failures += 1;
      const askedMs = typeof facts["retryAfterMs"] === "number" ? facts["retryAfterMs"] : 0;
      const { backOffMsMin: firstMs, backOffMsMax: maxMs } = GATHER_LIMITS;
      return backOffMs({ failures: this.#failures, firstMs, maxMs, retryAfterMs: askedMs }, chance);
    }
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { desk, clock, log } = this.#parts;
    if (clock.monotonicMs() - this.#askedMs < GATHER_LIMITS.askMs) return;
    const isTaken = await desk.takes(signal);
    this.#askedMs = clock.monotonicMs();
    if (isTaken !== this.#status.isTaken)
      log.info("the guide service started or stopped accepting EIT data", { isTaken });
    this.#status = { ...this.#status, isTaken };
    if (!isTaken) this.#restart();
  }

  async #bring(signal: AbortSignal): Promise<void> {
    const { desk, clock, log } = this.#parts;
    const parts = newParts(this.#tables.guide(), this.#brought, clock.monotonicMs());
    // Sections that arrive meanwhile wait for the next turn, or come again: tables are repeated over and over.
    for (const request of requestsOf(parts)) {
      await desk.bring(servicesOf(request), signal);
      this.#brought = withSent(this.#brought, request, clock.monotonicMs());
      const events = request.reduce((sum, { block }) => sum + block.events.length, 0);
      this.#status = { ...this.#status, broughtAt: clock.now(), events: this.#status.events + events };
    }
    this.#restart();
    log.debug("EIT data was delivered", { parts: parts.length });
  }

  /** Drops old data: it must not be sent as if it were new. */
  #restart(): void {
    this.#tables = this.#parts.newTables();
    this.#heldOf = new Map();
    this.#tablesSinceMs = this.#parts.clock.monotonicMs();
  }
}
