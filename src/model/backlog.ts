import type { EpochMs } from "./time.ts";

/** Decisions that are not stored yet, because the store is away. */
export interface Backlog<T> {
  readonly since: EpochMs;
  /** Why the store is away. */
  readonly text: string;
  /** The last document that is stored. */
  readonly stored: T;
  /** Resolves when everything is stored and the store has no backlog. */
  readonly over: Promise<void>;
}
