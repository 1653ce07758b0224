import type { News, NewsDocument, NewsKind, TargetId, WaitingNews } from "../../../../model/news.ts";
import { isSound, type Recording } from "../../../../model/recording.ts";
import type { Snapshot } from "../../../../model/snapshot.ts";
import type { EpochMs } from "../../../../model/time.ts";
import { type Condition, conditionsOf } from "./conditions.ts";
import { endFacts } from "./end-facts.ts";
import { NOTIFY_CORE_LIMITS } from "./limits.ts";

/** A target and the kinds of news that it receives. */
export interface Subscription {
  readonly id: TargetId;
  readonly on: readonly NewsKind[];
  /** Earlier news are not for it; absent: all are. */
  readonly since?: EpochMs;
}

/**
 * Finds the news since the last look and their targets. The same snapshot twice gives the same document.
 *
 * @returns the same document if nothing changed
 */
export function withNews(
  document: NewsDocument,
  snapshot: Snapshot,
  subscriptions: readonly Subscription[],
): NewsDocument {
  const now = snapshot.at;
  const ends = snapshot.recordings.filter((recording) => isNews(recording, document, now));
  const conditions = conditionsOf(snapshot);
  const begun = conditions.filter(({ key }) => document.conditions[key] === undefined);
  const over = overConditions(document, conditions, now);
  const known = new Set(snapshot.recordings.map(({ id }) => id));
  const gone = Object.keys(document.ended).filter((id) => !known.has(id));
  if (ends.length + begun.length + over.length + gone.length === 0) return document;
  const news = [...ends.flatMap(endNews), ...begun.map((condition) => conditionNews(condition, now))];
  return {
    since: document.since,
    ended: {
      ...without(document.ended, gone),
      ...Object.fromEntries(ends.map(({ id, endedAt = now }) => [id, endedAt])),
    },
    conditions: {
      ...without(document.conditions, over),
      ...Object.fromEntries(begun.map(({ key }) => [key, now])),
    },
    waiting: [...document.waiting, ...news.flatMap((one) => addressed(one, subscriptions))],
  };
}

function isNews({ id, endedAt }: Recording, { since, ended }: NewsDocument, now: EpochMs): boolean {
  if (endedAt === undefined || ended[id] !== undefined) return false;
  return endedAt >= since && now - endedAt < NOTIFY_CORE_LIMITS.ageMs;
}

/** Conditions that ended. A recurring one is news again an hour later at the earliest. */
function overConditions(
  document: NewsDocument,
  conditions: readonly Condition[],
  now: EpochMs,
): readonly string[] {
  const lasting = new Set(conditions.map(({ key }) => key));
  return Object.entries(document.conditions)
    .filter(([key, toldAt]) => !lasting.has(key) && Math.abs(now - toldAt) >= NOTIFY_CORE_LIMITS.againMs)
    .map(([key]) => key);
}

function without<T>(
  record: Readonly<Record<string, T>>,
  keys: readonly string[],
): Readonly<Record<string, T>> {
  if (keys.length === 0) return record;
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(record).filter(([key]) => !gone.has(key)));
}

function addressed(news: News, subscriptions: readonly Subscription[]): readonly WaitingNews[] {
  return subscriptions
    .filter(({ on, since = 0 }) => news.at >= since && on.some((kind) => kind === news.kind))
    .map(({ id }) => ({ news, target: id, tries: 0, notBefore: news.at }));
}

function endNews(recording: Recording): readonly News[] {
  const kind = endOf(recording);
  const facts = endFacts(recording);
  if (kind === undefined || facts === undefined) return [];
  const { id, timerId, endedAt = 0 } = recording;
  return [{ id: `ended-${id}`, kind, at: endedAt, facts, recordingId: id, timerId }];
}

function endOf(recording: Recording): "completed" | "damaged" | "failed" | undefined {
  switch (recording.state) {
    case "failed":
    case "missed":
      return "failed";
    case "partial":
      return "damaged";
    case "completed":
      return isSound(recording) ? "completed" : "damaged";
    default:
      return undefined;
  }
}

function conditionNews({ key, ...condition }: Condition, at: EpochMs): News {
  return { id: `${key}-${at}`, at, ...condition };
}
