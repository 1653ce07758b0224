import { CATALOGUE, type Engine } from "./engine.ts";
import { OwnerRecords } from "./owner-records.ts";
import type { ReadShows } from "./show.ts";
import type { Counter } from "./tables.ts";

/** Records of accounts that are kept in memory though nobody uses them now. */
const RECORDS_KEPT = 15_000;

/** The owners whose records are in memory: those in use, and those used last. */
export class Owners {
  readonly catalogue: OwnerRecords;
  readonly #engine: Engine;
  readonly #parts: { readonly shows: ReadShows; readonly counters: Map<string, Counter> };
  /** In the order of their last use. */
  readonly #kept = new Map<string, { readonly records: OwnerRecords; readonly size: number }>();
  /** All who work with an owner's records share them. */
  readonly #known = new Map<string, WeakRef<OwnerRecords>>();
  readonly #loading = new Map<string, Promise<OwnerRecords>>();
  readonly #forgotten = new FinalizationRegistry((owner: string) => {
    if (this.#known.get(owner)?.deref() === undefined) this.#known.delete(owner);
  });
  #size = 0;

  constructor(engine: Engine, parts: { readonly shows: ReadShows; readonly counters: Map<string, Counter> }) {
    this.#engine = engine;
    this.#parts = parts;
    this.catalogue = new OwnerRecords(CATALOGUE, { ...parts, catalogue: undefined });
  }

  /** The records in memory, if they are there. */
  known(owner: string): OwnerRecords | undefined {
    return owner === CATALOGUE ? this.catalogue : this.#known.get(owner)?.deref();
  }

  /** The records as they were last known, for a decision that is checked when it is written. */
  async last(owner: string): Promise<OwnerRecords> {
    const known = this.known(owner);
    return known?.isCurrent ? this.#used(known) : await this.#load(owner);
  }

  /** The records as they are now. @param version the present one, if it is known */
  async now(owner: string, version?: string): Promise<OwnerRecords> {
    if (!this.#engine.isShared) return await this.last(owner);
    const present = version ?? (await this.#engine.versionOf(owner));
    const known = this.known(owner);
    if (known?.isCurrent && known.version === present) return this.#used(known);
    // A read that began earlier may lack the present version: then another one follows.
    const earlier = await this.#loading.get(owner);
    return earlier !== undefined && earlier.version === present ? earlier : await this.#load(owner);
  }

  async #load(owner: string): Promise<OwnerRecords> {
    const running = this.#loading.get(owner);
    if (running !== undefined) return await running;
    const loaded = this.#read(owner).finally(() => this.#loading.delete(owner));
    this.#loading.set(owner, loaded);
    return await loaded;
  }

  async #read(owner: string): Promise<OwnerRecords> {
    const records =
      this.known(owner) ?? new OwnerRecords(owner, { ...this.#parts, catalogue: this.catalogue });
    for (let before: number | undefined; before !== records.outdated; ) {
      before = records.outdated;
      records.fill(await this.#engine.load(owner));
    }
    if (owner === CATALOGUE) return records;
    if (!this.#known.has(owner)) this.#forgotten.register(records, owner);
    this.#known.set(owner, new WeakRef(records));
    return this.#used(records);
  }

  #used(records: OwnerRecords): OwnerRecords {
    const { owner, size } = records;
    if (owner === CATALOGUE) return records;
    this.#drop(owner);
    this.#kept.set(owner, { records, size });
    this.#size += size;
    for (const other of this.#kept.keys()) {
      if (this.#size <= RECORDS_KEPT || other === owner) break;
      this.#drop(other);
    }
    return records;
  }

  #drop(owner: string): void {
    this.#size -= this.#kept.get(owner)?.size ?? 0;
    this.#kept.delete(owner);
  }
}
