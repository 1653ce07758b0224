import type { ErrorCode } from "./errors.ts";
import type { EpochMs } from "./time.ts";

/** A post of the content site, made plain and short. */
export interface Announcement {
  readonly id: string;
  readonly title: string;
  readonly at: EpochMs;
  /** http or https. */
  readonly link: string;
}

/** The latest answer of the content site, and whether it can be reached. Never stored. */
export interface SiteStatus {
  readonly lastGoodAt?: EpochMs;
  readonly failure?: { readonly since: EpochMs; readonly code: ErrorCode; readonly text: string };
  /** At `lastGoodAt`, the newest first. */
  readonly announcements: readonly Announcement[];
}
