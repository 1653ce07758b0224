import { z } from "zod";
import { RecorderdError } from "../../model/errors.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { isZone } from "../../model/zone.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { At, Count, list, Text } from "../../web/schemas.ts";
import type { ListingChannel, Mapping } from "../data/listing-records.ts";
import { put } from "../data/tables.ts";
import { readTarget, targetText } from "../xmltv/channel-table.ts";
import { listingStates, setListingZone } from "../xmltv/listing-facts.ts";
import type { Household, HouseholdOf } from "./household.ts";

const ListedSchema = z.object({
  id: Text.describe("Id of the channel in the listing."),
  rank: Count.describe("Rank of the listing: 1 is the best."),
  name: Text,
  by: Text.describe("How it was matched; `new`: it had no match and became a new channel of the guide."),
  channelId: Count.exactOptional(),
  note: Text.exactOptional(),
  mapping: Text.exactOptional().describe("The mapping chosen on the page."),
  isPending: z.boolean().describe("The mapping takes effect when listings are read next."),
});

const ChannelSchema = z.object({
  id: Count,
  name: Text,
  regionId: Count.exactOptional(),
  lcns: Text,
  triplets: list(Text),
  until: At.exactOptional().describe("End of its last programme."),
});

const ListingSchema = z.object({
  id: Text,
  rank: Count.describe("Rank: 1 is the best."),
  name: Text,
  programmes: Count,
  readAt: At.exactOptional(),
  failure: z
    .object({ at: At, text: Text })
    .exactOptional()
    .describe("It has been unreadable since then; its previous content stays in use."),
  zone: Text.exactOptional().describe("Time zone set by a person; it overrides the zones in the listing."),
  isPending: z.boolean().describe("The server will read it again with the new setting."),
  flaws: list(
    z.object({
      kind: Text,
      count: Count,
      leftOut: Count.describe("Channels and programmes that could not be used because of it."),
      first: list(z.object({ line: Count, reason: Text })),
    }),
  ).describe("Its flaws at the last reading, repaired or not."),
});

const ChannelsSchema = z.object({
  mayMap: z.boolean().describe("Whether this account may map channels of listings."),
  regions: list(z.object({ id: Count, name: Text })),
  channels: list(ChannelSchema),
  listed: list(ListedSchema),
  listings: list(ListingSchema),
});

const Zone = z.string().max(100).refine(isZone, "expected a time zone such as Europe/Berlin");

/** Ids of listings may be long. */
const ListedId = z.strictObject({ id: z.string().min(1).max(500) });
const Done = z.object({});
const EXPECTED = "Expected ONID/TSID/SID, lcn N, channel N, name NAME or ignore.";

/** The channels of the guide, and their channels in listings. */
export function channelRoutes(
  of: HouseholdOf,
  { onMapped }: { readonly onMapped: () => void },
): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/channels",
      summary: "The channels of all regions and of the listings, and how they were matched",
      answer: ChannelsSchema,
      handle: async ({ request }) => channelsView(await of(request)),
    }),
    route({
      method: "PUT",
      path: "/v1/channels/mappings/:id",
      summary:
        "Map a channel of a listing to a channel of the guide; null: match it automatically. Listings are read again at once",
      params: ListedId,
      body: z.strictObject({ target: z.string().max(300).nullable() }),
      answer: Done,
      handle: async ({ params: { id }, body, request }) => {
        const household = await of(request, "govern");
        if (!household.isServerOwner) {
          throw new RecorderdError("GUIDE_FORBIDDEN", "Only owners of the oldest account may map channels.");
        }
        await household.change((tables) => {
          const target = body.target === null ? undefined : readTarget(body.target.trim());
          if (body.target !== null && target === undefined) throw unknown(EXPECTED);
          if (target?.kind === "channel" && !tables.channels.has(String(target.id))) {
            throw unknown(`There is no channel ${target.id}.`);
          }
          const mapping: Mapping = { id, ...(target === undefined ? {} : { target }) };
          return { changes: [put("mappings", mapping)], value: undefined };
        });
        onMapped();
        return {};
      },
    }),
    route({
      method: "PUT",
      path: "/v1/listings/:id",
      summary:
        "Set the time zone of a listing; null: as the listing states. The server reads the listing again at once",
      params: ListedId,
      body: z.strictObject({ zone: Zone.nullable() }),
      answer: Done,
      handle: async ({ params: { id }, body: { zone }, request }) => {
        const { isServerOwner, store } = await of(request, "govern");
        if (!isServerOwner) {
          throw new RecorderdError(
            "GUIDE_FORBIDDEN",
            "Only owners of the oldest account may change how listings are read.",
          );
        }
        if (!(await setListingZone(store, id, zone ?? undefined))) {
          throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such listing.");
        }
        onMapped();
        return {};
      },
    }),
  ];
}

function unknown(text: string): RecorderdError {
  return new RecorderdError("GUIDE_NOT_ACCEPTABLE", text);
}

function channelsView({ tables, store, isServerOwner }: Household): z.input<typeof ChannelsSchema> {
  return {
    mayMap: isServerOwner,
    regions: [...tables.regions.values()].map(({ id, name }) => ({ id, name })),
    channels: [...tables.channels.values()].map(({ id, name, region_id, lcns = "", dvb = [] }) => {
      const until = tables.shows.lastEndOf(id);
      return {
        id,
        name,
        ...(region_id === undefined ? {} : { regionId: region_id }),
        lcns,
        triplets: dvb.map((triplet) => targetText({ kind: "triplet", triplet })),
        ...(until === undefined ? {} : { until }),
      };
    }),
    listings: listingStates(store).map(({ id, rank, facts }) => {
      const { name, programmes, readAt, failure, zone, isPending = false, flaws } = facts;
      return {
        id,
        rank,
        name,
        programmes,
        ...(readAt === undefined ? {} : { readAt }),
        ...(failure === undefined ? {} : { failure: { at: failure.at, text: failure.text } }),
        ...(zone === undefined ? {} : { zone }),
        isPending,
        flaws,
      };
    }),
    listed: [...tables.listed.values()].map((one) => listedView(one, tables.mappings.get(one.listedId))),
  };
}

function listedView(
  { listedId: id, rank, name, by, channelId, note }: ListingChannel,
  mapping: Mapping | undefined,
): z.input<typeof ListedSchema> {
  return {
    id,
    rank,
    name,
    by,
    ...withoutUndefined({ channelId, note }),
    ...(mapping?.target === undefined ? {} : { mapping: targetText(mapping.target) }),
    isPending: mapping !== undefined && mapping.markApplied === undefined,
  };
}
