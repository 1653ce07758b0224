import type { TimerReport } from "../../../src/guide-server/data/tables.ts";
import { expectedSpan, type Recording } from "../../../src/model/recording.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../../src/model/time.ts";
import type { Window } from "../../../src/model/window.ts";
import type { EveningShow } from "./programme.ts";
import { holesIn, readStream, type StreamFound } from "./stream-reader.ts";
import type { Spell } from "./strikes.ts";
import { pidsOf } from "./town.ts";

/** Declared and real gaps differ by less (issue: 100 ms). */
const TOLERANCE_MS = 100;
/** A loss is that of a fault that began so shortly after it: a writer has not told all that it has read. */
const BEFORE_MS = 1.5 * SECOND;

export interface Hole extends Window {
  readonly title: string;
  /** The tuner that delivered until then; absent: none. */
  readonly tunerId: string | undefined;
  readonly spell: Spell | undefined;
  readonly isInEvent: boolean;
}

export interface Judged {
  readonly show: EveningShow;
  readonly recording: Recording | undefined;
  readonly found: StreamFound | undefined;
  readonly holes: readonly Hole[];
  readonly complaints: readonly string[];
}

export interface Heard {
  readonly show: EveningShow;
  readonly recording: Recording | undefined;
  readonly reports: readonly TimerReport[];
}

/** Reads the file of a recording, and compares it with what was broadcast, declared and reported. */
export async function judged({ show, recording, reports }: Heard, spells: readonly Spell[]): Promise<Judged> {
  const complaints: string[] = [];
  const event = { start: show.start, stop: show.start + show.durationMs };
  const file = recording?.evidence?.file;
  const found =
    file === undefined ? undefined : await readStream(file, { near: event.start, ...pidsOf(show.channel) });
  const parts = found?.parts ?? [];
  // The plan may leave out padding for another recording.
  const window = recording === undefined ? event : expectedSpan(recording);
  const holes = holesIn(window, parts).map((hole): Hole => {
    const isInEvent = hole.start < event.stop && hole.stop > event.start;
    const hasBegun = parts.some(({ start }) => start < hole.start);
    const tunerId = hasBegun ? tunerAt(recording, hole.start) : undefined;
    return { ...hole, title: show.title, tunerId, isInEvent, spell: spellOf(hole, spells) };
  });
  if (recording === undefined) complaints.push("was never recorded");
  if (found !== undefined) {
    if (found.lost.length > 0) complaints.push(`lost packets at ${found.lost.map(seconds(event))}`);
    if (found.repeats.length > 0) complaints.push(`repeats at ${found.repeats.map(seconds(event))}`);
    if (found.junkBytes > 0) complaints.push(`has ${found.junkBytes} bytes of junk`);
  }
  complaints.push(...undeclared(holes, recording, seconds(event)));
  complaints.push(...holes.flatMap((hole) => excuseMissing(hole, seconds(event))));
  complaints.push(...outOfOrder(recording, reports));
  return { show, recording, found, holes, complaints };
}

function seconds({ start }: Window): (at: EpochMs) => string {
  return (at) => `${((at - start) / SECOND).toFixed(2)} s`;
}

/** The tuner of the attempt that ran last before that instant. */
function tunerAt(recording: Recording | undefined, at: EpochMs): string | undefined {
  return recording?.attempts.findLast(({ flowingAt = Number.POSITIVE_INFINITY }) => flowingAt <= at + SECOND)
    ?.tunerId;
}

function spellOf({ start, stop }: Window, spells: readonly Spell[]): Spell | undefined {
  return (
    spells.findLast((each) => each.start - BEFORE_MS <= start && start <= each.stop + BEFORE_MS) ??
    spells.findLast((each) => each.start - BEFORE_MS <= stop && each.start > start - 20 * SECOND)
  );
}

