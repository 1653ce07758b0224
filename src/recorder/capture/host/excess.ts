import type { SourceEnd } from "./source.ts";

/** A source exceeded a limit; only this source ends. */
export class Excess extends Error {}

/** The end of a source whose reading threw this error. */
export function endAfter(error: unknown): SourceEnd {
  const words = error instanceof Error ? error.message : String(error);
  return error instanceof Excess ? { complaint: "STREAM_EXCESSIVE", words } : { words };
}
