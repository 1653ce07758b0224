import { MIGRATION_LIMITS } from "../limits.ts";
import type { Row, Tables } from "./dump.ts";

/** The part of MythTV's database that an import needs. */
export interface Database {
  /** `undefined` where the backup does not tell it. */
  readonly schema: number | undefined;
  readonly channels: readonly Row[];
  /** By `mplexid`. */
  readonly multiplexes: ReadonlyMap<string, Row>;
  readonly recorded: readonly Row[];
  /** Keys of recordings that MythTV calls damaged, and of all that it judged. */
  readonly damaged: ReadonlySet<string>;
  readonly judged: ReadonlySet<string>;
  readonly marks: ReadonlyMap<string, Marks>;
  readonly rules: readonly Row[];
  /** Ids of the filters that rules can have. */
  readonly filters: ReadonlySet<string>;
  readonly storageGroups: readonly Row[];
}

/** Marks of a recording (`MarkTypes` of MythTV). */
export interface Marks {
  /** Frames. */
  bookmark?: number;
  lastPlayed?: number;
  total?: number;
  durationMs?: number;
  /** Frames in 1000 seconds. */
  rate?: number;
}

/** The key of a recording in the tables that describe it. */
export function recordingKey({ chanid, starttime }: Row): string {
  return `${chanid} ${starttime}`;
}

const MARK_TYPES: Readonly<Record<string, { readonly key: keyof Marks; readonly column: "mark" | "data" }>> =
  {
    "2": { key: "bookmark", column: "mark" },
    "32": { key: "rate", column: "data" },
    "33": { key: "durationMs", column: "data" },
    "34": { key: "total", column: "data" },
    "41": { key: "lastPlayed", column: "mark" },
  };

/** Gathers rows; `tables` is to be given to the reader of the dump. */
export function gatherDatabase(): { readonly tables: Tables; readonly database: () => Database } {
  const lists: Readonly<Record<"channel" | "recorded" | "record" | "storagegroup", Row[]>> = {
    channel: [],
    recorded: [],
    record: [],
    storagegroup: [],
  };
  const multiplexes = new Map<string, Row>();
  const [damaged, judged, filters] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const marks = new Map<string, Marks>();
  let schema: number | undefined;
  const into = (rows: Row[]) => (row: Row) => {
    if (rows.length < MIGRATION_LIMITS.rows) rows.push(row);
  };
  const tables: Tables = {
    channel: into(lists.channel),
    recorded: into(lists.recorded),
    record: into(lists.record),
    storagegroup: into(lists.storagegroup),
    dtv_multiplex: (row) => {
      if (multiplexes.size < MIGRATION_LIMITS.rows) multiplexes.set(row["mplexid"] ?? "", row);
    },
    recordfilter: ({ filterid }) => {
      if (filters.size < MIGRATION_LIMITS.rows) filters.add(filterid ?? "");
    },
    recordedprogram: (row) => {
      if (judged.size >= MIGRATION_LIMITS.rows) return;
      judged.add(recordingKey(row));
      if (row["videoprop"]?.split(",").includes("DAMAGED")) damaged.add(recordingKey(row));
    },
    recordedmarkup: (row) => {
      const type = MARK_TYPES[row["type"] ?? ""];
      const value = Number(row[type?.column ?? "mark"]);
      if (type === undefined || !(value > 0) || marks.size >= MIGRATION_LIMITS.rows) return;
      const key = recordingKey(row);
      marks.set(key, { ...marks.get(key), [type.key]: value });
    },
    settings: ({ value, data }) => {
      if (value === "DBSchemaVer") schema = Number.parseInt(data ?? "", 10) || undefined;
    },
  };
  return {
    tables,
    database: () => ({
      schema,
      channels: lists.channel,
      multiplexes,
      recorded: lists.recorded,
      damaged,
      judged,
      marks,
      rules: lists.record,
      filters,
      storageGroups: lists.storagegroup,
    }),
  };
}
