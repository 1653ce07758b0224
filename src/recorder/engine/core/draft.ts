import { attemptId, currentAttempt } from "../../../model/attempt.ts";
import type { ClockMemory, ClockStanding } from "../../../model/clock-trust.ts";
import type { Facts } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import type { Policy } from "../../../model/policy.ts";
import {
  afterMove,
  inOrder,
  type MoveFields,
  type Recording,
  type RecordingId,
  type RecordingInput,
} from "../../../model/recording.ts";
import type { Report } from "../../../model/report.ts";
import type { Space } from "../../../model/space.ts";
import type { Steps } from "../../../model/steps.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { TimerId } from "../../../model/timer.ts";
import { type TunerFacts, warmUpMost } from "../../../model/tuner.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { Planner } from "../../plan/planner.ts";
import type { DaemonDocument } from "./document.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import type { Command, Occurrence } from "./occurrence.ts";
import {
  cacheIndex,
  dueSoon,
  type RecordingIndex,
  recordingIndexOf,
  updateIndex,
} from "./recording-index.ts";
import type { Refusal } from "./reply.ts";

/** A step handles this many recordings, with little work on each. */
const ITEMS_PER_STEP = 1000;

/** The inputs of a decision besides the document. */
export interface World {
  readonly now: EpochMs;
  readonly tuners: readonly TunerFacts[];
  readonly policy: Policy;
  readonly clock: ClockStanding;
  /** Attempts on drained nodes of the fleet, by id; absent: none. */
  readonly leaving?: ReadonlySet<string>;
  /** Absent until the disk has been measured: then nothing is held back because of it. */
  readonly space?: Space;
  /** The daemon's planner. It caches plans, so asking the same question again is cheap. */
  readonly plan: Planner["plan"];
}

export interface Decision {
  /** The same object if nothing changed: then nothing is written. */
  readonly document: DaemonDocument;
  readonly commands: readonly Command[];
  readonly facts: readonly LedgerFact[];
  /** An occurrence to decide about after the waiting ones: there was too much to do at once. */
  readonly rest?: Occurrence;
  /** The reason for refusing a question. */
  readonly refusal?: Refusal;
}

/**
 * A document during one decision. It lives inside `decide` only: `seal` makes a new document from it, and the old one
 * is never changed.
 */
export class Draft {
  readonly world: World;
  readonly #before: DaemonDocument;
  #document: DaemonDocument;
  /** Changed recordings; `undefined`: removed. */
  readonly #changed = new Map<RecordingId, Recording | undefined>();
  /** All recordings; absent while a change is not merged. */
  #all: DaemonDocument["recordings"] | undefined;
  #index: RecordingIndex;
  /** The indexed versions of recordings that changed since. */
  readonly #stale = new Map<RecordingId, Recording | undefined>();
  #rest: Occurrence | undefined;
  #refusal: Refusal | undefined;
  readonly #commands: Command[] = [];
  readonly #facts: LedgerFact[] = [];

  constructor(document: DaemonDocument, world: World) {
    this.#before = document;
    this.#document = document;
    this.#all = document.recordings;
    this.#index = recordingIndexOf(document.recordings);
    this.world = world;
  }

  get now(): EpochMs {
    return this.world.now;
  }

  /** The time for events. It follows other sources if the machine's clock is grossly wrong. */
  get airNow(): EpochMs {
    return this.now + (this.world.clock.othersAheadMs ?? 0);
  }

  /** The clock is not trusted, so decisions that cannot be undone are suspended. */
  get clockUntrusted(): boolean {
    return this.world.clock.suspendsDecisions;
  }

  /** The document before this decision. */
  get before(): DaemonDocument {
    return this.#before;
  }

  /** The document without its recordings; `recordings()` and `recording(id)` give those. */
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

