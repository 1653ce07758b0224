import type { JobView } from "../../model/job.ts";
import type { LibraryEntry } from "../../model/library.ts";
import type { PlanFacts } from "../../model/plan.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { EpochMs } from "../../model/time.ts";

/** Everything that events report as it changes. */
export interface Picture {
  readonly snapshot: Snapshot;
  readonly entries: readonly LibraryEntry[];
  readonly jobs: readonly JobView[];
}

const SINGLES = [
  "guide",
  "clock",
  "store",
  "secrets",
  "strays",
  "nextWakeAt",
  "power",
  "damagedFiles",
  "nodes",
  "setAside",
  "site",
  "space",
] as const;
type Single = (typeof SINGLES)[number];

interface Keyed<T> {
  readonly changed: readonly T[];
  readonly gone: readonly string[];
}

/** The changes between two pictures. */
export interface Delta {
  readonly at: EpochMs;
  /** Changed values, each as a whole. */
  readonly set: Partial<Pick<Snapshot, Single>>;
  /** Values that are gone. */
  readonly unset: readonly Single[];
  readonly recordings?: Keyed<Snapshot["recordings"][number]>;
  readonly tuners?: Keyed<Snapshot["tuners"][number]>;
  readonly placements?: Keyed<PlanFacts["placements"][number]>;
  readonly conflicts?: Keyed<PlanFacts["conflicts"][number]>;
  readonly groups?: Keyed<PlanFacts["groups"][number]>;
  readonly entries?: Keyed<LibraryEntry>;
  readonly jobs?: Keyed<JobView>;
}

/**
 * Compares pictures. Nearly all objects of a picture are those of the previous one; only others are compared by
 * content.
 */
export class Differ {
  #singles: ReadonlyMap<string, unknown> = new Map();
  readonly #recordings = new TrackedValues<Snapshot["recordings"][number]>(({ id }) => id);
  readonly #tuners = new TrackedValues<Snapshot["tuners"][number]>(({ id }) => id);
  readonly #placements = new TrackedValues<PlanFacts["placements"][number]>(({ recordingId }) => recordingId);
  readonly #conflicts = new TrackedValues<PlanFacts["conflicts"][number]>(({ recordingId }) => recordingId);
  readonly #groups = new TrackedValues<PlanFacts["groups"][number]>(groupId);
  readonly #entries = new TrackedValues<LibraryEntry>(({ recordingId }) => recordingId);
  readonly #jobs = new TrackedValues<JobView>(({ id }) => String(id));

  /** @returns `undefined` if only the time differs; everything, the first time */
  next({ snapshot, entries, jobs }: Picture): Delta | undefined {
    const singles = SINGLES.filter((name) => isNew(this.#singles, name, snapshot[name]));
    this.#singles = new Map(SINGLES.map((name) => [name, snapshot[name]]));
    const { conflicts, groups, placements } = snapshot.plan;
    const parts = {
      recordings: this.#recordings.next(snapshot.recordings),
      tuners: this.#tuners.next(snapshot.tuners),
      placements: this.#placements.next(placements),
      conflicts: this.#conflicts.next(conflicts),
      groups: this.#groups.next(groups),
      entries: this.#entries.next(entries),
      jobs: this.#jobs.next(jobs),
    };
    const moved = Object.entries(parts).filter(([, part]) => part !== undefined);
    const [set, unset] = [true, false].map((isThere) =>
      singles.filter((name) => (snapshot[name] !== undefined) === isThere),
    );
    if (moved.length + singles.length === 0) return undefined;
    return {
      at: snapshot.at,
      set: Object.fromEntries((set ?? []).map((name) => [name, snapshot[name]])),
      unset: unset ?? [],
      ...Object.fromEntries(moved),
    };
  }
}

/** Each recording is in one group only. */
export function groupId({ recordingIds: [first = ""] }: PlanFacts["groups"][number]): string {
  return first;
}

/**
 * Values of one kind in the last picture. There may be thousands, and nearly all stay the same: they keep their
 * place.
 */
class TrackedValues<T> {
  readonly #values = new Map<string, T>();
  readonly #idOf: (value: T) => string;

  constructor(idOf: (value: T) => string) {
    this.#idOf = idOf;
  }

  next(values: readonly T[]): Keyed<T> | undefined {
    const changed = values.filter((value) => isNew(this.#values, this.#idOf(value), value));
    for (const value of values) this.#values.set(this.#idOf(value), value);
    const gone = this.#values.size > values.length ? this.#goneFrom(values) : [];
    return changed.length + gone.length === 0 ? undefined : { changed, gone };
  }

  #goneFrom(values: readonly T[]): readonly string[] {
    const ids = new Set(values.map(this.#idOf));
    const gone = [...this.#values.keys()].filter((id) => !ids.has(id));
    for (const id of gone) this.#values.delete(id);
    return gone;
  }
}

function isNew(before: ReadonlyMap<string, unknown>, id: string, value: unknown): boolean {
  const known = before.get(id);
  if (known === undefined && !before.has(id)) return true;
  return known !== value && JSON.stringify(known) !== JSON.stringify(value);
}
