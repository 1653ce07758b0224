import type { EpochMs } from "../model/time.ts";

/** ISO 8601 in UTC, with milliseconds: whoever looks for a fault needs them. */
export function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