/** Gaps that the evidence does not have, or has elsewhere. */
function undeclared(
  holes: readonly Hole[],
  recording: Recording | undefined,
  text: (at: EpochMs) => string,
): readonly string[] {
  const declared = (recording?.evidence?.gaps ?? []).filter(({ lacks }) => lacks === undefined);
  const spare = [...declared];
  const complaints = holes.flatMap((hole) => {
    const index = spare.findIndex((gap) => gap.start < hole.stop + SECOND && gap.stop > hole.start - SECOND);
    const [gap] = index < 0 ? [] : spare.splice(index, 1);
    const said = `${text(hole.start)} to ${text(hole.stop)}`;
    if (gap === undefined) return [`does not declare the gap from ${said}`];
    const off = Math.max(Math.abs(gap.start - hole.start), Math.abs(gap.stop - hole.stop));
    const longer = gap.stop - gap.start - (hole.stop - hole.start);
    if (off <= TOLERANCE_MS && Math.abs(longer) <= TOLERANCE_MS) return [];
    return [`declares the gap from ${said} as ${text(gap.start)} to ${text(gap.stop)}`];
  });
  const more = spare.map(({ start, stop }) => `declares a gap that is none: ${text(start)} to ${text(stop)}`);
  return [...complaints, ...more];
}

/** Only the loss of the machine that captured, or of its cable, costs a part of an event. Padding is there to begin late. */
function excuseMissing(
  { spell, tunerId, isInEvent, start, stop }: Hole,
  text: (at: EpochMs) => string,
): readonly string[] {
  const said = `${text(start)} to ${text(stop)}`;
  if (tunerId === undefined) return isInEvent ? [`begins late, from ${said}`] : [];
  if (spell === undefined) return [`has a gap without a fault: ${said}`];
  if (spell.kind !== "power" && spell.kind !== "cable")
    return [`has a gap from ${said}, although only ${spell.kind} failed`];
  const node = tunerId.split("@")[1];
  if (node === undefined || node === spell.node) return [];
  return [`has a gap from ${said} on ${tunerId}, although only ${spell.node} failed`];
}

function outOfOrder(recording: Recording | undefined, reports: readonly TimerReport[]): readonly string[] {
  const order = ["waiting", "running", "completed"];
  const states = reports.flatMap(({ state }) => (state === undefined ? [] : [state]));
  const wrong = states.some((state, index) => {
    const before = states[index - 1];
    if (before === undefined) return false;
    if (before === "completed" || before === "failed") return state !== before;
    return state !== "failed" && order.indexOf(state) < order.indexOf(before);
  });
  const outcome = recording?.state === "partial" ? "failed" : recording?.state;
  return [
    ...(wrong ? [`was reported as ${states}`] : []),
    ...(states.at(-1) === outcome ? [] : [`is ${outcome}, and was reported as ${states}`]),
    ...(states.includes("running") || outcome !== "completed" ? [] : ["was never reported as running"]),
  ];
}

/** The longest gap after each kind of fault. */
export function gapTable(spells: readonly Spell[], all: readonly Judged[]): readonly string[] {
  const kinds = [...new Set(spells.map(kindOf))].sort();
  return kinds.map((kind) => {
    const holes = all
      .flatMap(({ holes: each }) => each)
      .filter(({ spell }) => spell && kindOf(spell) === kind);
    const lengths = holes.map(({ start, stop }) => stop - start).toSorted((a, b) => b - a);
    const count = spells.filter((each) => kindOf(each) === kind).length;
    const inEvents = holes.filter(({ isInEvent }) => isInEvent).length;
    return `${kind}: ${count} times; ${holes.length} gaps, ${inEvents} in events; ${lengths.map(length).join(", ")}`;
  });
}

function kindOf({ kind, wasLeader }: Spell): string {
  return wasLeader && kind !== "leader" ? `${kind} of the leader` : kind;
}

function length(ms: DurationMs): string {
  return `${(ms / SECOND).toFixed(2)} s`;
}
