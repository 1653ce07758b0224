import { isHealing } from "../../../model/healing.ts";
import { inOrder, isBefore, isOpen, plannedSpan, type Recording } from "../../../model/recording.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import type { DaemonDocument } from "./document.ts";

/** The lists of recordings that decisions need. Ten thousand recordings may be over, and thousands far ahead. */
export type RecordingIndex = Readonly<Record<keyof typeof LISTS, readonly Recording[]>>;

/** The old and new version of one recording; absent: it does not exist. */
interface Change {
  readonly before: Recording | undefined;
  readonly after: Recording | undefined;
}

interface List {
  readonly includes: (recording: Recording) => boolean;
  /** 0 only for versions of one recording. */
  readonly order: (a: Recording, b: Recording) => number;
}

/** Sorted by id unless stated otherwise. */
const LISTS = {
  /** Have not ended; sorted by window for planning. */
  open: { includes: isOpen, order: (a, b) => a.window.start - b.window.start || byId(a, b) },
  /** Open ones that began or that an untrusted clock suspends: every decision checks these … */
  begun: { includes: (each) => isOpen(each) && !isAhead(each), order: byId },
  /** … and the others only when their time comes; the soonest first. */
  ahead: { includes: isAhead, order: (a, b) => earliestActionAt(a) - earliestActionAt(b) || byId(a, b) },
  ended: { includes: (each) => !isOpen(each), order: byId },
  /** Their report is pending. */
  reportPending: { includes: ({ reportPending }) => reportPending === true, order: byId },
  /** A repeat is booked or being booked for them, ended or not. */
  healing: { includes: ({ healing }) => healing !== undefined && isHealing(healing), order: byId },
  /** Have ended, and the guide knows repeats of them. */
  repeated: { includes: (each) => each.repeats !== undefined && !isOpen(each), order: byId },
  /** Nothing more happens to them; the oldest first. */
  over: {
    includes: (each) => settledSince(each) < Number.POSITIVE_INFINITY,
    order: (a, b) => settledSince(a) - settledSince(b) || byId(a, b),
  },
} as const satisfies Readonly<Record<string, List>>;

/** Recordings are values: the index is built once, then updated with the changes of each decision. */
const INDEX_CACHE = new WeakMap<DaemonDocument["recordings"], RecordingIndex>();

export function recordingIndexOf(recordings: DaemonDocument["recordings"]): RecordingIndex {
  const known = INDEX_CACHE.get(recordings);
  if (known !== undefined) return known;
  const all = Object.values(recordings);
  const found = buildIndex(({ includes, order }) => all.filter(includes).sort(order));
  INDEX_CACHE.set(recordings, found);
  return found;
}

export function cacheIndex(recordings: DaemonDocument["recordings"], concerns: RecordingIndex): void {
  INDEX_CACHE.set(recordings, concerns);
}

export function updateIndex(known: RecordingIndex, changes: readonly Change[]): RecordingIndex {
  return buildIndex((list, name) => updateList(known[name], changes, list));
}

/** Recordings that may need a decision by now: those that began, and those whose tuner may be needed. */
export function dueSoon({ begun, ahead }: RecordingIndex, until: EpochMs): readonly Recording[] {
  const first = ahead.findIndex((each) => earliestActionAt(each) > until);
  const come = first < 0 ? ahead : ahead.slice(0, first);
  return come.length === 0 ? begun : [...begun, ...come].sort(byId);
}

/** The same, plus the next recording and all that come due with it. */
export function dueSoonOrNext(
  concerns: RecordingIndex,
  { now, warmUpMs }: { readonly now: EpochMs; readonly warmUpMs: DurationMs },
): readonly Recording[] {
  const next = concerns.ahead.find((each) => earliestActionAt(each) > now + warmUpMs);
  return dueSoon(concerns, (next === undefined ? now : earliestActionAt(next)) + warmUpMs);
}

/** The earliest instant at which a future recording needs a decision, warm-up aside. */
export function earliestActionAt(recording: Recording): EpochMs {
  return Math.min(plannedSpan(recording).start, recording.window.stop);
}

function buildIndex(make: (list: List, name: keyof RecordingIndex) => readonly Recording[]): RecordingIndex {
  const made = (name: keyof RecordingIndex) => make(LISTS[name], name);
  return {
    open: made("open"),
    begun: made("begun"),
    ahead: made("ahead"),
    ended: made("ended"),
    reportPending: made("reportPending"),
    healing: made("healing"),
    repeated: made("repeated"),
    over: made("over"),
  };
}

function updateList(
  list: readonly Recording[],
  changes: readonly Change[],
  { includes, order }: List,
): readonly Recording[] {
  let next: Recording[] | undefined;
  for (const { before, after } of changes) {
    const gone = before !== undefined && includes(before) ? before : undefined;
    const come = after !== undefined && includes(after) ? after : undefined;
    if (gone === undefined && come === undefined) continue;
    next ??= [...list];
    if (gone !== undefined) {
      const at = positionOf(gone, next, order);
      if (come !== undefined && order(gone, come) === 0) {
        next[at] = come;
        continue;
      }
      next.splice(at, 1);
    }
    if (come !== undefined) next.splice(positionOf(come, next, order), 0, come);
  }
  return next ?? list;
}

/** The index of a recording in the list, or the index where it belongs. */
function positionOf(recording: Recording, list: readonly Recording[], order: List["order"]): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = list[middle];
    if (other !== undefined && order(other, recording) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function byId(a: Recording, b: Recording): number {
  return a.id === b.id ? 0 : inOrder(a.id, b.id);
}

function isAhead(recording: Recording): boolean {
  return isBefore(recording) && recording.clockHoldReason === undefined;
}

/** The instant since which nothing more happens to a recording; infinite while something may. */
export function settledSince({ endedAt, event, healing }: Recording): EpochMs {
  if (endedAt === undefined || (healing !== undefined && isHealing(healing))) return Number.POSITIVE_INFINITY;
  return Math.max(endedAt, event.stop);
}
