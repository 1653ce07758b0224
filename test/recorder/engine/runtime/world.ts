import type { ClockStanding } from "../../../../src/model/clock-trust.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import type { EmptyEvidence, InspectedEvidence, PayloadFindings } from "../../../../src/model/evidence.ts";
import type { Policy } from "../../../../src/model/policy.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { type Channel, type Triplet, tripletKey } from "../../../../src/model/service.ts";
import type { Space } from "../../../../src/model/space.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import type { Timer } from "../../../../src/model/timer.ts";
import type { TunerFacts } from "../../../../src/model/tuner.ts";
import { decide } from "../../../../src/recorder/engine/core/decide.ts";
import { type DaemonDocument, emptyDocument } from "../../../../src/recorder/engine/core/document.ts";
import type { World } from "../../../../src/recorder/engine/core/draft.ts";
import type { Command, Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import {
  type AnswerTo,
  type Question,
  type Refusal,
  replyTo,
} from "../../../../src/recorder/engine/core/reply.ts";
import { createPlanner, type Planner } from "../../../../src/recorder/plan/planner.ts";

/** 2026-11-20T20:00:00Z: when most of what is worth watching begins. */
export const EIGHT = Date.UTC(2026, 10, 20, 20, 0, 0);

const POLICY: Policy = {
  padding: { beforeMs: MINUTE, afterMs: 2 * MINUTE },
  completeFrom: 0.98,
  follow: { extendMs: 60 * MINUTE, endEarly: false },
  vocabulary: "observed",
  priorities: [],
  repeats: "offer",
  timeZone: "UTC",
};

/** Channel n is service n of multiplex ceil(n / 2): channels 1 and 2 share one, 3 and 4 the next. */
export function tripletOf(n: number): Triplet {
  return { onid: 0x1010, tsid: Math.ceil(n / 2), sid: n };
}

export function channel(n: number): Channel {
  return {
    id: String(n),
    name: `Channel ${n}`,
    nameShort: `C${n}`,
    knownNames: [],
    triplets: [tripletOf(n)],
    lcns: [n],
  };
}

export function tuner(id: string, options: Partial<TunerFacts> = {}): TunerFacts {
  return {
    id,
    kind: "mock",
    services: "any",
    servicesAtOnce: () => Number.POSITIVE_INFINITY,
    warmUpMs: 2 * SECOND,
    ...options,
  };
}

export function receiving(...channels: readonly number[]): Pick<TunerFacts, "services"> {
  return { services: new Set(channels.map((n) => tripletKey(tripletOf(n)))) };
}

export function timer(id: string, options: Partial<Timer> & { readonly onChannel?: number } = {}): Timer {
  const { onChannel = 1, ...rest } = options;
  return {
    id,
    name: `Show ${id}`,
    deviceId: "1",
    channelId: String(onChannel),
    showId: `s${id}`,
    event: { start: EIGHT, stop: EIGHT + 30 * MINUTE },
    action: "record",
    state: "waiting",
    seriesRecordingId: "0",
    keywordId: "0",
    ...rest,
  };
}

export const WHOLE: PayloadFindings = {
  file: "/recordings/Show.ts",
  bytes: 1_000_000,
  segments: 1,
  eventMs: 30 * MINUTE,
  eventCoveredMs: 30 * MINUTE,
  windowMs: 33 * MINUTE,
  windowCoveredMs: 33 * MINUTE,
  firstAt: EIGHT - MINUTE,
  lastAt: EIGHT + 32 * MINUTE,
  continuityErrors: 0,
  transportErrors: 0,
  scrambledPackets: 0,
  clockBreaks: 0,
  damagedPackets: 0,
  junkBytes: 0,
  gaps: [],
};

const { file: _file, plainName: _name, sha256: _sum, ...figures } = WHOLE;

/** Nothing was recorded. */
export const EMPTY: EmptyEvidence = { ...figures, bytes: 0, eventCoveredMs: 0 };

/** A daemon without effects: its decisions are kept, and nothing is carried out. */
export class Brain {
  document: DaemonDocument;
  now: number;
  commands: Command[] = [];
  facts: string[] = [];
  readonly tuners: TunerFacts[];
  policy: Policy;
  space: Space | undefined;
  /** Attempts on drained nodes. */
  leaving: ReadonlySet<string> = new Set();
  readonly planner: Planner;
  /** The rest that the latest decision left to do. */
  rest: Occurrence | undefined;
  /** The reason why the latest decision refused. */
  refusal: Refusal | undefined;

  /** The state of the clock; `moved` applies to one decision. */
  clock: ClockStanding = { trusted: true, suspendsDecisions: false, boot: "boot-1", baseMs: 0 };

  constructor({
    now = EIGHT - 60 * MINUTE,
    tuners = [tuner("a"), tuner("b")],
    channels = [1, 2, 3, 4, 5, 6],
    planner = createPlanner(),
  }: {
    readonly now?: number;
    readonly tuners?: TunerFacts[];
    readonly channels?: readonly number[];
    readonly planner?: Planner;
  } = {}) {
    this.planner = planner;
    this.now = now;
    this.tuners = tuners;
    this.policy = POLICY;
    this.document = emptyDocument(now);
    this.take({ kind: "channels-fetched", channels: channels.map(channel) });
  }

  get world(): World {
    const { moved: _told, ...rest } = this.clock;
    const seen = {
      now: this.now,
      tuners: this.tuners,
      policy: this.policy,
      clock: this.clock,
      plan: this.planner.plan,
      leaving: this.leaving,
    };
    this.clock = rest;
    return this.space === undefined ? seen : { ...seen, space: this.space };
  }

  take(occurrence: Occurrence): this {
    const { document, commands, facts, rest, refusal } = decide(this.document, occurrence, this.world);
    this.document = document;
    this.commands.push(...commands);
    this.facts.push(...facts.map(({ fact }) => fact));
    this.rest = rest;
    this.refusal = refusal;
    // All of a list; what is to be planned waits for the next instant.
    return rest?.kind === "timers-fetched" ? this.take(rest) : this;
  }

  /** Decides, and answers as the engine does. @throws RecorderdError the refusal */
  async ask<Q extends Question>(question: Q): Promise<AnswerTo<Q>> {
    const { document: before } = this;
    const { document, refusal } = this.take(question);
    const reply = replyTo(question, { before, document, refusal });
    if (reply.kind === "done") return reply.answer;
    if (reply.kind === "refused") throw new RecorderdError(reply.code, reply.text);
    throw new Error("another decision answers");
  }

  fetch(...timers: readonly Timer[]): this {
    return this.take({ kind: "timers-fetched", list: { timers, malformed: [] } });
  }

  at(now: number): this {
    this.now = now;
    return this.take({ kind: "instant" });
  }

  /** The commands since the last call. */
  ordered(): readonly Command[] {
    return this.commands.splice(0);
  }

  kinds(): readonly string[] {
    return this.ordered().map(({ kind }) => kind);
  }

  of(timerId: string): Recording {
    const found = Object.values(this.document.recordings).filter(
      (recording) => recording.timerId === timerId,
    );
    const last = found.at(-1);
    if (last === undefined) throw new Error(`no recording of timer ${timerId}`);
    return last;
  }

  flowing(timerId: string): this {
    const { id, attempts } = this.of(timerId);
    return this.take({ kind: "attempt-flowing", recordingId: id, attempt: attempts.length });
  }

  ended(timerId: string, cause: Extract<Occurrence, { kind: "attempt-ended" }>["cause"] = "asked"): this {
    const { id, attempts } = this.of(timerId);
    return this.take({
      kind: "attempt-ended",
      recordingId: id,
      attempt: attempts.length,
      cause,
      text: `${cause}.`,
    });
  }

  /** Closing done by the book. */
  closed(timerId: string, evidence: InspectedEvidence = WHOLE): this {
    const { id } = this.of(timerId);
    this.take({ kind: "inspected", recordingId: id, evidence });
    return this.take({
      kind: "published",
      recordingId: id,
      ...(evidence.file === undefined ? {} : { file: evidence.file }),
    });
  }

  /** The report that waits in the outbox for a timer. */
  told(timerId: string): { readonly state?: string; readonly message: string } | undefined {
    return this.document.outbox.find((report) => report.timerId === timerId);
  }

  delivered(): this {
    for (const { seq, message } of this.document.outbox)
      this.take({ kind: "delivery", seq, message, outcome: { kind: "delivered" } });
    return this;
  }
}
