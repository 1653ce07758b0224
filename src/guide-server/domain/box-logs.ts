import type { Document } from "../../guide-wire/documents.ts";
import { type EpochMs, parseInstant, SECOND } from "../../model/time.ts";
import type { Transaction } from "../data/decision.ts";
import {
  type Account,
  type BoxLog,
  type GuideTables,
  type OwnedDevice,
  put,
  remove,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { takeIds } from "./ids.ts";

/** The newest log lines of a device, newest first. */
export function lastLogsOf(tables: GuideTables, device: OwnedDevice, linesMax: number): readonly BoxLog[] {
  const own = [...tables.logs.values()].filter(
    ({ accountId, deviceId }) => accountId === device.accountId && deviceId === device.id,
  );
  return own.slice(-linesMax).reverse();
}

/** Stores the newest lines of a box's log. @returns the number of lines received */
export function appendLogs(
  tables: GuideTables,
  account: Account,
  {
    logs,
    device,
    now,
  }: {
    readonly logs: Document<"pvr-logs">["logs"];
    /** Absent for an unknown device. */
    readonly device: OwnedDevice | undefined;
    readonly now: EpochMs;
  },
): Transaction<number> {
  const { boxLogsPerAccount } = SERVER_LIMITS;
  const kept = logs.slice(-boxLogsPerAccount);
  const { ids, change } = takeIds(tables, "log", kept.length);
  const own = [...tables.logs.values()].filter(({ accountId }) => accountId === account.id);
  const oldest = own.slice(0, Math.max(0, own.length + kept.length - boxLogsPerAccount));
  const lines = kept.map((entry, index) => ({
    id: String(ids[index]),
    accountId: account.id,
    ...(device === undefined ? {} : { deviceId: device.id }),
    ...lineOf(entry, now),
  }));
  return {
    changes:
      kept.length === 0
        ? []
        : [change, ...oldest.map(({ id }) => remove("logs", id)), ...lines.map((line) => put("logs", line))],
    value: logs.length,
  };
}

type Entry = Document<"pvr-logs">["logs"][number];

/**
 * Boxes in the field write `{timestamp, log_message}`: the line is that message at that time. In XML, the message may be the
 * text of the element. Any other entry is stored as JSON.
 */
function lineOf(entry: Entry, now: EpochMs): Pick<BoxLog, "at" | "text"> {
  const { timestamp, log_message: message = entry["value"] } = entry;
  const { boxLogLength, boxLogKeptMs } = SERVER_LIMITS;
  if (typeof message !== "string") return { at: now, text: JSON.stringify(entry).slice(0, boxLogLength) };
  const at = instantOf(timestamp);
  const isCredible = at !== undefined && at <= now && at > now - boxLogKeptMs;
  // A box without a clock invents its times. Such a time, or an unreadable one, stays in front of the message.
  const text = isCredible || timestamp === undefined ? message : `${plain(timestamp)} ${message}`;
  return { at: isCredible ? at : now, text: text.slice(0, boxLogLength) };
}

/** Reads seconds since 1970, milliseconds when seconds would mean the far future, or ISO 8601 with a zone. */
function instantOf(timestamp: unknown): EpochMs | undefined {
  const number = typeof timestamp === "string" && timestamp.trim() !== "" ? Number(timestamp) : timestamp;
  if (typeof number === "number" && Number.isFinite(number)) {
    return Math.round(number < MS_FROM ? number * SECOND : number);
  }
  return typeof timestamp === "string" ? parseInstant(timestamp) : undefined;
}

/** Read as seconds, it is in the year 5138. */
const MS_FROM = 1e11;

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
