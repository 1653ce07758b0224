/** Limits of the outbox. */
export const REPORT_CORE_LIMITS = {
  /** Reports that wait for delivery; beyond, the oldest report is dropped that a newer one of its timer replaces. */
  outboxSize: 20_000,
} as const;
