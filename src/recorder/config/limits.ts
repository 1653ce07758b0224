/** Limits of the configuration. */
export const CONFIG_LIMITS = {
  /** A larger configuration file is refused with CONFIG_INVALID. */
  bytes: 1024 * 1024,
} as const;
