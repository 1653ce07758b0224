import { SECOND } from "../../model/time.ts";

/** Limits of deliveries to the guide service. */
export const REPORT_LIMITS = {
  /** With more waiting reports, deliveries keep `deliveryGapMs`, so that a service that returns is not overrun. */
  deliveriesQuick: 20,
  /** The gap between two deliveries while many wait. */
  deliveryGapMs: SECOND / 20,
  /** The first back-off after a failed delivery; it doubles with each failure, up to `guideBackOffMsMax`. */
  backOffMsMin: 2 * SECOND,
} as const;
