import type { DamagedFile } from "../../../../model/library.ts";
import type { News, NewsDocument, NewsKind, TargetId, WaitingNews } from "../../../../model/news.ts";
import type { Recording } from "../../../../model/recording.ts";
import { type SetAside, WORK_KINDS } from "../../../../model/set-aside.ts";
import type { Snapshot } from "../../../../model/snapshot.ts";
import type { EpochMs } from "../../../../model/time.ts";
import { NOTIFY_CORE_LIMITS } from "./limits.ts";

/** A target and the kinds of news that it receives. */
export interface Subscription {
  readonly id: TargetId;
  readonly on: readonly NewsKind[];
}

/** A state that may end again. */
interface Condition {
  /** Identifies the condition while it lasts. */
  readonly key: string;
  readonly kind: NewsKind;
  readonly title: string;
  readonly text: string;
  readonly recordingId?: string;
  readonly timerId?: string;
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
    .filter(({ on }) => on.some((kind) => kind === news.kind))
    .map(({ id }) => ({ news, target: id, tries: 0, notBefore: news.at }));
}

const ENDS: Readonly<Record<"completed" | "damaged" | "failed", string>> = {
  completed: "Recorded",
  damaged: "Recorded with damage",
  failed: "Not recorded",
};

function endNews(recording: Recording): readonly News[] {
  const kind = endOf(recording);
  if (kind === undefined) return [];
  const { id, timerId, name, channelName, endedAt = 0, reported } = recording;
  const text = reported?.message ?? `${channelName}: ${recording.state}.`;
  const title = `${ENDS[kind]}: ${name}`;
  return [{ id: `ended-${id}`, kind, at: endedAt, title, text, recordingId: id, timerId }];
}

function endOf({ state, evidence }: Recording): "completed" | "damaged" | "failed" | undefined {
  if (state === "failed" || state === "missed") return "failed";
  if (state === "partial") return "damaged";
  if (state !== "completed") return undefined;
  const { verdict } = evidence ?? {};
  return verdict === "damaged" || verdict === "unusable" ? "damaged" : "completed";
}

function conditionNews({ key, ...condition }: Condition, at: EpochMs): News {
  return { id: `${key}-${at}`, at, ...condition };
}

function conditionsOf(snapshot: Snapshot): readonly Condition[] {
  return [
    ...snapshot.recordings.flatMap(conflictOf),
    ...snapshot.recordings.flatMap(repeatOf),
    ...diskOf(snapshot),
    ...syncOf(snapshot),
    ...secretsOf(snapshot),
    ...snapshot.tuners.flatMap(tunerOf),
    ...clockOf(snapshot),
    ...(snapshot.damagedFiles ?? []).map(damagedFileOf),
    ...(snapshot.setAside ?? []).map(setAsideOf),
  ];
}

/** The recorder repairs nothing: a person decides about a copy or a repeat. */
function damagedFileOf({ recordingId, timerId, name, file, kind, wasBytes, bytes }: DamagedFile): Condition {
  const sizes = bytes === undefined ? "" : ` It has ${bytes} bytes and was recorded with ${wasBytes}.`;
  const text = `The file is ${kind}: ${file}.${sizes} recorderd does not change it.`;
  const title = `A recording is damaged: ${name}`;
  return { key: `file-${recordingId}`, kind: "damaged", title, text, recordingId, timerId };
}

function setAsideOf({ kind, subject, at, until }: SetAside): Condition {
  const what = `${kind} ${subject}`.trimEnd();
  const text = `This work blocked the daemon at ${new Date(at).toISOString()}, and the daemon was restarted. ${WORK_KINDS[kind]} The work is set aside until ${new Date(until).toISOString()}.`;
  return { key: `starved-${what}-${at}`, kind: "starved", title: `Set aside: ${what}`, text };
}

function conflictOf({ id, timerId, state, name, reported, trouble }: Recording): readonly Condition[] {
  if (state !== "conflicted") return [];
  const text = trouble?.text ?? reported?.message ?? "It has no tuner.";
  const title = `Conflict: ${name}`;
  return [{ key: `conflict-${id}`, kind: "conflict", title, text, recordingId: id, timerId }];
}

