import { intersection, merged, uncovered, type Window } from "../../src/model/window.ts";
import {
  isAnnounced,
  isLost,
  isOut,
  isStill,
  type Kind,
  kindOf,
  type MapScript,
  mapAt,
  NO_PCR_PID,
  type ServiceScript,
  type StreamScript,
  TOLERANCES,
  unitAt,
} from "./service-script.ts";
import { lastPcrMs, streamTime } from "./service-time.ts";

export interface StreamTruth {
  readonly pid: number;
  readonly kind: Kind;
  readonly neverSent: boolean;
  readonly isMain: boolean;
  readonly announced: readonly Window[];
  readonly spans: readonly Window[];
  /** Windows in which the rules leave open whether the stream is there. */
  readonly open: readonly Window[];
}

/** The facts that follow from a script alone. All windows are ms of stream time. */
export interface ServiceTruth {
  readonly clock: "pcr" | "other-pcr" | "timestamps";
  readonly streamMs: number;
  readonly streams: readonly StreamTruth[];
  /** When picture and main sound are there, as far as the PMT announces them. */
  readonly spans: readonly Window[];
  /** When the service is there without its picture, and without its main sound. */
  readonly lacks: { readonly picture: readonly Window[]; readonly sound: readonly Window[] };
  /** Windows in which the rules leave that open. */
  readonly open: readonly Window[];
  readonly toleranceMs: number;
}

type MainKind = "video" | "audio";
const MAIN_KINDS: readonly MainKind[] = ["video", "audio"];

/**
 * An outage takes what it names from its stream, and a loss takes everything. A PMT that lists no picture any more takes the
 * picture, and likewise the sound. Nothing else does: other changes of the PMT, of the clock and of the lead are legal.
 */
export function truthOf(script: ServiceScript): ServiceTruth {
  const streamMs = lastPcrMs(script);
  const whole = { start: 0, stop: streamMs };
  const eras = erasOf(script, streamMs);
  const lost = lostOf(script);
  const fates = script.streams.map((_, index) => fateOf(script, index));
  const missing = fates.map((fate) => (fate === "never sent" ? [whole] : [...lost, ...fate]));
  /** The first stream of its kind in the PMT that is sent at all and no audio description. */
  const mainOf = (map: MapScript, kind: MainKind) =>
    map.streams.find(
      (index) =>
        isOfKind(script, index, kind) &&
        fates[index] !== "never sent" &&
        script.streams[index]?.isDescription !== true,
    );
  const streams = script.streams.map((stream, index) => {
    const announced = merged(eras.flatMap(({ map, span }) => (map.streams.includes(index) ? [span] : [])));
    return {
      pid: stream.pid,
      kind: kindOf(stream),
      neverSent: fates[index] === "never sent",
      isMain: script.maps.some((map) => MAIN_KINDS.some((kind) => mainOf(map, kind) === index)),
      announced,
      spans: announced.flatMap((span) => uncovered(span, missing[index] ?? [])),
      open: [...changesOf(announced, whole), ...stillOpen(script, stream)],
    };
  });
  const isSent = (kind: MainKind) =>
    eras.some(({ map }) => {
      const stream = script.streams[mainOf(map, kind) ?? -1];
      return stream !== undefined && !isStill(stream);
    });
  const without = (kind: MainKind) =>
    eras.flatMap(({ map, span }) => {
      if (!lists(script, map, kind)) {
        const isMute = !MAIN_KINDS.some((each) => lists(script, map, each));
        const isBrief = span.stop - span.start <= TOLERANCES.changeMs;
        return isSent(kind) && !isMute && !isBrief ? [span] : [];
      }
      const main = mainOf(map, kind);
      if (main === undefined) return [span];
      return (missing[main] ?? []).map((each) => intersection(each, span));
    });
  const noPicture = without("video");
  const noSound = without("audio");
  const mute = eras.flatMap(({ map, span }) =>
    MAIN_KINDS.some((kind) => lists(script, map, kind)) ? [] : [span],
  );
  const thereWithout = (spans: readonly Window[]) => merged(spans).flatMap((span) => uncovered(span, lost));
  return {
    clock: clockOf(script),
    streamMs,
    streams,
    spans: uncovered(whole, [...noPicture, ...noSound, ...mute]),
    lacks: { picture: thereWithout(noPicture), sound: thereWithout(noSound) },
    open: script.streams.flatMap((stream) => stillOpen(script, stream)),
    toleranceMs: toleranceOf(script),
  };
}

interface Era {
  readonly map: MapScript;
  readonly span: Window;
}

function erasOf(script: ServiceScript, streamMs: number): readonly Era[] {
  return script.maps.map((map, index) => {
    const next = script.maps[index + 1];
    const start = index === 0 ? 0 : streamTime(script, map.fromMs);
    return { map, span: { start, stop: next === undefined ? streamMs : streamTime(script, next.fromMs) } };
  });
}

function lostOf(script: ServiceScript): readonly Window[] {
  return script.losses.map(({ start, stop }) => ({
    start: streamTime(script, start),
    stop: streamTime(script, stop),
  }));
}

