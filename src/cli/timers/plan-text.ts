import type { Lack, Placement } from "../../model/plan.ts";
import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { type EpochMs, formatDuration, formatTimeOfDay } from "../../model/time.ts";
import { holdersText, remedyText } from "../../recorder/engine/core/planning-text.ts";
import { plainLine } from "../plain-text.ts";
import { tableText } from "../table.ts";
import { type Bar, pictureText } from "./plan-picture.ts";

/** Default width without a terminal. */
const PICTURE_COLUMNS = 100;
const NOWHERE = "no tuner";
const HEAD = ["#", "WHEN", "TITLE", "CHANNEL", "PRIORITY", "TUNER", "GIVEN UP"];

interface Item {
  readonly mark: string;
  readonly recording: Recording;
  /** Absent if its service is unknown, or if it is just ending. */
  readonly placement: Placement | undefined;
}

interface Reader {
  readonly columns: number | undefined;
  readonly timeZone: string;
}

/** The plan for people: a table, a chart of the tuners per day, and the reason and remedy of each conflict. */
export function planText(snapshot: Snapshot, { columns, timeZone }: Reader): string {
  const items = itemsOf(snapshot);
  if (items.length === 0) return "Nothing is planned.";
  const rows = items.map((item) => rowOf(item, timeZone));
  const tuners = snapshot.tuners.map(({ id }) => id);
  return [
    tableText({ head: HEAD, rows }, columns),
    ...pictures(items, { tuners, columnsMax: columns ?? PICTURE_COLUMNS, timeZone }),
    ...conflictLines(snapshot, { items, timeZone }),
    "",
    proofLine(snapshot, items),
  ].join("\n");
}

/** Running and coming recordings, in order of time. */
export function plannedOf({ recordings }: Pick<Snapshot, "recordings">): readonly Recording[] {
  return recordings
    .filter(({ state }) => !isTerminal(state))
    .toSorted((a, b) => a.window.start - b.window.start || (a.id < b.id ? -1 : 1));
}

function itemsOf(snapshot: Snapshot): readonly Item[] {
  const placementOf = new Map(snapshot.plan.placements.map((one) => [one.recordingId, one]));
  return plannedOf(snapshot).map((recording, at) => ({
    mark: String(at + 1),
    recording,
    placement: placementOf.get(recording.id),
  }));
}

function rowOf({ mark, recording, placement }: Item, timeZone: string): readonly string[] {
  const { name, channelName, tunerId = "-", override } = recording;
  const priority = `${recording.priority}${override?.priority === undefined ? "" : " (own)"}`;
  const { start, stop } = placement?.kind === "placed" ? placement.span : recording.window;
  const when = `${dayText(start, timeZone)} ${clockText(start, timeZone)}–${clockText(stop, timeZone)}`;
  const tuner = placement?.kind === "placed" ? placement.tunerId : placement === undefined ? tunerId : "-";
  return [mark, when, name, channelName, priority, tuner, givenUp(recording, placement)];
}

function givenUp(recording: Recording, placement: Placement | undefined): string {
  const { event, window, service, state } = recording;
  if (service === undefined) return "everything: the guide names no service";
  if (placement === undefined) return "";
  if (placement.kind === "conflict")
    return placement.capable ? "everything" : "everything: no tuner receives it";
  const { begin, span, seamMs } = placement;
  if (placement.isHope === true) return "everything, unless its tuner works again";
  const isBegun = inMotion(state);
  const firstMs = isBegun ? 0 : begin - event.start;
  const beforeMs = isBegun || firstMs > 0 ? 0 : span.start - window.start;
  const afterMs = window.stop - span.stop;
  return [
    firstMs > 0 ? `the first ${formatDuration(firstMs)}` : "",
    beforeMs > 0 ? `${formatDuration(beforeMs)} before` : "",
    afterMs > 0 ? `${formatDuration(afterMs)} after` : "",
    seamMs > 0 ? `begins up to ${formatDuration(Math.ceil(seamMs / 1000) * 1000)} late` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function pictures(
  items: readonly Item[],
  {
    tuners,
    columnsMax,
    timeZone,
  }: { readonly tuners: readonly string[]; readonly columnsMax: number; readonly timeZone: string },
): readonly string[] {
  const dayOf = ({ recording }: Item) => dayText(recording.window.start, timeZone);
  return [...new Set(items.map(dayOf))].flatMap((day) => {
    const bars = items.filter((item) => dayOf(item) === day).map(barOf);
    // A tuner that was removed from the configuration may still be in use.
    const held = bars.map(({ lane }) => lane).filter((lane) => lane !== NOWHERE);
    const lanes = [...new Set([...tuners, ...held])];
    const all = bars.some(({ lane }) => lane === NOWHERE) ? [...lanes, NOWHERE] : lanes;
    return ["", day, pictureText(bars, { lanes: all, columnsMax, timeZone })];
  });
}

function barOf({ mark, recording, placement }: Item): Bar {
  const { event, window, tunerId = NOWHERE } = recording;
  if (placement?.kind === "placed")
    return { mark, lane: placement.tunerId, span: placement.span, event: recording.event };
  return { mark, lane: placement === undefined ? tunerId : NOWHERE, span: window, event };
}

function conflictLines(
  { plan }: Snapshot,
  { items, timeZone }: { readonly items: readonly Item[]; readonly timeZone: string },
): readonly string[] {
  const byId = new Map(items.map((item) => [item.recording.id, item]));
  const nameOf = (id: string) => byId.get(id)?.recording;
  const lines = plan.conflicts.flatMap(({ recordingId, holders, remedies }: Lack) => {
    const item = byId.get(recordingId);
    if (item === undefined) return [];
    const { mark, recording, placement } = item;
    const lost = givenUp(recording, placement);
    return [
      `  ${mark}  ${plainLine(recording.name)}: loses ${lost === "" ? "its beginning" : lost}`,
      ...(holders.length === 0 ? [] : [`     ${plainLine(holdersText(holders, nameOf, { timeZone }))}.`]),
      ...remedies.map((remedy) => `     - ${plainLine(remedyText(remedy, nameOf, { timeZone }))}`),
    ];
  });
  return lines.length === 0 ? [] : ["", "Conflicts:", ...lines];
}

/** How firmly the plan is proven optimal. */
function proofLine({ plan: { groups } }: Snapshot, items: readonly Item[]): string {
  const open = groups.filter(({ proven, provisional }) => proven === "none" || provisional === true);
  if (open.length === 0) return "Proven for all recordings: no plan records more.";
  const marks = new Map(items.map(({ mark, recording }) => [recording.id, mark]));
  return open
    .map(({ recordingIds, worth, provisional = false, wholeAtMost = [] }) => {
      const those = recordingIds.map((id) => marks.get(id) ?? id).join(", ");
      if (provisional && worth.priorities.length === 0) return `Not planned yet: ${those}.`;
      if (provisional) return `Provisional, planning still runs, for ${those}: ${sum(worth.whole)} whole.`;
      return `Best plan found, not proven, for ${those}: ${sum(worth.whole)} whole, at most ${sum(wholeAtMost)} possible.`;
    })
    .join("\n");
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}

function dayText(at: EpochMs, timeZone: string): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-CA", { timeZone, ...options }).format(at);
  return `${part({ weekday: "short" }).slice(0, 3)} ${part({ year: "numeric", month: "2-digit", day: "2-digit" })}`;
}

/** To the minute. */
function clockText(at: EpochMs, timeZone: string): string {
  return formatTimeOfDay(at, timeZone).slice(0, 5);
}
