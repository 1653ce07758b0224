import { isHealing } from "../../../model/healing.ts";
import { inOrder, isBefore, isTerminal, plannedSpan, type Recording } from "../../../model/recording.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import type { DaemonDocument } from "./document.ts";

/** What of all recordings decisions are about: there may be ten thousand that are over, and thousands that lie far ahead. */
export type RecordingIndex = Readonly<Record<keyof typeof LISTS, readonly Recording[]>>;

/** What a decision makes of one recording; absent: it is not there. */
interface Change {
  readonly before: Recording | undefined;
  readonly after: Recording | undefined;
}

interface List {
  readonly includes: (recording: Recording) => boolean;
  /** 0 for versions of one recording alone. */
  readonly order: (a: Recording, b: Recording) => number;
}

/** As they were ordered, where nothing else is said. */
const LISTS = {
  /** Have not ended, as they come: plans are made of them. */
  open: { includes: isOpen, order: (a, b) => a.window.start - b.window.start || byId(a, b) },
  /** Of these, every decision looks at what began or is held … */
  begun: { includes: (each) => isOpen(each) && !isAhead(each), order: byId },
  /** … and at the others only when their time comes; the soonest first. */
  ahead: { includes: isAhead, order: (a, b) => earliestActionAt(a) - earliestActionAt(b) || byId(a, b) },
  ended: { includes: (each) => !isOpen(each), order: byId },
  /** What is to be said of them waits. */
  unsaid: { includes: ({ reportPending }) => reportPending === true, order: byId },
  /** A repeat is booked or being booked for them, ended or not. */
  healing: { includes: ({ healing }) => healing !== undefined && isHealing(healing), order: byId },
  /** Have ended, and the guide knows repeats of them. */
  repeated: { includes: (each) => each.repeats !== undefined && !isOpen(each), order: byId },
  /** Nothing is to come of them any more; the oldest first. */
  over: {
    includes: (each) => settledSince(each) < Number.POSITIVE_INFINITY,
    order: (a, b) => settledSince(a) - settledSince(b) || byId(a, b),
  },
} as const satisfies Readonly<Record<string, List>>;

/** Recordings are values: this is found once, and for what a decision makes of them follows from what it changes. */
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

/** Those about which there may be something to do by the time: who began, and whose tuner may be needed by now. */
export function dueSoon({ begun, ahead }: RecordingIndex, until: EpochMs): readonly Recording[] {
  const first = ahead.findIndex((each) => earliestActionAt(each) > until);
  const come = first < 0 ? ahead : ahead.slice(0, first);
  return come.length === 0 ? begun : [...begun, ...come].sort(byId);
}

/** The same, and with them those of which one is the next. */
export function dueSoonOrNext(
  concerns: RecordingIndex,
  { now, warmUpMs }: { readonly now: EpochMs; readonly warmUpMs: DurationMs },
): readonly Recording[] {
  const next = concerns.ahead.find((each) => earliestActionAt(each) > now + warmUpMs);
  return dueSoon(concerns, (next === undefined ? now : earliestActionAt(next)) + warmUpMs);
}

/** Nothing is to be done earlier about a recording that lies ahead, the time to tune aside. */
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
    unsaid: made("unsaid"),
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

/** Where it is, or belongs. */
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

function isOpen({ state }: Recording): boolean {
  return !isTerminal(state);
}

function isAhead(recording: Recording): boolean {
  return isBefore(recording) && recording.clockHoldReason === undefined;
}

/** Since when nothing is to come of it any more; infinite where something is. */
export function settledSince({ endedAt, event, healing }: Recording): EpochMs {
  if (endedAt === undefined || (healing !== undefined && isHealing(healing))) return Number.POSITIVE_INFINITY;
  return Math.max(endedAt, event.stop);
}
