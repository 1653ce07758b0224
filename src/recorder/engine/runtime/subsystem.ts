import type { DaemonDocument } from "../core/document.ts";

/** A part of the daemon that works beside the engine and decides nothing. */
export interface Subsystem extends Partial<AsyncDisposable> {
  readonly name: string;
  /** Runs while the engine does, until the signal is aborted. */
  readonly run?: (signal: AbortSignal) => Promise<void>;
  /** Called with each document that is on disk. It returns at once. */
  readonly onCommit?: (document: DaemonDocument) => void;
}