function lists(script: ServiceScript, map: MapScript, kind: MainKind): boolean {
  return map.streams.some((index) => isOfKind(script, index, kind));
}

function isOfKind(script: ServiceScript, index: number, kind: MainKind): boolean {
  const stream = script.streams[index];
  return stream !== undefined && kindOf(stream) === kind;
}

/**
 * The windows that a stream's outages remove while it is announced. Units are placed by their DTS; the lead of the first one that
 * arrives since the clock runs without a break is taken off, so that a stream begins with the packets that bring it.
 */
function fateOf(script: ServiceScript, index: number): readonly Window[] | "never sent" {
  const stream = script.streams[index];
  if (stream === undefined || stream.neverSent) return "never sent";
  const missing: Window[] = [];
  let isSent = false;
  let dueFrom: number | undefined;
  let lead: number | undefined;
  let run = 0;
  let from: number | undefined;
  const end = (stop: number) => {
    if (from !== undefined) missing.push({ start: from, stop });
    from = undefined;
  };
  for (let count = 0, unit = unitAt(stream, 0); unit.sentMs < script.durationMs; count += 1) {
    const { sentMs, dtsMs } = unit;
    unit = unitAt(stream, count + 1);
    const thisRun = runAt(script, sentMs);
    if (thisRun !== run) lead = undefined;
    run = thisRun;
    const position = streamTime(script, sentMs);
    const isDue = sentMs >= 0 && isAnnounced(script, index, sentMs);
    const isHere = isDue && !isOut(stream, dtsMs) && !isLost(script, sentMs);
    const wasDue = dueFrom !== undefined;
    dueFrom = isDue ? (dueFrom ?? streamTime(script, mapAt(script, sentMs)?.fromMs ?? 0)) : undefined;
    if (isHere) lead ??= dtsMs - sentMs;
    const place = position + (lead === undefined ? 0 : dtsMs - sentMs - lead);
    if (isHere) isSent = true;
    if (isHere) end(place);
    else if (!isDue) end(position);
    else if (isOut(stream, dtsMs)) from ??= wasDue ? place : dueFrom;
  }
  end(Number.POSITIVE_INFINITY);
  return isSent ? missing : "never sent";
}

/** How often the clock broke off before an instant. */
function runAt({ losses, jumps }: ServiceScript, atMs: number): number {
  const breaks = [
    ...losses.map(({ stop }) => stop),
    ...jumps.filter(({ byMs }) => byMs < 0 || byMs > TOLERANCES.pauseMs).map((jump) => jump.atMs),
  ];
  return breaks.filter((at) => at <= atMs).length;
}

function clockOf({ maps: [map] }: ServiceScript): ServiceTruth["clock"] {
  if (map?.pcrsOn === undefined) return "timestamps";
  return map.pcrPid === map.pcrsOn && map.pcrPid !== NO_PCR_PID ? "pcr" : "other-pcr";
}

/** Around the instant at which a stream is announced or withdrawn its lead leaves it open whether it is there. */
function changesOf(announced: readonly Window[], whole: Window): readonly Window[] {
  return announced
    .flatMap(({ start, stop }) => [start, stop])
    .filter((at) => at > whole.start && at < whole.stop)
    .map((at) => ({ start: at - TOLERANCES.changeMs, stop: at + TOLERANCES.changeMs }));
}

/** A still picture stands until the next one: where one of them is lost, or is the first or the last, it is open how long. */
function stillOpen(script: ServiceScript, stream: StreamScript): readonly Window[] {
  if (!isStill(stream) || stream.neverSent) return [];
  const aroundMs = 2 * stream.unitMs + TOLERANCES.changeMs;
  const breaks = [
    0,
    ...script.losses.flatMap(({ start, stop }) => [start, stop]),
    // Right before a jump and right after it.
    ...script.jumps.flatMap(({ atMs }) => [atMs - 1, atMs]),
    ...script.maps.map(({ fromMs }) => fromMs),
    script.durationMs,
  ];
  return breaks.map((atMs) => {
    const at = streamTime(script, atMs);
    return { start: at - aroundMs, stop: at + aroundMs };
  });
}

/** The time after which another stream replaces still pictures as the clock. */
const STILL_TELLS_MS = 1000;

/**
 * PCRs that move without a word of the PMT leave their streams without a clock for a PES packet. Without PCRs time passes in steps
 * of PES packets, and as their lead has it; each PMT may name others.
 */
function toleranceOf(script: ServiceScript): number {
  const { boundaryMs } = TOLERANCES;
  const moving = script.streams.filter((stream) => !isStill(stream));
  const clock = clockOf(script);
  if (clock === "timestamps") {
    const steps = moving.map(({ unitMs, lead }) => 2 * (unitMs + lead.swingMs));
    const stillMs = moving.length < script.streams.length ? STILL_TELLS_MS : 0;
    return boundaryMs + stillMs + script.maps.length * Math.max(...steps);
  }
  const isFollowed = clock === "pcr" || new Set(script.maps.map(({ pcrsOn }) => pcrsOn)).size === 1;
  return boundaryMs + (isFollowed ? 0 : Math.max(...moving.map(({ unitMs }) => unitMs)));
}
