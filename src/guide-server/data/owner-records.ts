import { CATALOGUE, type Loaded, type Move, type OwnedChange, type Settled } from "./engine.ts";
import type { ReadShows } from "./show.ts";
import { type GuideTables, isOfAccounts, type Series, TABLE_NAMES, type TableName } from "./tables.ts";

type OpenTables = Readonly<Record<TableName, Map<string, unknown>>>;

/** A version that no owner has. */
const OUTDATED = "outdated";

/** The records of one owner in memory, as they are on the disk. */
export class OwnerRecords {
  readonly owner: string;
  /** The records and, for an account, the catalogue; the same object for as long as this one exists. */
  readonly tables: GuideTables;
  readonly #open: OpenTables;
  #version: string | undefined = OUTDATED;
  #seen = "";
  #settled: Settled | undefined;
  #unsettled = 0;
  #outdated = 0;

  /** @param catalogue absent for the catalogue itself */
  constructor(
    owner: string,
    {
      catalogue,
      shows,
      counters,
    }: {
      readonly catalogue: OwnerRecords | undefined;
      readonly shows: ReadShows;
      readonly counters: Map<string, unknown>;
    },
  ) {
    this.owner = owner;
    const mapFor = (name: TableName) => {
      if (name === "counters") return counters;
      return catalogue === undefined || isOfAccounts(name)
        ? new Map<string, unknown>()
        : catalogue.mapOf(name);
    };
    this.#open = Object.fromEntries(TABLE_NAMES.map((name) => [name, mapFor(name)])) as unknown as OpenTables;
    const seen = () => this.#seen;
    this.tables = {
      ...this.#open,
      shows,
      get seen() {
        return seen();
      },
    } as unknown as GuideTables;
  }

  /** How often `outdate` was called. */
  get outdated(): number {
    return this.#outdated;
  }

  /** Others have changed the records: they are read again before the next use. */
  outdate(): void {
    this.#version = OUTDATED;
    this.#outdated += 1;
  }

  /** Whether the records are those of the version. */
  get isCurrent(): boolean {
    return this.#version !== OUTDATED;
  }

  /** Absent: there is no such owner. */
  get version(): string | undefined {
    return this.#version;
  }

  get settled(): Settled | undefined {
    return this.#settled;
  }

  /** How often a change has made the timers differ from the rules. */
  get unsettled(): number {
    return this.#unsettled;
  }

  /** The number of its records. */
  get size(): number {
    return TABLE_NAMES.reduce((sum, name) => sum + (this.#owns(name) ? this.#open[name].size : 0), 0);
  }

  mapOf(table: TableName): Map<string, unknown> {
    return this.#open[table];
  }

  /** Replaces everything. Records that are the same stay the same objects: work in progress compares them. */
  fill(loaded: Loaded | undefined): void {
    const { version, seen = "", settled, records = [] } = loaded ?? {};
    const before = new Map(
      TABLE_NAMES.filter((name) => this.#owns(name)).map((name) => [name, new Map(this.#open[name])]),
    );
    for (const name of before.keys()) this.#open[name].clear();
    for (const { table, id, body, record } of records) {
      const known = before.get(table)?.get(id);
      const isSame = known !== undefined && JSON.stringify(known) === body;
      this.#open[table].set(id, isSame ? known : record);
    }
    this.#version = version;
    this.#seen = seen;
    this.#settled = settled;
  }

  #owns(name: TableName): boolean {
    return name !== "counters" && isOfAccounts(name) === (this.owner !== CATALOGUE);
  }

  /** Adds a vote that is on the disk. */
  vote(series: Series): void {
    const table = this.#open.series as Map<string, Series>;
    const before = table.get(series.id) ?? { ...series, votes: 0 };
    table.set(series.id, { ...before, votes: before.votes + 1 });
  }

  /** Votes that came in meanwhile stay, as they do on the disk. */
  #publish(series: Series): void {
    const table = this.#open.series as Map<string, Series>;
    table.set(series.id, { ...series, votes: Math.max(series.votes, table.get(series.id)?.votes ?? 0) });
  }

  /** Carries out changes that are on the disk. */
  apply(changes: readonly OwnedChange[], { from, to, seen, settled }: Move): void {
    // Others may have moved it on meanwhile, and it was read again: then it has these changes already.
    if (this.#version !== from) {
      this.outdate();
      return;
    }
    for (const change of changes) {
      if (change.owner !== this.owner) continue;
      const table = this.#open[change.table];
      if (change.kind === "remove") table.delete(change.id);
      else if (change.table === "series") this.#publish(change.record);
      else table.set(String(change.record.id), change.record);
    }
    this.#version = to;
    this.#seen = seen ?? this.#seen;
    if (settled !== undefined) this.#settled = settled ?? undefined;
    if (settled === null) this.#unsettled += 1;
  }
}
