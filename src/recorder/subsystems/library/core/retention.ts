import type { LibraryEntry } from "../../../../model/library.ts";
import { isTerminal, type RecordingId } from "../../../../model/recording.ts";
import { DAY, type EpochMs } from "../../../../model/time.ts";
import { isOwn } from "./importing.ts";

/** The rules for automatic removal of our own recordings. Without any rule nothing is ever removed. */
export interface RetentionPolicy {
  /** Recordings are removed this many days after their end. */
  readonly days?: number;
  /** Watched ones are removed this many days after their end. */
  readonly watchedDays?: number;
  /** The number of newest recordings to keep of one series, or of one title without a series. A rule may have its own. */
  readonly keepPerSeries?: number;
  /** Below this free space the oldest are removed, watched ones first. */
  readonly freeBytes?: number;
}

export interface Removal {
  readonly entry: LibraryEntry;
  readonly reason: string;
}

/** The state in which recordings are removed. */
export interface RetentionQuestion {
  /** Absent while unknown: then nothing is removed for space. */
  readonly freeBytes?: number;
  /** Absent while the clock is not trusted: then nothing is removed for age. */
  readonly now?: EpochMs;
  /** Whether the recording was played a short while ago; absent: none. */
  readonly isPlayed?: (id: RecordingId) => boolean;
}

/**
 * The recordings to remove now. Protected ones stay, and do not count for a series. One that is played stays too, unless a
 * recording needs the room and no other one is left. For free space it names just enough by recorded sizes; the next look shows
 * the effect.
 */
export function dueForRemoval(
  entries: readonly LibraryEntry[],
  policy: RetentionPolicy,
  { freeBytes, now, isPlayed = () => false }: RetentionQuestion,
): readonly Removal[] {
  const open = entries.filter(
    (entry) => !entry.protected && entry.deleted === undefined && isTerminal(entry.state) && isOwn(entry),
  );
  const out = new Map<string, Removal>();
  const go = (entry: LibraryEntry, reason: string) => {
    if (!out.has(entry.recordingId)) out.set(entry.recordingId, { entry, reason });
  };
  const idle = ({ recordingId }: LibraryEntry) => !isPlayed(recordingId);
  for (const entry of open.filter(idle)) {
    const reason = now === undefined ? undefined : ageReason(entry, policy, now);
    if (reason !== undefined) go(entry, reason);
  }
  for (const group of keptTogether(open, policy.keepPerSeries)) {
    for (const entry of group.entries.slice(group.keep).filter(idle)) go(entry, keptText(group));
  }
  const missing = (policy.freeBytes ?? 0) - (freeBytes ?? Number.POSITIVE_INFINITY);
  let freed = [...out.values()].reduce((sum, { entry }) => sum + entry.bytes, 0);
  const byUse = (a: LibraryEntry, b: LibraryEntry) => Number(idle(b)) - Number(idle(a)) || byWorth(a, b);
  for (const entry of [...open].sort(byUse)) {
    if (freed >= missing) break;
    if (out.has(entry.recordingId)) continue;
    go(entry, "the disk had too little free space");
    freed += entry.bytes;
  }
  return [...out.values()];
}

function ageReason(
  { endedAt, watched }: LibraryEntry,
  { days, watchedDays }: RetentionPolicy,
  now: EpochMs,
): string | undefined {
  const isOlder = (than: number) => now - endedAt >= than * DAY;
  if (days !== undefined && isOlder(days)) return `older than ${days} days`;
  if (watched && watchedDays !== undefined && isOlder(watchedDays)) {
    return `watched, and older than ${watchedDays} days`;
  }
  return undefined;
}

/** Recordings of which only the newest are kept. */
interface Group {
  /** The newest first. */
  readonly entries: readonly LibraryEntry[];
  readonly keep: number;
  /** They are together because of this rule. */
  readonly ruleId?: number;
}

/** A rule that says how many to keep has a group of its own; the other recordings follow the configuration. */
function keptTogether(entries: readonly LibraryEntry[], keep: number | undefined): readonly Group[] {
  const ofRules = groupedBy(entries, ({ rule }) => rule?.id).flatMap((group): readonly Group[] => {
    // The rule may have changed: its newest recording has the number in force.
    const { rule } = group[0];
    return rule?.keep === undefined ? [] : [{ entries: group, keep: rule.keep, ruleId: rule.id }];
  });
  if (keep === undefined) return ofRules;
  const grouped = new Set(ofRules.flatMap((group) => group.entries));
  const others = entries.filter((entry) => !grouped.has(entry));
  return [...ofRules, ...groupedBy(others, groupOf).map((group) => ({ entries: group, keep }))];
}

/** In each group, the newest first. */
function groupedBy(
  entries: readonly LibraryEntry[],
  keyOf: (entry: LibraryEntry) => string | number | undefined,
): readonly (readonly [LibraryEntry, ...LibraryEntry[]])[] {
  const groups = new Map<string | number | undefined, [LibraryEntry, ...LibraryEntry[]]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return [...groups.values()].map((group) =>
    group.sort((a, b) => b.event.start - a.event.start || b.endedAt - a.endedAt),
  );
}

function keptText({ keep, ruleId }: Group): string {
  return ruleId === undefined
    ? `only its newest ${keep} are kept`
    : `only the newest ${keep} of rule ${ruleId} are kept`;
}

/** Recordings of one series by the guide or by the account; else of one title. Ids of the two are unrelated. */
function groupOf({ guideSeries, series, name }: LibraryEntry): string {
  if (guideSeries !== undefined) return `guide ${guideSeries}`;
  return series === undefined ? `title ${name.toLowerCase()}` : `series ${series}`;
}

/** Watched ones first, then the oldest. */
function byWorth(a: LibraryEntry, b: LibraryEntry): number {
  return Number(b.watched) - Number(a.watched) || a.endedAt - b.endedAt;
}
