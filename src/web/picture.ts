import type { JobView } from "../model/job.ts";
import type { LibraryEntry } from "../model/library.ts";
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
  readonly set: Partial<Pick<Snapshot, Single>> & Partial<Pick<Snapshot["plan"], "conflicts" | "groups">>;
  /** Of those, the ones that are there no more. */
  readonly unset: readonly Single[];
  readonly recordings?: Keyed<Snapshot["recordings"][number]>;
  readonly tuners?: Keyed<Snapshot["tuners"][number]>;
  readonly placements?: Keyed<Snapshot["plan"]["placements"][number]>;
  readonly entries?: Keyed<LibraryEntry>;
  readonly jobs?: Keyed<JobView>;
}

/** Compares pictures by what they say; what is the very same object says the same. */
export class Differ {
  readonly #texts = new Map<string, { readonly value: unknown; readonly text: string }>();

  /** @returns `undefined` where nothing but the time is another; everything, the first time */
  next({ snapshot, entries, jobs }: Picture): Delta | undefined {
    const singles = SINGLES.filter((name) => this.#isNew(name, snapshot[name]));
    const { conflicts, groups, placements } = snapshot.plan;
    const keyed = {
      recordings: this.#keyed("recordings", snapshot.recordings, ({ id }) => id),
      tuners: this.#keyed("tuners", snapshot.tuners, ({ id }) => id),
      placements: this.#keyed("placements", placements, ({ recordingId }) => recordingId),
      entries: this.#keyed("entries", entries, ({ recordingId }) => recordingId),
      jobs: this.#keyed("jobs", jobs, ({ id }) => String(id)),
    };
    const moved = Object.fromEntries(Object.entries(keyed).filter(([, part]) => part !== undefined));
    const set = {
      ...Object.fromEntries(
        singles.filter((name) => snapshot[name] !== undefined).map((name) => [name, snapshot[name]]),
      ),
      ...(this.#isNew("conflicts", conflicts) ? { conflicts } : {}),
      ...(this.#isNew("groups", groups) ? { groups } : {}),
    };
    const unset = singles.filter((name) => snapshot[name] === undefined);
    const isSame = Object.keys(moved).length + Object.keys(set).length + unset.length === 0;
    return isSame ? undefined : { at: snapshot.at, set, unset, ...moved };
  }

  #isNew(key: string, value: unknown): boolean {
    const known = this.#texts.get(key);
    if (known?.value === value && known !== undefined) return false;
    const text = JSON.stringify(value) ?? "";
    this.#texts.set(key, { value, text });
    return known?.text !== text;
  }

  readonly #ids = new Map<string, ReadonlySet<string>>();

  #keyed<T>(part: string, values: readonly T[], idOf: (value: T) => string): Keyed<T> | undefined {
    const changed = values.filter((value) => this.#isNew(`${part} ${idOf(value)}`, value));
    const ids = new Set(values.map(idOf));
    const gone = [...(this.#ids.get(part) ?? [])].filter((id) => !ids.has(id));
    this.#ids.set(part, ids);
    for (const id of gone) this.#texts.delete(`${part} ${id}`);
    return changed.length + gone.length === 0 ? undefined : { changed, gone };
  }
}
