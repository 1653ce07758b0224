import type { Facts } from "./errors.ts";
import type { DurationMs } from "./time.ts";

/** Values of a trouble, for other languages: its text has them in English. */
export interface TroubleDetails {
  /** The file or folder. */
  readonly file?: string;
  /** The operating system's code, such as `EIO`. */
  readonly system?: string;
  /** Less than this is free on the disk. */
  readonly freeBytes?: number;
  /** Nothing useful has arrived for this time. */
  readonly silentMs?: DurationMs;
  /** The clock was ahead by this much (negative: behind). */
  readonly clockAheadMs?: DurationMs;
  /** The last words of a program, in its own language. */
  readonly message?: string;
}

/** The details among the facts of a failure. */
export function detailsOf({ file, folder, system }: Facts): { readonly details?: TroubleDetails } {
  const place = file ?? folder;
  const details = {
    ...(typeof place === "string" ? { file: place } : {}),
    ...(typeof system === "string" ? { system } : {}),
  };
  return Object.keys(details).length === 0 ? {} : { details };
}
