import type { JobView } from "../model/job.ts";
import type { LibraryEntry } from "../model/library.ts";
import type { PlanFacts } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { EpochMs } from "../model/time.ts";

/** Everything that is told of as it changes. */
export interface Picture {
  readonly snapshot: Snapshot;
  readonly entries: readonly LibraryEntry[];
  readonly jobs: readonly JobView[];
}

const SINGLES = ["guide", "clock", "store", "strays", "nextWakeAt", "power", "site", "space"] as const;
type Single = (typeof SINGLES)[number];

interface Keyed<T> {
  readonly changed: readonly T[];
  readonly gone: readonly string[];
}

/** What is not as it was. */
export interface Delta {
  readonly at: EpochMs;
  /** As a whole, each that changed. */
  readonly set: Partial<Pick<Snapshot, Single>>;
  /** Of those, the ones that are there no more. */
  readonly unset: readonly Single[];
  readonly recordings?: Keyed<Snapshot["recordings"][number]>;
  readonly tuners?: Keyed<Snapshot["tuners"][number]>;
  readonly placements?: Keyed<PlanFacts["placements"][number]>;
  readonly conflicts?: Keyed<PlanFacts["conflicts"][number]>;
  readonly groups?: Keyed<PlanFacts["groups"][number]>;
  readonly entries?: Keyed<LibraryEntry>;
  readonly jobs?: Keyed<JobView>;
}

type Values = ReadonlyMap<string, unknown>;

/**
 * Compares pictures. Nearly all of one is of the very same objects as the one before: only what is not is compared by what it
 * says.
 */
export class Differ {
  #singles: Values = new Map();
  #parts: ReadonlyMap<string, Values> = new Map();

  /** @returns `undefined` where nothing but the time is another; everything, the first time */
  next({ snapshot, entries, jobs }: Picture): Delta | undefined {
    const singles = SINGLES.filter((name) => isNew(this.#singles, name, snapshot[name]));
    this.#singles = new Map(SINGLES.map((name) => [name, snapshot[name]]));
    const { conflicts, groups, placements } = snapshot.plan;
    const parts: ReadonlyMap<string, Values> = new Map([
      ["recordings", keyed(snapshot.recordings, ({ id }) => id)],
      ["tuners", keyed(snapshot.tuners, ({ id }) => id)],
      ["placements", keyed(placements, ({ recordingId }) => recordingId)],
      ["conflicts", keyed(conflicts, ({ recordingId }) => recordingId)],
      ["groups", keyed(groups, groupId)],
      ["entries", keyed(entries, ({ recordingId }) => recordingId)],
      ["jobs", keyed(jobs, ({ id }) => String(id))],
    ]);
    const moved = [...parts].flatMap(([name, values]) => {
      const part = changesOf(this.#parts.get(name) ?? NONE, values);
      return part === undefined ? [] : [[name, part] as const];
    });
    this.#parts = parts;
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

/** No recording is in two groups. */
export function groupId({ recordingIds: [first = ""] }: PlanFacts["groups"][number]): string {
  return first;
}

const NONE: Values = new Map();

function keyed<T>(values: readonly T[], idOf: (value: T) => string): Values {
  return new Map(values.map((value) => [idOf(value), value]));
}

function changesOf(before: Values, after: Values): Keyed<unknown> | undefined {
  const changed = [...after].flatMap(([id, value]) => (isNew(before, id, value) ? [value] : []));
  const gone = [...before.keys()].filter((id) => !after.has(id));
  return changed.length + gone.length === 0 ? undefined : { changed, gone };
}

function isNew(before: Values, id: string, value: unknown): boolean {
  if (!before.has(id)) return true;
  const known = before.get(id);
  return known !== value && JSON.stringify(known) !== JSON.stringify(value);
}
