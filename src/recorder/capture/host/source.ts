import type { Complaint } from "../log-text.ts";
import type { Share } from "./shares.ts";

export interface SourceEnd {
  /** Absent for a normal end: end of stream, reset, or silence. */
  readonly complaint?: Complaint;
  /** For people; addresses are reduced to their host. */
  readonly words: string;
}

export interface Feed {
  /** Receives `bytes[from]` to `bytes[to - 1]`, which are overwritten after the call. */
  bytes(bytes: Uint8Array, from: number, to: number): void;
  /** At most once; nothing follows. */
  ended(end: SourceEnd): void;
}

/** The host's services for a source. */
export interface SourceParts {
  readonly share: Share;
  /** Reads the monotonic clock. */
  readonly nowMs: () => number;
}

/** A source being read. */
export interface OpenSource {
  /** Makes the sender wait until `resume`; sources that cannot wait continue. */
  pause(): void;
  resume(): void;
  /** Called many times a second, with a reading of the monotonic clock. */
  look(nowMs: number): void;
  /** Whether the wanted service was searched and is missing. */
  isMissing(): boolean;
  /** Remarks about the reading itself; empty if there are none. */
  remarks(): string;
  /** Passes on buffered data during the call; nothing follows, not even an end. */
  close(): void;
}

/** The end of a source whose reading threw this error. */
export function endAfter(error: unknown): SourceEnd {
  return { words: error instanceof Error ? error.message : String(error) };
}
