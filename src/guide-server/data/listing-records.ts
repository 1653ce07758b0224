import { z } from "zod";
import { DvbTriplet, type Wire } from "../../guide-wire/records.ts";

/* The stored records about channels of listings; see tables.ts. */

const Id = z.string().min(1);

/** The guide's channel for a listing's channel; its id is that of the listing's channel. */
export const ListingLink = z.strictObject({ id: Id, channelId: z.int() });

/** A person's choice for a channel of a listing (xmltv/channels.ts). */
const ChannelTarget = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ignore") }),
  z.strictObject({ kind: z.literal("channel"), id: z.int() }),
  z.strictObject({ kind: z.literal("triplet"), triplet: DvbTriplet }),
  z.strictObject({ kind: z.literal("lcn"), lcn: z.string() }),
  z.strictObject({ kind: z.literal("name"), name: z.string() }),
]);
export type ChannelTarget = Wire<typeof ChannelTarget>;

/** The choice made on the page for a channel of a listing; its id is that of the listing's channel. */
export const Mapping = z.strictObject({
  id: Id,
  /** Absent: match automatically again; the record is removed after that. */
  target: ChannelTarget.optional(),
  /** Listings have been read with it. */
  markApplied: z.literal(true).optional(),
});
export type Mapping = Wire<typeof Mapping>;

/**
 * A channel of a listing at the last reading, with its match; its id is the listing's rank and the channel's id
 * there.
 */
export const ListingChannel = z.strictObject({
  id: Id,
  rank: z.int(),
  listedId: z.string(),
  name: z.string(),
  by: z.enum([
    "table",
    "before",
    "triplet",
    "name",
    "short name",
    "known name",
    "lcn",
    "new",
    "ignored",
    "taken",
  ]),
  channelId: z.int().optional(),
  note: z.string().optional(),
});
export type ListingChannel = Wire<typeof ListingChannel>;