  /**
   * The lists of recordings that decisions need. It is updated for changed recordings only: there may be thousands
   * more.
   */
  get index(): RecordingIndex {
    if (this.#stale.size > 0) {
      const changes = [...this.#stale].map(([id, before]) => ({ before, after: this.recording(id) }));
      this.#index = updateIndex(this.#index, changes);
      this.#stale.clear();
    }
    return this.#index;
  }

  /** Recordings that have not ended, by their windows. */
  open(): readonly Recording[] {
    return this.index.open;
  }

  /** Open recordings that may need a decision by now. */
  dueSoon(): readonly Recording[] {
    return dueSoon(this.index, this.airNow + warmUpMost(this.world.tuners));
  }

  /**
   * The recordings whose report may have changed: those that this decision changed, and those with a pending report.
   *
   * @param isSilent whether the pending report of a recording must wait
   */
  reportCandidates(isSilent: (recording: Recording) => boolean): readonly Recording[] {
    if (this.#before.outages !== this.#document.outages) return this.recordings();
    const waiting = this.index.reportPending.filter((recording) => !isSilent(recording));
    const touched = [...this.#changed.keys()].flatMap((id) => this.recording(id) ?? []);
    return [...new Set([...waiting, ...touched])].sort((a, b) => inOrder(a.id, b.id));
  }

  recording(id: RecordingId): Recording | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#before.recordings[id];
  }

  /** Whether this decision changed nothing that a report of the recording depends on. */
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
   * Moves a recording by the state table, together with other fields.
   *
   * @returns `undefined`, without a change, if the table has no such move: the occurrence came too late
   */
  move<I extends RecordingInput>(
    recording: Recording,
    input: I,
    fields: MoveFields<I>,
  ): ReturnType<typeof afterMove<I>> {
    const next = afterMove(recording, { input, fields, now: this.now });
    if (next === undefined) return undefined;
    this.put(next);
    if (next.state !== recording.state)
      this.note(input, next, { from: recording.state, to: next.state, ...stateChangeFacts(next) });
    return next;
  }

  /** Yields between two steps of a decision when it concerns many recordings. */
  *step(): Steps<void> {
    if (this.#index.open.length + this.#stale.size > ENGINE_LIMITS.recordingsAtOnce) yield;
  }

  /** Processes each item, yielding between batches. */
  *forEach<T>(all: readonly T[], work: (one: T) => void): Steps<void> {
    for (let at = 0; at < all.length; at += ITEMS_PER_STEP) {
      if (at > 0) yield;
      for (const one of all.slice(at, at + ITEMS_PER_STEP)) work(one);
    }
  }

  /** Defers the rest of the work until other occurrences had their turn. */
  deferRest(rest: Occurrence): void {
    this.#rest ??= rest;
  }

  /** Answers a question with a refusal. */
  refuse(refusal: Refusal): void {
    this.#refusal = refusal;
  }

  order(command: Command): void {
    this.#commands.push(command);
  }

  /** Adds a line to the ledger about a recording, about a timer without one, or about the daemon. */
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

  /** From now on, no recording gets one of these ids. */
  passOverRecordingIds(ids: readonly RecordingId[]): void {
    const numbers = ids.map((id) => Number(/^r(\d{1,12})$/.exec(id)?.[1] ?? 0));
    const nextRecording = Math.max(this.#document.nextRecording, ...numbers.map((number) => number + 1));
    this.update({ nextRecording });
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

/** The clock's state that each write stores. */
function clockMemoryOf(before: ClockMemory | undefined, { now, clock }: World): ClockMemory {
  const { boot, baseMs, ntpBaseMs, trusted, text = "" } = clock;
  const { trustedAt, wrong } = before ?? {};
  const known = { boot, baseMs, ...withoutUndefined({ ntpBaseMs, wrong }) };
  if (trusted) return { ...known, trustedAt: now };
  const { doubt = text, doubtSince = now } = before?.boot === boot ? before : {};
  return { ...known, ...withoutUndefined({ trustedAt }), doubt, doubtSince };
}

/** Facts that explain a change of state later: the tuner and the trouble. */
function stateChangeFacts({ tunerId, trouble }: Recording): Facts {
  return {
    ...(tunerId === undefined ? {} : { tuner: tunerId }),
    ...(trouble === undefined ? {} : { cause: trouble.code, text: trouble.text }),
  };
}
