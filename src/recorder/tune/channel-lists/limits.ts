/** Limits of imported channel lists. */
export const CHANNEL_LISTS_LIMITS = {
  /** A larger channel list is refused with FILE_UNREADABLE. */
  bytes: 32 * 1024 * 1024,
  /** Services of one list; further ones are ignored. */
  services: 100_000,
  /** Mistakes of one list that are reported; further ones are left out. */
  mistakes: 1000,
  /** PIDs of one service, and its conditional access systems; further ones are ignored. */
  pids: 256,
} as const;
