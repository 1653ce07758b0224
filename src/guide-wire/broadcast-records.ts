import { z } from "zod";
import { Bits16, Flag, Id, type Wire } from "./records.ts";

/** A service that a set-top client receives. */
export const ScannedService = z.object({
  /** The client's match among the channels. */
  channel_id: z.int().optional(),
  channel_name: z.string(),
  onid: Bits16,
  tsid: Bits16,
  sid: Bits16,
});
export type ScannedService = Wire<typeof ScannedService>;

const tripletFields = { onid: Bits16, tsid: Bits16, sid: Bits16 };
/** Seconds since 1970. */
const spanFields = { start_unix: z.int(), stop_unix: z.int() };

/** A service in the EIT. */
export const BroadcastService = z.object({
  ...tripletFields,
  /** Service name from the SDT. */
  name: z.string().optional(),
  /** 1: the client's tuners receive it, so that it can be recorded there. */
  received: Flag.optional(),
});
export type BroadcastService = Wire<typeof BroadcastService>;

/** A span for which the document contains every event of the service that begins in it. */
export const BroadcastSpan = z.object({ ...tripletFields, ...spanFields });
export type BroadcastSpan = Wire<typeof BroadcastSpan>;

/** An event from EIT. @see EN 300 468 §5.2.4 */
export const BroadcastEvent = z.object({
  ...tripletFields,
  ...spanFields,
  eit_id: Bits16,
  title: z.string(),
  desc: z.string().optional(),
  /** Content reference ids of programme and series, with their authority. @see ETSI TS 102 323 §12.1 */
  programme_crid: Id.optional(),
  series_crid: Id.optional(),
});
export type BroadcastEvent = Wire<typeof BroadcastEvent>;
