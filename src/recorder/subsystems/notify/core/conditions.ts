import type { DamagedFile } from "../../../../model/library.ts";
import type { News } from "../../../../model/news.ts";
import { type Recording, titleOf } from "../../../../model/recording.ts";
import type { SetAside } from "../../../../model/set-aside.ts";
import type { Snapshot } from "../../../../model/snapshot.ts";
import { codeOf, showOf } from "./end-facts.ts";
import { NOTIFY_CORE_LIMITS } from "./limits.ts";

/** A state that may end again. */
export interface Condition extends Omit<News, "id" | "at"> {
  /** Identifies the condition while it lasts. */
  readonly key: string;
}

/** The conditions that people hear of. */
export function conditionsOf(snapshot: Snapshot): readonly Condition[] {
  return [
    ...conflictsOf(snapshot),
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
  const size = bytes === undefined ? {} : { bytes };
  const facts = { is: "file-flaw", name, flaw: kind, file, wasBytes, ...size } as const;
  return { key: `file-${recordingId}`, kind: "damaged", facts, recordingId, timerId };
}

function setAsideOf({ kind, subject, at, until }: SetAside): Condition {
  const key = `starved-${`${kind} ${subject}`.trimEnd()}-${at}`;
  const facts = { is: "set-aside", work: { kind, subject }, forMs: until - at } as const;
  return { key, kind: "starved", facts };
}

function conflictsOf({ recordings, plan }: Snapshot): readonly Condition[] {
  const conflicted = recordings.filter(({ state }) => state === "conflicted");
  if (conflicted.length === 0) return [];
  const known = new Map(recordings.map((recording) => [recording.id, recording]));
  const lacks = new Map(plan.conflicts.map((lack) => [lack.recordingId, lack]));
  return conflicted.map((recording) => {
    const ids = new Set(lacks.get(recording.id)?.holders.map(({ recordingId }) => recordingId));
    const holders = [...ids]
      .flatMap((id) => known.get(id) ?? [])
      .sort((a, b) => a.event.start - b.event.start)
      .slice(0, NOTIFY_CORE_LIMITS.holders)
      .map((holder) => ({ name: titleOf(holder), event: holder.event }));
    const facts = { is: "conflict", ...showOf(recording), holders, ...codeOf(recording) } as const;
    const { id, timerId } = recording;
    return { key: `conflict-${id}`, kind: "conflict", facts, recordingId: id, timerId };
  });
}

/** The recorder's own action about it. */
function repeatOf(recording: Recording): readonly Condition[] {
  const { id, timerId, healing } = recording;
  if (healing?.by !== "recorder") return [];
  const { step, repeat } = healing;
  if (step !== "booked" && step !== "healed") return [];
  const { channelName, event } = repeat;
  const is = step === "booked" ? "repeat-booked" : "healed";
  const key = step === "booked" ? `repeat-${id}-${repeat.showId}` : `healed-${id}`;
  const facts = { is, name: titleOf(recording), channelName, event } as const;
  return [{ key, kind: "repeat", facts, recordingId: id, timerId }];
}

function diskOf({ space, store }: Snapshot): readonly Condition[] {
  const level = space?.level ?? "enough";
  return [
    ...(level === "enough"
      ? []
      : [{ key: `disk-${level}`, kind: "disk", facts: { is: "disk", level } } as const]),
    ...(store === undefined
      ? []
      : [
          {
            key: store.code === "DISK_LOW" ? "disk-reserve" : "disk-data",
            kind: "disk",
            facts: { is: "store", code: store.code },
          } as const,
        ]),
  ];
}

function syncOf({ guide: { signInNeeded, failure, quarantine }, at }: Snapshot): readonly Condition[] {
  if (signInNeeded) return [{ key: "sync-sign-in", kind: "sync", facts: { is: "sign-in" } }];
  if (failure !== undefined && at - failure.since >= NOTIFY_CORE_LIMITS.syncMs) {
    const { since, code } = failure;
    return [{ key: "sync-failure", kind: "sync", facts: { is: "guide-failed", since, code } }];
  }
  if (quarantine === undefined) return [];
  const { listed, held } = quarantine;
  return [{ key: "sync-quarantine", kind: "sync", facts: { is: "guide-shrunk", listed, held } }];
}

/** The same kind as trouble with the service, which fails first. */
function secretsOf({ secrets }: Snapshot): readonly Condition[] {
  if (secrets === undefined) return [];
  const { usesEarlier } = secrets;
  return [{ key: "secrets", kind: "sync", facts: { is: "secrets", usesEarlier } }];
}

function tunerOf({ id, quarantine }: Snapshot["tuners"][number]): readonly Condition[] {
  if (quarantine === undefined) return [];
  const { code } = quarantine;
  return [{ key: `tuner-${id}`, kind: "tuner", facts: { is: "tuner", tunerId: id, code } }];
}

function clockOf({ clock: { trusted }, power }: Snapshot): readonly Condition[] {
  const { failed } = power ?? {};
  return [
    ...(trusted ? [] : [{ key: "clock", kind: "clock", facts: { is: "clock" } } as const]),
    ...(failed === undefined
      ? []
      : [{ key: "clock-wake", kind: "clock", facts: { is: "woke-late", ...failed } } as const]),
  ];
}
