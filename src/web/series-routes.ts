import { z } from "zod";
import type { WebRequest } from "../kit/http/web-server.ts";
import type { SeriesApi } from "./guide-api.ts";
import { type ApiRoute, route } from "./route.ts";
import { Count, list, Name, named, Text } from "./schemas.ts";

/** The values of the guide service. */
const Quality = z.enum(["Prefer HD", "HD Only", "Prefer SD", "SD Only"]);

/** The other fields of a rule in answers; an absent one means any. */
const ruleFields = {
  id: Count,
  deviceId: Count,
  channelId: Count.exactOptional(),
  startMinutes: Count.exactOptional().describe(
    "Minute of the day in the region's time zone, within half an hour.",
  ),
  quality: Text.exactOptional(),
};

/** The restrictions of an order. */
const airingsFields = {
  deviceId: z
    .int()
    .min(1)
    .exactOptional()
    .describe(
      "Device of the account that records; default for a new order: this recorder, or at a guide server the household's only device.",
    ),
  channelId: z.int().min(1).nullable().exactOptional().describe("null: any."),
  startMinutes: z.int().min(0).max(1439).nullable().exactOptional().describe("null: any."),
  quality: Quality.exactOptional(),
};

const seriesRuleFields = { ...ruleFields, seriesId: Text, title: Text, showId: Count.exactOptional() };
const SeriesRecordingSchema = named("SeriesRecording", z.object(seriesRuleFields));
const SeriesOrderedSchema = named(
  "SeriesOrdered",
  z.object({
    ...seriesRuleFields,
    warning: Text.exactOptional().describe("Why episodes cannot be recorded at present, as a sentence."),
    unreceived: list(Text).exactOptional().describe("Names of its channels that no tuner receives."),
  }),
);
const KeywordSchema = named("Keyword", z.object({ ...ruleFields, keyword: Text }));
const FavouriteSchema = named("Favourite", z.object({ seriesId: Text, title: Text }));
const SeriesSchema = named(
  "SeriesOrders",
  z.object({
    recordings: list(SeriesRecordingSchema),
    keywords: list(KeywordSchema),
    favourites: list(FavouriteSchema),
  }),
);

const Id = z.strictObject({
  id: z
    .string()
    .regex(/^\d{1,15}$/, "expected a whole number")
    .transform(Number),
});
const SeriesId = z.strictObject({ id: Name });
const Done = named("SeriesDone", z.object({}));

/**
 * Orders that the guide service expands into timers. A service without them answers GUIDE_NOT_FOUND.
 *
 * @param of finds the account of a request: a recorder has one, a guide server one per visitor
 */
export function seriesRoutes(of: (request: WebRequest) => Promise<SeriesApi>): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/series",
      summary: "Series recordings, keywords and favourites of the account with the guide service",
      answer: SeriesSchema,
      handle: async ({ request }) => (await of(request)).all(),
    }),
    route({
      method: "POST",
      path: "/v1/series/recordings",
      summary: "Record every episode of a series, once each; repeating an order returns the existing one",
      body: named("SeriesRecordingOrder", z.strictObject({ seriesId: Name, ...airingsFields })),
      answer: SeriesOrderedSchema,
      handle: async ({ body, request }) => (await of(request)).addRecording(body),
    }),
    route({
      method: "PUT",
      path: "/v1/series/recordings/:id",
      summary: "Change the channel, the time and the quality of a series recording",
      params: Id,
      body: named("SeriesRecordingChange", z.strictObject(airingsFields)),
      answer: Done,
      handle: async ({ params, body, request }) => {
        await (await of(request)).setRecording(params.id, body);
        return {};
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/series/recordings/:id",
      summary: "Withdraw a series recording with its timers; existing recordings stay",
      params: Id,
      answer: Done,
      handle: async ({ params, request }) => {
        await (await of(request)).deleteRecording(params.id);
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/series/keywords",
      summary: "Record every show with these words in its title, every episode once",
      body: named("KeywordOrder", z.strictObject({ keyword: Name, ...airingsFields })),
      answer: KeywordSchema,
      handle: async ({ body, request }) => (await of(request)).addKeyword(body),
    }),
    route({
      method: "PUT",
      path: "/v1/series/keywords/:id",
      summary: "Change a keyword, its channel, time and quality",
      params: Id,
      body: named("KeywordChange", z.strictObject({ keyword: Name.exactOptional(), ...airingsFields })),
      answer: Done,
      handle: async ({ params, body, request }) => {
        await (await of(request)).setKeyword(params.id, body);
        return {};
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/series/keywords/:id",
      summary: "Withdraw a keyword with its timers; existing recordings stay",
      params: Id,
      answer: Done,
      handle: async ({ params, request }) => {
        await (await of(request)).deleteKeyword(params.id);
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/series/favourites",
      summary: "Add a series to the favourites; a favourite alone records nothing",
      body: named("FavouriteOrder", z.strictObject({ seriesId: Name })),
      answer: Done,
      handle: async ({ body, request }) => {
        await (await of(request)).addFavourite(body.seriesId);
        return {};
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/series/favourites/:id",
      summary: "Remove a series from the favourites",
      params: SeriesId,
      answer: Done,
      handle: async ({ params, request }) => {
        await (await of(request)).deleteFavourite(params.id);
        return {};
      },
    }),
  ];
}
