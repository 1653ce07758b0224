import type { ClockMemory, ClockStanding } from "../model/clock-trust.ts";
import type { Facts } from "../model/errors.ts";
import { isHealing } from "../model/healing.ts";
import type { LedgerFact } from "../model/ledger.ts";
import type { Policy } from "../model/policy.ts";
import {
  attemptId,
  currentAttempt,
  inOrder,
  isTerminal,
  move,
  type Recording,
  type RecordingId,
  type RecordingInput,
} from "../model/recording.ts";
import type { Report } from "../model/report.ts";
import type { Space } from "../model/space.ts";
import type { EpochMs } from "../model/time.ts";
import type { TimerId } from "../model/timer.ts";
import type { TunerFacts } from "../model/tuner.ts";
import type { Planner } from "../plan/planner.ts";
import type { DaemonDocument } from "./document.ts";
import type { Command, Occurrence } from "./occurrence.ts";

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
}

/**
 * A document while one decision is made about it. Lives inside `decide` only, which is pure as seen from outside: a new
 * document is sealed from it, the old one is never touched.
 */
export class Draft {
  readonly world: World;
  readonly #before: DaemonDocument;
  #document: DaemonDocument;
  #recordings: Map<RecordingId, Recording> | undefined;
  /** All of them, until one is changed: each step of a decision goes through them. */
  #all: readonly Recording[] | undefined;
  /** Likewise. */
  #concerns: Concerns | undefined;
  #rest: Occurrence | undefined;
  readonly #touched = new Set<RecordingId>();
  readonly #commands: Command[] = [];
  readonly #facts: LedgerFact[] = [];

  constructor(document: DaemonDocument, world: World) {
    this.#before = document;
    this.#document = document;
    this.world = world;
  }

  get now(): EpochMs {
    return this.world.now;
  }

