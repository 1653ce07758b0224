import {
  type Doubt,
  type Lack,
  lackOf,
  MAIN_KINDS,
  type MainKind,
  type StreamFacts,
  type Track,
} from "../../model/inspection.ts";
import { SECOND } from "../../model/time.ts";
import { coveredMs, merged, shared, uncovered, type Window } from "../../model/window.ts";
import type { DoubtfulSpan } from "../looks/doubts.ts";

/** A PMT may list a stream this long before it starts, and this long after it has ended. */
const CHANGE_MS = SECOND;

/** One elementary stream and its presence, in ms of stream time. */
export interface FoundStream {
  readonly facts: StreamFacts;
  readonly wasSent: boolean;
  /** Most of its pictures stand for longer than those of any film. */
  readonly isStill?: boolean;
  readonly spans: readonly Window[];
  readonly doubts: readonly DoubtfulSpan[];
}

/** The streams that a PMT listed, in its order, while it was valid. */
export interface Era extends Window {
  readonly streams: readonly FoundStream[];
}

export interface Presence {
  readonly spans: readonly Window[];
  readonly lacks: readonly Lack[];
  readonly doubts: readonly Doubt[];
  readonly tracks: readonly Track[];
}

/**
 * @param runs spans in which the clock ran
 * @param isRadio the SDT calls it radio: if it has sound, its pictures are an addition
 */
export function presenceOf(runs: readonly Window[], eras: readonly Era[], isRadio = false): Presence {
  const spans: Window[] = [];
  const lacks: Lack[] = [];
  const mains = new Set<FoundStream>();
  const hasSound = eras.some((era) => mainOf(era, "audio") !== undefined);
  const kinds = isRadio && hasSound ? (["audio"] as const) : MAIN_KINDS;
  const sent = kinds.filter((kind) => eras.some((era) => isSent(mainOf(era, kind))));
  const mainIn = withoutSubstitutes(eras);
  for (const [index, era] of eras.entries()) {
    const inEra = shared(runs, [era]);
    const around = { before: eras[index - 1], after: eras[index + 1] };
    let present: readonly Window[] = inEra;
    const required = kinds.map((kind) => mainIn(era, kind)).filter((each) => each !== undefined);
    for (const stream of required) {
      mains.add(stream);
      const there = atChanges(stream, { era, ...around });
      const kind = lackOf(stream.facts.kind);
      for (const span of shared(inEra, uncovered(era, there))) lacks.push({ ...span, kind });
      present = shared(present, there);
    }
    // A service that goes on as radio lacks its picture, whatever its PMT says.
    const withdrawn =
      era.stop - era.start > CHANGE_MS ? sent.filter((kind) => mainIn(era, kind) === undefined) : [];
    if (required.length > 0 && withdrawn.length > 0) {
      for (const span of inEra) for (const kind of withdrawn) lacks.push({ ...span, kind: lackOf(kind) });
      present = [];
    }
    // One by one: a spread passes only some ten thousand arguments.
    if (required.length > 0) for (const span of present) spans.push(span);
  }
  return {
    spans: merged(spans),
    lacks: mergedLacks(lacks),
    doubts: [...mains, ...extrasOf(eras, mains)].flatMap((stream) => doubtsOf(stream, !mains.has(stream))),
    tracks: tracksOf(eras, { runs, mains }),
  };
}

/** Doubts about what counts as present. */
function doubtsOf({ facts: { kind, pid }, spans, doubts }: FoundStream, isExtra: boolean): readonly Doubt[] {
  return doubts
    .filter((span) => coveredMs(span, spans) > 0)
    .map((span) => ({
      ...span,
      kind: lackOf(kind),
      pid,
      ...(isExtra ? ({ isExtra: true } as const) : {}),
    }));
}

/** The other pictures and sounds. */
function extrasOf(eras: readonly Era[], mains: ReadonlySet<FoundStream>): ReadonlySet<FoundStream> {
  const isExtra = (stream: FoundStream) =>
    MAIN_KINDS.some((kind) => kind === stream.facts.kind) && !mains.has(stream);
  return new Set(eras.flatMap(({ streams }) => streams.filter(isExtra)));
}

/**
 * The first stream in PMT order that is sent at all: a listed stream may never come. A picture that moves comes before one that
 * stands. Audio description and the like are the main stream only if nothing else is listed: they do not replace the sound.
 */
function mainOf({ streams }: Era, kind: MainKind): FoundStream | undefined {
  const all = streams.filter(({ facts }) => facts.kind === kind);
  const own = all.filter(({ facts }) => facts.isSupplement !== true);
  const able = own.length > 0 ? own : all;
  const sent = able.filter(({ wasSent }) => wasSent);
  return sent.find(({ isStill }) => isStill !== true) ?? sent[0] ?? able[0];
}

/** A service that had its own sound lacks it where the PMT lists only an audio description. */
function withoutSubstitutes(eras: readonly Era[]): typeof mainOf {
  const own = MAIN_KINDS.filter((kind) =>
    eras.some((era) => isSent(mainOf(era, kind)) && mainOf(era, kind)?.facts.isSupplement !== true),
  );
  return (era, kind) => {
    const main = mainOf(era, kind);
    return main?.facts.isSupplement === true && own.includes(kind) ? undefined : main;
  };
}

/** Radio may show a still picture now and then: its end is no loss. */
function isSent(stream: FoundStream | undefined): boolean {
  return stream?.wasSent === true && stream.facts.mayStill !== true && stream.isStill !== true;
}

interface Neighbours {
  readonly era: Era;
  readonly before: Era | undefined;
  readonly after: Era | undefined;
}

/** A stream's presence, including gaps next to the PMT change that added or removed it: no PMT changes to the instant. */
function atChanges(stream: FoundStream, { era, before, after }: Neighbours): readonly Window[] {
  const isNew = before !== undefined && !before.streams.includes(stream);
  const isLast = after !== undefined && !after.streams.includes(stream);
  const inside = shared(stream.spans, [era]);
  return inside.map(({ start, stop }, index) => ({
    start: isNew && index === 0 && start - era.start <= CHANGE_MS ? era.start : start,
    stop: isLast && index === inside.length - 1 && era.stop - stop <= CHANGE_MS ? era.stop : stop,
  }));
}

/** Merges adjacent gaps of one kind: a PMT change does not split them. */
function mergedLacks(lacks: readonly Lack[]): readonly Lack[] {
  const kinds = ["picture", "sound"] as const;
  return kinds
    .flatMap((kind) =>
      merged(lacks.filter((lack) => lack.kind === kind)).map(({ start, stop }) => ({ start, stop, kind })),
    )
    .sort((a, b) => a.start - b.start);
}

function tracksOf(
  eras: readonly Era[],
  { runs, mains }: { readonly runs: readonly Window[]; readonly mains: ReadonlySet<FoundStream> },
): readonly Track[] {
  const announced = new Map<FoundStream, Window[]>();
  for (const { streams, start, stop } of eras) {
    for (const stream of streams) {
      const windows = announced.get(stream) ?? [];
      windows.push({ start, stop });
      announced.set(stream, windows);
    }
  }
  return [...announced].map(([stream, windows]) => ({
    ...stream.facts,
    ...(stream.isStill === true ? ({ mayStill: true } as const) : {}),
    isMain: mains.has(stream),
    announced: merged(windows),
    // The last units' timestamps run ahead of the clock, and a still picture may outlast clock and PMT.
    spans: merged(shared(shared(stream.spans, runs), merged(windows))),
  }));
}
