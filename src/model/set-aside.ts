import { MODEL_LIMITS } from "./limits.ts";
import { doublingPauseMs, type EpochMs } from "./time.ts";

/** Work on foreign data, and what happens instead while it is set aside. */
export const WORK_KINDS = {
  /** Subject: the kind of the document. */
  "guide-document": "Meanwhile, a separate thread reads such documents.",
  /** A list of the guide, while it is read. Subject: `timers`, `channels`, `programmes` or `airings`. */
  "guide-list": "Meanwhile, the recorder does not fetch them, and keeps what it already has.",
  /** Any other decision. Subject: the kind of the occurrence, with the recording that it concerns. */
  decision: "This work is not skipped: recordings depend on it.",
  /** Subject: the id of the recording. */
  hook: "Meanwhile, the hooks of this recording wait.",
  /** Subject: none. */
  "broadcast-guide": "Meanwhile, no EIT data is gathered.",
  /** Subject: the name of the file. */
  "stored-document": "This work is not skipped: the daemon depends on it.",
} as const;
export type WorkKind = keyof typeof WORK_KINDS;

/** One piece of work, by the name that is noted before it begins. */
export interface Work {
  readonly kind: WorkKind;
  readonly subject: string;
}

/** Work that starved the event loop and is not done for a while. */
export interface SetAside extends Work {
  /** The latest time at which it starved the loop. */
  readonly at: EpochMs;
  /** The number of times. */
  readonly times: number;
  readonly until: EpochMs;
}

/**
 * The list after a piece of work has starved the loop: it is set aside for an hour, and for twice as long each further time, up
 * to a day. Entries older than a week are dropped; beyond `MODEL_LIMITS.setAsideKept`, the oldest.
 */
export function starvedBy(list: readonly SetAside[], work: Work, at: EpochMs): readonly SetAside[] {
  const times = (list.find((entry) => isSame(entry, work))?.times ?? 0) + 1;
  const forMs = doublingPauseMs(times, {
    firstMs: MODEL_LIMITS.setAsideMs,
    maxMs: MODEL_LIMITS.setAsideMsMax,
  });
  const others = list.filter(
    (entry) => !isSame(entry, work) && at - entry.at < MODEL_LIMITS.setAsideForgetMs,
  );
  const { kind, subject } = work;
  return [...others, { kind, subject, at, times, until: at + forMs }].slice(-MODEL_LIMITS.setAsideKept);
}

/** The work that is set aside now. A clock that was set back makes no entry last longer. */
export function setAsideNow(list: readonly SetAside[], now: EpochMs): readonly SetAside[] {
  return list.filter(({ until }) => now < until && until - now <= MODEL_LIMITS.setAsideMsMax);
}

/** Whether work is set aside now: because of itself, or because several of its kind are. */
export function isSetAside(list: readonly SetAside[], work: Work, now: EpochMs): boolean {
  if (list.length === 0) return false;
  const alike = setAsideNow(list, now).filter(({ kind }) => kind === work.kind);
  return alike.length >= MODEL_LIMITS.setAsideWholeKind || alike.some((entry) => isSame(entry, work));
}

/** Compares their lines, because entries are read from lines. */
function isSame(a: Work, b: Work): boolean {
  return workLine(a) === workLine(b);
}

const SUBJECT_LENGTH_MAX = 120;

/** One line that a shell can print into JSON: `hook 4711-1`. */
export function workLine({ kind, subject }: Work): string {
  return `${kind} ${subject.slice(0, SUBJECT_LENGTH_MAX).replace(/[^\x21\x23-\x5b\x5d-\x7e ]/g, "_")}`.trimEnd();
}

/** @returns `undefined` if the line names no work */
export function workOf(line: string): Work | undefined {
  const [name = "", ...rest] = line.split(" ");
  const kind = (Object.keys(WORK_KINDS) as WorkKind[]).find((each) => each === name);
  return kind === undefined ? undefined : { kind, subject: rest.join(" ").slice(0, SUBJECT_LENGTH_MAX) };
}
