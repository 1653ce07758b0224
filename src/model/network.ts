import type { DurationMs } from "./time.ts";

/** Character tables for texts of a broadcast. `arib` is the coding of Japan, `arib-latin` that of South America. */
export const TEXT_TABLES = [
  "iso-6937",
  "iso-8859-1",
  "iso-8859-2",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "iso-8859-8",
  "iso-8859-9",
  "iso-8859-10",
  "iso-8859-11",
  "iso-8859-13",
  "iso-8859-14",
  "iso-8859-15",
  "iso-8859-16",
  "utf-16be",
  "euc-kr",
  "gb2312",
  "big5",
  "utf-8",
  "arib",
  "arib-latin",
] as const;
export type TextTable = (typeof TEXT_TABLES)[number];

/** The configuration of a network's tables, for facts that the tables do not have. */
export interface NetworkSetting {
  /** The table of texts that name none. */
  readonly text?: TextTable;
  /** How far the times in its tables are ahead of UTC. */
  readonly utcOffsetMs?: DurationMs;
}

/** By original_network_id. */
export type NetworkSettings = ReadonlyMap<number, NetworkSetting>;