  /** What cannot be taken back is not decided now: the clock is not trusted. */
  get holds(): boolean {
    return this.world.clock.holds;
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
    this.#all ??=
      this.#recordings === undefined
        ? Object.values(this.#document.recordings)
        : [...this.#recordings.values()];
    return this.#all;
  }

  /** Those that have not ended: there may be thousands more that have. */
  open(): readonly Recording[] {
    return this.#known().open;
  }

  /** Those for which a repeat is booked or being booked, ended or not. */
  healing(): readonly Recording[] {
    return this.#known().healing;
  }

  /** Those that have ended and of which the guide knows repeats. */
  repeated(): readonly Recording[] {
    return this.#known().repeated;
  }

  /** Those of which this decision may have something to say: what is over and was not touched says what it said. */
  toTell(): readonly Recording[] {
    if (this.#before.outages !== this.#document.outages) return this.recordings();
    const touched = [...this.#touched].flatMap((id) => this.recording(id) ?? []);
    const over = touched.filter(({ state }) => isTerminal(state));
    return over.length === 0 ? this.open() : [...this.open(), ...over].sort((a, b) => inOrder(a.id, b.id));
  }

  /** When the first of those that have ended did. */
  oldestEnd(): EpochMs {
    return this.#known().oldestEnd;
  }

  #known(): Concerns {
    this.#concerns ??=
      this.#recordings === undefined ? concernsOf(this.#document) : concernsAmong(this.recordings());
    return this.#concerns;
  }

  recording(id: RecordingId): Recording | undefined {
    return this.#recordings === undefined ? this.#document.recordings[id] : this.#recordings.get(id);
  }

  /** Whether this decision has not changed what can be said of it. */
  isUntouched(recording: Recording): boolean {
    const { outages, recordings } = this.#before;
    return recordings[recording.id] === recording && outages === this.#document.outages;
  }

  put(recording: Recording): Recording {
    this.#recordings ??= new Map(Object.entries(this.#document.recordings));
    this.#recordings.set(recording.id, recording);
    this.#touched.add(recording.id);
    this.#all = undefined;
    this.#concerns = undefined;
    return recording;
  }

  remove(id: RecordingId): void {
    this.#recordings ??= new Map(Object.entries(this.#document.recordings));
    this.#recordings.delete(id);
    this.#all = undefined;
    this.#concerns = undefined;
  }

  /**
   * Moves a recording by the table, with whatever changes along with its state.
   *
   * @returns `undefined`, and changes nothing, where the table has no such move: the occurrence came too late
   */
  move(recording: Recording, input: RecordingInput, change: Partial<Recording> = {}): Recording | undefined {
    const state = move(recording.state, input);
    if (state === undefined) return undefined;
    const next = this.put({ ...recording, ...change, state });
    if (state !== recording.state)
      this.note(input, next, { from: recording.state, to: state, ...circumstances(next) });
    return next;
  }

  /** There is more to do than others should wait for. */
  leave(rest: Occurrence): void {
    this.#rest ??= rest;
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
    const changed =
      this.#recordings !== undefined || this.#document !== this.#before || latestFacts.length > 0;
    const recordings =
      this.#recordings === undefined ? this.#document.recordings : Object.fromEntries(this.#recordings);
    const left = this.#rest === undefined ? {} : { rest: this.#rest };
    const rest = { commands: this.#commands, facts: latestFacts, ...left };
    if (!changed) return { document: this.#before, ...rest };
    const clock = memoryOf(this.#document.clock, this.world);
    const document = { ...this.#document, recordings, heartbeatAt: this.now, latestFacts, clock };
    return { document, ...rest };
  }
}

/** What of all recordings decisions are about: there may be ten thousand that are over. */
interface Concerns {
  readonly open: readonly Recording[];
  readonly healing: readonly Recording[];
  readonly repeated: readonly Recording[];
  readonly oldestEnd: EpochMs;
}

/** Recordings are values: this is found once. */
const CONCERNS = new WeakMap<DaemonDocument["recordings"], Concerns>();

export function concernsOf({ recordings }: Pick<DaemonDocument, "recordings">): Concerns {
  const known = CONCERNS.get(recordings);
  if (known !== undefined) return known;
  const found = concernsAmong(Object.values(recordings));
  CONCERNS.set(recordings, found);
  return found;
}

function concernsAmong(recordings: readonly Recording[]): Concerns {
  const open: Recording[] = [];
  const healing: Recording[] = [];
  const repeated: Recording[] = [];
  let oldestEnd = Number.POSITIVE_INFINITY;
  for (const recording of recordings) {
    const isOver = isTerminal(recording.state);
    if (!isOver) open.push(recording);
    if (recording.healing !== undefined && isHealing(recording.healing)) healing.push(recording);
    if (isOver && recording.repeats !== undefined) repeated.push(recording);
    oldestEnd = Math.min(oldestEnd, overSince(recording));
  }
  return { open, healing, repeated, oldestEnd };
}

/** Since when nothing is to come of it any more; infinite where something is. */
export function overSince({ endedAt, event, healing }: Recording): EpochMs {
  if (endedAt === undefined || (healing !== undefined && isHealing(healing))) return Number.POSITIVE_INFINITY;
  return Math.max(endedAt, event.stop);
}

/** What is to be remembered of the clock with each write. */
function memoryOf(before: ClockMemory | undefined, { now, clock }: World): ClockMemory {
  const { boot, baseMs, trusted, text = "" } = clock;
  if (trusted) return { boot, baseMs, trustedAt: now };
  const { trustedAt } = before ?? {};
  const doubt = (before?.boot === boot ? before.doubt : undefined) ?? text;
  return { boot, baseMs, ...(trustedAt === undefined ? {} : { trustedAt }), doubt };
}

/** What makes a change of state understood later: on which tuner, and why where there is trouble. */
function circumstances({ tunerId, trouble }: Recording): Facts {
  return {
    ...(tunerId === undefined ? {} : { tuner: tunerId }),
    ...(trouble === undefined ? {} : { cause: trouble.code, text: trouble.text }),
  };
}
