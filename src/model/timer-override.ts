import type { Padding } from "./window.ts";

/** A timer's own priority and padding, set here; absent fields follow the configuration and the account. */
export interface TimerOverride {
  readonly priority?: number;
  readonly padding?: Padding;
}

/** A change of an override; `null` removes the value. */
export interface OverrideChange {
  readonly priority?: number | null;
  readonly padding?: Padding | null;
}

export function withOverride(
  { priority: rank, padding: room }: TimerOverride,
  { priority = rank, padding = room }: OverrideChange,
): TimerOverride {
  return {
    ...(priority === undefined || priority === null ? {} : { priority }),
    ...(padding === undefined || padding === null ? {} : { padding }),
  };
}
