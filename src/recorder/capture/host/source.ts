import type { Complaint } from "../log-text.ts";
import type { Share } from "./shares.ts";

/** Why a source gives nothing more. */
export interface SourceEnd {
  /** Absent where it ended as streams do: by its end, a reset, or silence. */
  readonly complaint?: Complaint;
  /** For people; no more than the host is left of an address. */
  readonly words: string;
}

/** Takes what a source sends. */
export interface Feed {
  /** `bytes[from]` to `bytes[to - 1]` came. They are overwritten after the call. */
  bytes(bytes: Uint8Array, from: number, to: number): void;
  /** Once, at most; nothing comes after. */
  ended(end: SourceEnd): void;
}

/** What a source has of the host. */
export interface SourceParts {
  readonly share: Share;
  /** Reads the monotonic clock. */
  readonly nowMs: () => number;
}

/** Something that is read. */
export interface OpenSource {
  /** What comes waits at the sender until `resume`; where it cannot wait, it goes on coming. */
  pause(): void;
  resume(): void;
  /** Called many times a second, with a reading of the monotonic clock. */
  look(nowMs: number): void;
  /** Whether the service that is wanted was looked for and is not there. */
  isMissing(): boolean;
  /** Says what is to be said of the reading as such, where anything is. */
  remarks(): string;
  /** What it still holds is handed on within the call; nothing comes after, not even an end. */
  close(): void;
}
