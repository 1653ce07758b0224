import { z } from "zod";

/** A service in an address: its triplet. */
export const ServiceId = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}-\d{1,5}$/, "expected ONID-TSID-SID, decimal")
  .transform((text) => {
    const [onid = 0, tsid = 0, sid = 0] = text.split("-").map(Number);
    return { onid, tsid, sid };
  });
