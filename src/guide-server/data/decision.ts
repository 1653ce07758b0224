import type { Refusal } from "../refusal.ts";
import type { Show } from "./show.ts";
import type { Change } from "./tables.ts";

/** The changes to write and the value to return. */
export interface Transaction<T> {
  readonly changes: readonly Change[];
  /** Shows to add or replace. They are on the disk before the changes, which may refer to them. */
  readonly shows?: readonly Show[];
  readonly value: T;
  /** The changes bring timers in line with rules, so that they need not be compared again. */
  readonly settles?: true;
}

export type Decision<T> = Transaction<T> | Refusal;
