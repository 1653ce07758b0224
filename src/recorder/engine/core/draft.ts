import { attemptId, currentAttempt } from "../../../model/attempt.ts";
import type { ClockMemory, ClockStanding } from "../../../model/clock-trust.ts";
import type { Facts } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Policy } from "../../../model/policy.ts";
import {
  inOrder,
  type MoveFields,
  moved,
  type Recording,
  type RecordingId,
  type RecordingInput,
} from "../../../model/recording.ts";
import type { Report } from "../../../model/report.ts";
import type { Space } from "../../../model/space.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { TimerId } from "../../../model/timer.ts";
import { type TunerFacts, warmUpMost } from "../../../model/tuner.ts";
import type { Planner } from "../../plan/planner.ts";
import type { DaemonDocument } from "./document.ts";
import type { Command, Occurrence } from "./occurrence.ts";
import {
  cacheIndex,
  dueSoon,
  type RecordingIndex,
  recordingIndexOf,
  updateIndex,
} from "./recording-index.ts";
import type { Refusal } from "./reply.ts";
import type { Steps } from "./steps.ts";

/** Of what little is to be done with each. */
const ITEMS_PER_STEP = 1000;

/** What a decision depends on besides the document. */
export interface World {
  readonly now: EpochMs;
  readonly tuners: readonly TunerFacts[];
  readonly policy: Policy;
  readonly clock: ClockStanding;
  /** Absent until the disk was looked at: then nothing is held back because of it. */
  readonly space?: Space;
  /** The planner of this daemon: it remembers what it planned, so that the same question costs nothing. */
  readonly plan: Planner["plan"];
}

export interface Decision {
  /** The very same object where nothing changed: then nothing is written. */
  readonly document: DaemonDocument;
  readonly commands: readonly Command[];
  readonly facts: readonly LedgerFact[];
  /** What is to be decided about when whatever waits had its turn: there was too much to do at once. */
  readonly rest?: Occurrence;
  /** Why what was asked is not done. */
  readonly refusal?: Refusal;
}

/**
 * A document while one decision is made about it. Lives inside `decide` only, which is pure as seen from outside: a new
 * document is sealed from it, the old one is never touched.
 */
export class Draft {
  readonly world: World;
  readonly #before: DaemonDocument;
  #document: DaemonDocument;
  /** What this decision made of recordings; `undefined`: it took them out. */
  readonly #changed = new Map<RecordingId, Recording | undefined>();
  /** All of them, until one is changed. */
  #all: DaemonDocument["recordings"] | undefined;
  #concerns: RecordingIndex;
  /** As the concerns know them, of those that were changed since. */
  readonly #stale = new Map<RecordingId, Recording | undefined>();
  #rest: Occurrence | undefined;
  #refusal: Refusal | undefined;
  readonly #commands: Command[] = [];
  readonly #facts: LedgerFact[] = [];

  constructor(document: DaemonDocument, world: World) {
    this.#before = document;
    this.#document = document;
    this.#all = document.recordings;
    this.#concerns = recordingIndexOf(document.recordings);
    this.world = world;
  }

  get now(): EpochMs {
    return this.world.now;
  }

  /** What time it is for what is on the air: others' where the machine's clock is grossly wrong. */
  get airNow(): EpochMs {
    return this.now + (this.world.clock.othersAheadMs ?? 0);
  }

  /** What cannot be taken back is not decided now: the clock is not trusted. */
  get clockUntrusted(): boolean {
    return this.world.clock.suspendsDecisions;
  }

  /** As it was before this decision. */
  get before(): DaemonDocument {
    return this.#before;
  }

  /** All but the recordings, which `recordings()` and `recording(id)` give. */
  get document(): Omit<DaemonDocument, "recordings"> {
    return this.#document;
  }

  update(change: Partial<Omit<DaemonDocument, "recordings">>): void {
    this.#document = { ...this.#document, ...change };
  }

