import type { JobView } from "../../model/job.ts";
import type { LibraryEntry } from "../../model/library.ts";
import type { Snapshot, TunerStatus } from "../../model/snapshot.ts";
import { type Delta, groupId } from "../../recorder/api/picture.ts";

type Recording = Snapshot["recordings"][number];
type Placement = Snapshot["plan"]["placements"][number];
type Lack = Snapshot["plan"]["conflicts"][number];
type Proof = Snapshot["plan"]["groups"][number];

/** The data of the event `snapshot` (docs/dev/api.md). */
export interface SnapshotEvent extends Snapshot {
  readonly revision: number;
  readonly entries: readonly LibraryEntry[];
  readonly jobs: readonly JobView[];
}

/** The data of the event `change`. */
export type Change = Delta & { readonly revision: number };

/** The displayed data, by id. */
export interface View {
  readonly revision: number;
  readonly facts: Omit<Snapshot, "recordings" | "tuners" | "plan">;
  readonly recordings: ReadonlyMap<string, Recording>;
  readonly tuners: ReadonlyMap<string, TunerStatus>;
  readonly placements: ReadonlyMap<string, Placement>;
  readonly conflicts: ReadonlyMap<string, Lack>;
  readonly groups: ReadonlyMap<string, Proof>;
  readonly entries: ReadonlyMap<string, LibraryEntry>;
  readonly jobs: ReadonlyMap<string, JobView>;
}

export function viewOf({ revision, recordings, tuners, plan, entries, jobs, ...facts }: SnapshotEvent): View {
  return {
    revision,
    facts,
    recordings: new Map(recordings.map((one) => [one.id, one])),
    tuners: new Map(tuners.map((one) => [one.id, one])),
    placements: new Map(plan.placements.map((one) => [one.recordingId, one])),
    conflicts: new Map(plan.conflicts.map((one) => [one.recordingId, one])),
    groups: new Map(plan.groups.map((one) => [groupId(one), one])),
    entries: new Map(entries.map((one) => [one.recordingId, one])),
    jobs: new Map(jobs.map((one) => [String(one.id), one])),
  };
}

/** @returns `undefined` if the change does not follow the displayed revision: an event was missed */
export function applyChange(view: View, change: Change): View | undefined {
  if (change.revision !== view.revision + 1) return undefined;
  const facts = Object.entries({ ...view.facts, ...change.set, at: change.at });
  const gone: readonly string[] = change.unset;
  return {
    revision: change.revision,
    facts: Object.fromEntries(facts.filter(([name]) => !gone.includes(name))) as unknown as View["facts"],
    recordings: merged(view.recordings, change.recordings, ({ id }) => id),
    tuners: merged(view.tuners, change.tuners, ({ id }) => id),
    placements: merged(view.placements, change.placements, ({ recordingId }) => recordingId),
    conflicts: merged(view.conflicts, change.conflicts, ({ recordingId }) => recordingId),
    groups: merged(view.groups, change.groups, groupId),
    entries: merged(view.entries, change.entries, ({ recordingId }) => recordingId),
    jobs: merged(view.jobs, change.jobs, ({ id }) => String(id)),
  };
}

/** Returns the same map if nothing changed, so that values computed from it stay. */
function merged<T>(
  before: ReadonlyMap<string, T>,
  part: { readonly changed: readonly T[]; readonly gone: readonly string[] } | undefined,
  idOf: (value: T) => string,
): ReadonlyMap<string, T> {
  if (part === undefined) return before;
  const after = new Map(before);
  for (const id of part.gone) after.delete(id);
  for (const value of part.changed) after.set(idOf(value), value);
  return after;
}
