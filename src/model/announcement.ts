import type { ErrorCode } from "./errors.ts";
import type { EpochMs } from "./time.ts";

/** A post of the content site: plain data, harmless to show, small enough to keep. */
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
  /** Newest first, as of `lastGoodAt`. */
  readonly announcements: readonly Announcement[];
}
