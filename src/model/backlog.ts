import type { EpochMs } from "./time.ts";

/** Decisions that are not stored yet, because the store is away. */
export interface Backlog<T> {
  readonly since: EpochMs;
  /** Why the store is away. */
  readonly text: string;
  /** The last document that is stored. */
  readonly stored: T;
  /** Resolves when all is stored; the store has no backlog then. */
  readonly over: Promise<void>;
}