/** The recorder's own action about it. */
function repeatOf({ id, timerId, name, reported, healing }: Recording): readonly Condition[] {
  if (healing?.by !== "recorder") return [];
  const { step, text, repeat } = healing;
  const about = { kind: "repeat", recordingId: id, timerId } as const;
  if (step === "booked") {
    return [{ ...about, key: `repeat-${id}-${repeat.showId}`, title: `Repeat booked: ${name}`, text }];
  }
  if (step !== "healed") return [];
  return [
    { ...about, key: `healed-${id}`, title: `Recorded whole: ${name}`, text: reported?.message ?? text },
  ];
}

const LEVELS = {
  low: "The disk of recordings is nearly full: recordings that do not fit yield to more important ones.",
  full: "The disk of recordings is full: nothing is recorded until there is free space.",
  offline: "The disk of recordings is missing: nothing is recorded until it is mounted.",
} as const;

function diskOf({ space, store }: Snapshot): readonly Condition[] {
  const level = space?.level ?? "enough";
  return [
    ...(level === "enough"
      ? []
      : [{ key: `disk-${level}`, kind: "disk", title: `Disk ${level}`, text: LEVELS[level] } as const]),
    ...(store === undefined
      ? []
      : [
          {
            key: store.code === "DISK_LOW" ? "disk-reserve" : "disk-data",
            kind: "disk",
            title:
              store.code === "DISK_LOW"
                ? "The disk of the data folder is full"
                : "The data folder cannot be written",
            text: store.text,
          } as const,
        ]),
  ];
}

function syncOf({ guide: { signInNeeded, failure, quarantine }, at }: Snapshot): readonly Condition[] {
  if (signInNeeded) {
    const text =
      "The guide service needs a sign-in: run `recorderd login`, or sign in on the dashboard. Until then, new timers do not arrive.";
    return [{ key: "sync-sign-in", kind: "sync", title: "Sign-in needed", text }];
  }
  if (failure !== undefined && at - failure.since >= NOTIFY_CORE_LIMITS.syncMs) {
    const title = "The guide service cannot be used";
    return [{ key: "sync-failure", kind: "sync", title, text: `${failure.text} [${failure.code}]` }];
  }
  if (quarantine === undefined) return [];
  const text = `Its list has only ${quarantine.listed} of ${quarantine.held} upcoming timers; no timer is withdrawn until further polls agree.`;
  return [{ key: "sync-quarantine", kind: "sync", title: "The guide service lost timers", text }];
}

/** The same kind as trouble with the service, which fails first. */
function secretsOf({ secrets }: Snapshot): readonly Condition[] {
  if (secrets === undefined) return [];
  const { text, usesEarlier } = secrets;
  const rest = usesEarlier
    ? "The previous secrets stay in force until the recorder restarts."
    : "Planned recordings continue; new timers do not arrive, and servers that need a password cannot be used.";
  const title = "The secrets file cannot be used";
  return [{ key: "secrets", kind: "sync", title, text: `${text} ${rest}` }];
}

function tunerOf({ id, quarantine }: Snapshot["tuners"][number]): readonly Condition[] {
  if (quarantine === undefined) return [];
  const text = `It failed repeatedly (${quarantine.code}). The plan does not count on it until it works again.`;
  return [{ key: `tuner-${id}`, kind: "tuner", title: `Tuner ${id} does not work`, text }];
}

function clockOf({ clock: { trusted, text }, power }: Snapshot): readonly Condition[] {
  const { failed } = power ?? {};
  return [
    ...(trusted
      ? []
      : [{ key: "clock", kind: "clock", title: "The clock is not trusted", text: text ?? "" } as const]),
    ...(failed === undefined
      ? []
      : [
          {
            key: "clock-wake",
            kind: "clock",
            title: "The machine woke too late",
            text: `It should have been awake at ${new Date(failed.wantedAt).toISOString()}, but woke at ${new Date(failed.cameAt).toISOString()}.`,
          } as const,
        ]),
  ];
}
