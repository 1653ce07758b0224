import type { Clock } from "../../kit/time/clock.ts";
import { attemptId } from "../../model/attempt.ts";
import type { Recording } from "../../model/recording.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";
import type { ReportContent } from "../../model/timer.ts";
import { coveredMs, uncovered, type Window } from "../../model/window.ts";
import { iso } from "../iso.ts";
import { type SimulatedCapture, spanOf } from "../weeks/captures.ts";
import type { TrueTimer } from "../weeks/true-timer.ts";
import type { Spell } from "./fleet-faults.ts";
import { NODES_ENOUGH } from "./fleet-machine.ts";
import { type FleetMember, type FleetWatch, type FleetWorld, spansOf } from "./fleet-world.ts";
import type { LeaderRow } from "./leader-row.ts";
import type { NodeProcess } from "./node-process.ts";
import type { DatabaseWatch } from "./simulated-database.ts";

/** A broken law. */
export interface FleetViolation {
  readonly law: string;
  readonly at: EpochMs;
  readonly text: string;
}

/** A recording goes on within this time after anything has gone wrong, or is well again. */
const SETTLED_MS = 45 * SECOND;
/** A gap shorter than that is none. */
const BLINK_MS = SECOND;

/** The laws of a fleet, and the first one that broke. */
export class FleetLaws implements DatabaseWatch, FleetWatch {
  violation: FleetViolation | undefined;
  readonly spells: Spell[] = [];
  terms = 0;
  readonly #time: Clock;
  readonly #world: () => FleetWorld;
  #leader: NodeProcess | undefined;

  constructor(time: Clock, world: () => FleetWorld) {
    this.#time = time;
    this.#world = world;
  }

