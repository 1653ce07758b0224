import { z } from "zod";
import { ORIGINS } from "../../model/imported.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { At, list, Name, named, Text, Triplet, Window } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";
import { API_LIMITS } from "./limits.ts";

const Line = z.string().min(1).max(API_LIMITS.importedTitleLength);

const OrderSchema = named(
  "ImportOrder",
  z.strictObject({
    from: z.enum(ORIGINS),
    id: z.string().min(1).max(API_LIMITS.importedIdLength).describe("Names it within the other recorder."),
    title: Line,
    subtitle: Line.exactOptional(),
    description: z.string().max(API_LIMITS.importedTextLength).exactOptional(),
    resumeSeconds: z.number().min(0).exactOptional(),
    channelName: z.string().max(API_LIMITS.importedTitleLength),
    service: Triplet.exactOptional(),
    event: Window,
    file: z
      .string()
      .startsWith("/")
      .max(API_LIMITS.pathLength)
      .describe("Real path, without symbolic links."),
    bytes: z.int().min(0),
    modifiedAt: At,
    isDamaged: z.boolean(),
    isWatched: z.boolean(),
  }),
);

const ResultSchema = z.union([
  z.object({ id: Text, result: z.enum(["added", "there"]), recordingId: Name }),
  z.object({ id: Text, result: z.literal("refused"), why: Text.describe("A sentence.") }),
]);

/**
 * Served on the control socket only: an entry makes a file of the machine playable, so a browser must not choose it.
 */
export function importRoutes({ library }: Pick<DaemonApi, "library">): readonly ApiRoute[] {
  return [
    route({
      method: "POST",
      path: "/v1/import/recordings",
      summary:
        "Add files of another recorder to the library, where they are; one that is there already stays as it is. Only on the control socket",
      body: named(
        "ImportOrders",
        z.strictObject({ recordings: z.array(OrderSchema).max(API_LIMITS.importedAtOnce) }),
      ),
      answer: named("ImportResults", list(ResultSchema)),
      handle: ({ body }) => library.import(body.recordings),
    }),
  ];
}
