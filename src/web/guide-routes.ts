import { z } from "zod";
import type { WebRequest } from "../kit/http/web-server.ts";
import type { GuideApi, ProgrammeApi } from "./guide-api.ts";
import { ProgrammeSchema } from "./programme-schema.ts";
import { type ApiRoute, route } from "./route.ts";
import { At, Count, list, Name, named, Text, Triplet } from "./schemas.ts";

const Id = z.strictObject({ id: Name });
const Minutes = z.int().min(0).max(1440);
const Done = named(
  "Ordered",
  z.object({
    timerId: Text.exactOptional(),
    warning: Text.exactOptional().describe("Why it cannot be recorded at present, as a sentence."),
    unreceived: list(Text).exactOptional().describe("Names of its channels that no tuner receives."),
  }),
);

const ChannelSchema = named(
  "Channel",
  z.object({
    id: Text,
    name: Text,
    nameShort: Text,
    knownNames: list(Text),
    triplets: list(Triplet),
    lcns: list(Count),
    network: Text.exactOptional().describe("The broadcaster's group of channels."),
    icon: Text.exactOptional().describe("Address of the logo, as the guide gives it."),
  }),
);

const ShowSchema = named(
  "Show",
  z.object({
    id: Count,
    channelId: Count,
    title: Text,
    start: At,
    stop: At,
    programme: ProgrammeSchema,
  }),
);

/** A number in a path or query. */
const Numeral = z
  .string()
  .regex(/^\d{1,16}$/, "expected a whole number")
  .transform(Number);

const ShowsQuery = z.strictObject({
  channels: z
    .string()
    .regex(/^\d{1,10}(,\d{1,10}){0,499}$/, "expected ids of channels, separated by commas")
    .transform((text) => text.split(",").map(Number))
    .exactOptional()
    .describe("Ids, separated by commas; default: all of the region."),
  from: Numeral.exactOptional().describe("Only shows that end after this instant."),
  to: Numeral.exactOptional().describe("Only shows that begin before this instant."),
  search: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .describe(
      "Words that the title or the description must all contain; a guide server searches only titles.",
    ),
});

/**
 * The programme of the account's region.
 *
 * @param of finds the account of a request
 */
export function programmeRoutes(of: (request: WebRequest) => Promise<ProgrammeApi>): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/guide/channels",
      summary: "Channels of the account's region",
      answer: named("Channels", list(ChannelSchema)),
      handle: async ({ request }) => (await of(request)).channels(),
    }),
    route({
      method: "GET",
      path: "/v1/guide/shows",
      summary: "Shows by channel and then by time, at most 20,000; a recorder caches them for ten minutes",
      long: true,
      query: ShowsQuery,
      answer: named("Shows", list(ShowSchema)),
      handle: async ({ query: { channels, ...query }, request }) =>
        (await of(request)).shows({ ...query, ...(channels === undefined ? {} : { channelIds: channels }) }),
    }),
  ];
}

/** The guide service through the recorder, and its timers. */
export function guideRoutes({ guide }: { readonly guide: GuideApi }): readonly ApiRoute[] {
  return [
    ...programmeRoutes(async () => guide),
    route({
      method: "POST",
      path: "/v1/guide/sign-in",
      summary: "Renew the recorder's sign-in with its guide service; the token is stored and never returned",
      body: named(
        "GuideSignIn",
        z.strictObject({ email: z.string().min(1).max(1000), password: z.string().min(1).max(1000) }),
      ),
      answer: named(
        "GuideSignedIn",
        z.object({ until: At.exactOptional().describe("Expiry of the token, if the service gives it.") }),
      ),
      handle: ({ body }) => guide.signIn(body),
    }),
    route({
      method: "POST",
      path: "/v1/timers",
      summary: "Book a show as a timer at the guide service; repeating the request makes no second timer",
      body: named(
        "Booking",
        z.strictObject({
          showId: z.int().min(1),
          beforeMinutes: Minutes.exactOptional(),
          afterMinutes: Minutes.exactOptional(),
        }),
      ),
      answer: Done,
      handle: ({ body }) => guide.book(body),
    }),
    route({
      method: "PUT",
      path: "/v1/timers/:id",
      summary: "Change the padding of a timer at the guide service",
      params: Id,
      body: named(
        "Padding",
        z.strictObject({ beforeMinutes: Minutes.exactOptional(), afterMinutes: Minutes.exactOptional() }),
      ),
      answer: Done,
      handle: async ({ params, body }) => {
        await guide.change(params.id, body);
        return { timerId: params.id };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/timers/:id",
      summary: "Cancel a timer at the guide service; a running recording stops, and its file stays",
      params: Id,
      answer: Done,
      handle: async ({ params }) => {
        await guide.cancel(params.id);
        return { timerId: params.id };
      },
    }),
  ];
}