  recordings(): readonly Recording[] {
    return Object.values(this.#recordings());
  }

  #recordings(): DaemonDocument["recordings"] {
    if (this.#all !== undefined) return this.#all;
    const all: Record<RecordingId, Recording> = { ...this.#before.recordings };
    for (const [id, recording] of this.#changed) {
      if (recording === undefined) delete all[id];
      else all[id] = recording;
    }
    this.#all = all;
    return all;
  }

  /** What decisions are about: there may be thousands more. */
  get index(): RecordingIndex {
    if (this.#stale.size > 0) {
      const changes = [...this.#stale].map(([id, before]) => ({ before, after: this.recording(id) }));
      this.#concerns = updateIndex(this.#concerns, changes);
      this.#stale.clear();
    }
    return this.#concerns;
  }

  /** Those that have not ended, as they come. */
  open(): readonly Recording[] {
    return this.index.open;
  }

  /** Of these, those about which there may be something to do by the time. */
  dueSoon(): readonly Recording[] {
    return dueSoon(this.index, this.airNow + warmUpMost(this.world.tuners));
  }

  /**
   * Those of which this decision may have something to say: what it did not touch says what it said.
   *
   * @param isSilent whether nothing is to be said of one of which that is known already
   */
  reportCandidates(isSilent: (recording: Recording) => boolean): readonly Recording[] {
    if (this.#before.outages !== this.#document.outages) return this.recordings();
    const waiting = this.index.unsaid.filter((recording) => !isSilent(recording));
    const touched = [...this.#changed.keys()].flatMap((id) => this.recording(id) ?? []);
    return [...new Set([...waiting, ...touched])].sort((a, b) => inOrder(a.id, b.id));
  }

  recording(id: RecordingId): Recording | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#before.recordings[id];
  }

  /** Whether this decision has not changed what can be said of it. */
  isUnchanged(recording: Recording): boolean {
    const { outages, recordings } = this.#before;
    return recordings[recording.id] === recording && outages === this.#document.outages;
  }

  put<R extends Recording>(recording: R): R {
    this.#change(recording.id, recording);
    return recording;
  }

  remove(id: RecordingId): void {
    this.#change(id, undefined);
  }

  #change(id: RecordingId, recording: Recording | undefined): void {
    if (!this.#stale.has(id)) this.#stale.set(id, this.recording(id));
    this.#changed.set(id, recording);
    this.#all = undefined;
  }

  /**
   * Moves a recording by the table, with whatever changes along with its state.
   *
   * @returns `undefined`, and changes nothing, where the table has no such move: the occurrence came too late
   */
  move<I extends RecordingInput>(
    recording: Recording,
    input: I,
    fields: MoveFields<I>,
  ): ReturnType<typeof moved<I>> {
    const next = moved(recording, { input, fields, now: this.now });
    if (next === undefined) return undefined;
    this.put(next);
    if (next.state !== recording.state)
      this.note(input, next, { from: recording.state, to: next.state, ...stateChangeFacts(next) });
    return next;
  }

  /** Between two steps of a decision, where there is so much to decide about that others would wait too long. */
  *step(): Steps<void> {
    if (this.#concerns.open.length + this.#stale.size > LIMITS.recordingsAtOnce) yield;
  }

  /** Has something small done with each. */
  *forEach<T>(all: readonly T[], work: (one: T) => void): Steps<void> {
    for (let at = 0; at < all.length; at += ITEMS_PER_STEP) {
      if (at > 0) yield;
      for (const one of all.slice(at, at + ITEMS_PER_STEP)) work(one);
    }
  }

  /** There is more to do than others should wait for. */
  deferRest(rest: Occurrence): void {
    this.#rest ??= rest;
  }

  /** Tells whoever asked why it is not done. */
  refuse(refusal: Refusal): void {
    this.#refusal = refusal;
  }

  order(command: Command): void {
    this.#commands.push(command);
  }

  /** A line for the ledger about a recording, about a timer that has none, or about the daemon. */
  note(fact: string, about: Recording | { readonly timerId: TimerId } | undefined, facts: Facts = {}): void {
    const recording = about !== undefined && "id" in about ? about : undefined;
    const attempt = recording === undefined ? undefined : currentAttempt(recording);
    const by =
      attempt === undefined || recording === undefined
        ? {}
        : { attempt: attemptId(recording.id, attempt.number) };
    this.#facts.push({
      at: this.now,
      fact,
      ...(about === undefined ? {} : { timerId: about.timerId }),
      ...(recording === undefined ? {} : { recordingId: recording.id }),
      facts: { ...by, ...facts },
    });
  }

  /** Takes the next number for a report. */
  nextReport(): Report["seq"] {
    const seq = this.#document.nextReport;
    this.update({ nextReport: seq + 1 });
    return seq;
  }

  nextRecordingId(): RecordingId {
    const number = this.#document.nextRecording;
    this.update({ nextRecording: number + 1 });
    return `r${String(number).padStart(6, "0")}`;
  }

  seal(): Decision {
    const latestFacts = this.#facts;
    const changed = this.#changed.size > 0 || this.#document !== this.#before || latestFacts.length > 0;
    const recordings = this.#recordings();
    cacheIndex(recordings, this.index);
    const left = this.#rest === undefined ? {} : { rest: this.#rest };
    const refused = this.#refusal === undefined ? {} : { refusal: this.#refusal };
    const rest = { commands: this.#commands, facts: latestFacts, ...left, ...refused };
    if (!changed) return { document: this.#before, ...rest };
    const clock = clockMemoryOf(this.#document.clock, this.world);
    const document = { ...this.#document, recordings, heartbeatAt: this.now, latestFacts, clock };
    return { document, ...rest };
  }
}

/** What is to be remembered of the clock with each write. */
function clockMemoryOf(before: ClockMemory | undefined, { now, clock }: World): ClockMemory {
  const { boot, baseMs, trusted, text = "" } = clock;
  if (trusted) return { boot, baseMs, trustedAt: now };
  const { trustedAt } = before ?? {};
  const doubt = (before?.boot === boot ? before.doubt : undefined) ?? text;
  return { boot, baseMs, ...(trustedAt === undefined ? {} : { trustedAt }), doubt };
}

/** What makes a change of state understood later: on which tuner, and why where there is trouble. */
function stateChangeFacts({ tunerId, trouble }: Recording): Facts {
  return {
    ...(tunerId === undefined ? {} : { tuner: tunerId }),
    ...(trouble === undefined ? {} : { cause: trouble.code, text: trouble.text }),
  };
}