  broken(law: string, text: string): void {
    this.violation ??= { law, at: this.#time.now(), text };
  }

  /** A node has ended with an error. */
  failed(error: unknown): void {
    this.broken("no failure ends a daemon", error instanceof Error ? `${error.stack}` : String(error));
  }

  taking(): void {}

  taken({ term }: Readonly<LeaderRow>, by: NodeProcess): void {
    if (term !== this.terms + 1) this.broken("a term begins once", `term ${term} follows ${this.terms}`);
    this.terms = term;
    this.#leader = by;
  }

  renewed(): void {}

  written(by: NodeProcess): void {
    if (by !== this.#leader) this.broken("only the leader of a term commits in it", `term ${this.terms}`);
  }

  /** An order reaches a node. */
  obeys({ name, door }: FleetMember, term: number): void {
    if (term < door.term) {
      this.broken("no node obeys an earlier term", `${name} obeys ${term} after ${door.term}`);
    }
  }

  starting(): void {}

  stopping(): void {}

  /** The attempts of a leader whose last decisions were not stored. */
  repeated(): void {}

  tuning(): void {}

  overloaded(_tunerId: string, text: string): void {
    this.broken("a tuner receives one multiplex at a time", text);
  }

  polled(): void {}

  telling(): void {}

  ordered(): void {}

  took({ booking: { timerId }, reports }: TrueTimer, { state }: ReportContent): void {
    const order = ["waiting", "running", "completed"];
    const states = reports.flatMap((report) => (report.state === undefined ? [] : [report.state]));
    const before = states.at(-2);
    if (state === undefined || before === undefined) return;
    const isFinal = before === "completed" || before === "failed";
    if (isFinal ? state !== before : order.indexOf(state) < order.indexOf(before) && state !== "failed")
      this.broken("reports arrive in order", `${timerId}: ${state} after ${before}`);
  }

  /** Called in the end, when all has been well for long. */
  final(): void {
    const { guide, nodes, receivers, document } = this.#world();
    for (const timer of guide.timersById.values()) this.#outcome(timer);
    for (const { name, machine } of nodes) {
      for (const id of machine.captures.running.keys())
        this.broken("nothing is left over", `${id} runs on ${name}`);
    }
    for (const { tunerId } of receivers.held()) this.broken("nothing is left over", `${tunerId} is open`);
    const open = Object.values(document.recordings).filter(({ state }) => state === "recording");
    for (const { id } of open) this.broken("nothing is left over", `${id} still records`);
    const leading = nodes.filter(({ leads }) => leads);
    if (leading.length !== 1) this.broken("one node leads", `${leading.length} lead in the end`);
  }

  #outcome({ booking, event, reports }: TrueTimer): void {
    const { timerId } = booking;
    const { document } = this.#world();
    const recording = Object.values(document.recordings).findLast((each) => each.timerId === timerId);
    const said = reports.findLast(({ state }) => state !== undefined)?.state;
    const law = "nothing planned is dropped, and each outcome is reported";
    if (recording === undefined) return this.broken(law, `${timerId} was never recorded`);
    // The service knows no third outcome.
    const outcome = recording.state === "partial" ? "failed" : recording.state;
    if (outcome !== said)
      this.broken(law, `${timerId} is ${recording.state}, and ${said ?? "nothing"} was reported`);
    for (const id of this.#forgotten(recording, event))
      this.broken("what was captured for a recording is in it", `${timerId} lacks ${id}`);
    const lost = this.#lost(event, recording.id);
    if (lost === undefined) return;
    const text = `${timerId} (${recording.id}) has nothing from ${iso(lost.start)} to ${iso(lost.stop)}`;
    this.broken("what a node that is well can receive is recorded", text);
  }

  /** Captures that the recording does not know, with a part of the event that no other has. */
  #forgotten({ id, attempts }: Recording, event: Window): readonly string[] {
    const { all } = this.#world();
    const ids = new Set(attempts.map(({ number }) => attemptId(id, number)));
    const captures = [...all.values()].filter(({ recordingId }) => recordingId === id);
    const spans = (some: readonly SimulatedCapture[]) =>
      some.flatMap((each) => spanOf(each, this.#time.now()) ?? []);
    const known = spans(captures.filter((each) => ids.has(each.id)));
    const forgotten = captures.filter((each) => !ids.has(each.id));
    return forgotten
      .filter((each) => coveredMs(event, [...known, ...spans([each])]) - coveredMs(event, known) > BLINK_MS)
      .map((each) => each.id);
  }

  /** A part of the event that is not on the disk, although nothing was wrong. */
  #lost(event: Window, recordingId: string): Window | undefined {
    const spans = spansOf(this.#world(), recordingId);
    const excused = this.#excused();
    return uncovered(event, [...spans, ...excused]).find(({ start, stop }) => stop - start > BLINK_MS);
  }

  /** The times around each change, those with too few sound nodes, and those in which nobody could begin. */
  #excused(): readonly Window[] {
    // A person who drains a node loses nothing.
    const faults = this.spells.filter(({ kind }) => kind !== "drain");
    const around = faults.flatMap(({ from, to }) => [
      { start: from - BLINK_MS, stop: from + SETTLED_MS },
      { start: to - BLINK_MS, stop: to + SETTLED_MS },
    ]);
    return [...around, ...this.#withoutSoundNodes(), ...this.#withoutLeader()];
  }

  /**
   * A node that is away, or whose way to the database is disturbed, is not sound. Any sound node may lead, and has the tuners of those
   * that it reaches.
   */
  #withoutSoundNodes(): readonly Window[] {
    const names = this.#world().nodes.map(({ name }) => name);
    const spells = this.spells
      .filter(({ hits }) => hits.length > 0)
      .map(({ to, ...spell }) => ({ ...spell, to: to + SETTLED_MS }));
    const edges = spells.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b);
    return edges.flatMap((start, index) => {
      const stop = edges[index + 1] ?? start;
      const now = spells.filter(({ from, to }) => from <= start && start < to);
      const away = now.filter(({ kind }) => kind !== "link").flatMap(({ hits }) => hits);
      const cuts = now.filter(({ kind }) => kind === "link");
      const sound = names.filter((name) => !away.includes(name));
      const reaches = (one: string, other: string) =>
        one === other || !cuts.some(({ hits }) => hits.includes(one) && hits.includes(other));
      const isEnough = sound.every(
        (leader) => sound.filter((other) => reaches(leader, other)).length >= NODES_ENOUGH,
      );
      return sound.length >= NODES_ENOUGH && isEnough ? [] : [{ start, stop }];
    });
  }

  /** A leader goes on without its database. If anything else happens meanwhile, nobody may lead until that is back. */
  #withoutLeader(): readonly Window[] {
    return this.spells.flatMap(({ kind, from, to }) => {
      if (kind !== "database" && kind !== "database-link") return [];
      const others = this.spells.filter((other) => other.kind !== kind && other.from < to && other.to > from);
      const since = Math.min(...others.map((other) => Math.max(other.from, from)));
      return others.length === 0 ? [] : [{ start: since, stop: to + SETTLED_MS }];
    });
  }
}
