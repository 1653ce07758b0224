import type { SourceEnd } from "./source.ts";

/** A source sent more of something than it may: it ends, and no other. */
export class Excess extends Error {}

/** The end of a source in whose reading this was thrown. */
export function endAfter(error: unknown): SourceEnd {
  const words = error instanceof Error ? error.message : String(error);
  return error instanceof Excess ? { complaint: "STREAM_EXCESSIVE", words } : { words };
}
