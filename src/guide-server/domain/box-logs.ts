import type { Document } from "../../guide/documents.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decided } from "../data/store.ts";
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

/** The newest lines that a device has told, the newest first. */
export function lastLogsOf(tables: GuideTables, device: OwnedDevice, linesMax: number): readonly BoxLog[] {
  const own = [...tables.logs.values()].filter(
    ({ accountId, deviceId }) => accountId === device.accountId && deviceId === device.id,
  );
  return own.slice(-linesMax).reverse();
}

/** Keeps the newest lines of what a box tells of itself. @returns how many were told */
export function takeLogs(
  tables: GuideTables,
  account: Account,
  {
    logs,
    device,
    now,
  }: {
    readonly logs: Document<"pvr-logs">["logs"];
    /** Absent where that is not known. */
    readonly device: OwnedDevice | undefined;
    readonly now: EpochMs;
  },
): Decided<number> {
  const { boxLogsPerAccount, boxLogLength } = SERVER_LIMITS;
  const kept = logs.slice(-boxLogsPerAccount);
  const { ids, change } = takeIds(tables, "log", kept.length);
  const own = [...tables.logs.values()].filter(({ accountId }) => accountId === account.id);
  const oldest = own.slice(0, Math.max(0, own.length + kept.length - boxLogsPerAccount));
  const lines = kept.map((entry, index) => ({
    id: String(ids[index]),
    accountId: account.id,
    ...(device === undefined ? {} : { deviceId: device.id }),
    at: now,
    text: JSON.stringify(entry).slice(0, boxLogLength),
  }));
  return {
    changes:
      kept.length === 0
        ? []
        : [change, ...oldest.map(({ id }) => remove("logs", id)), ...lines.map((line) => put("logs", line))],
    value: logs.length,
  };
}
