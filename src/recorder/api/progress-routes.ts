import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { At, list, Name, named, Text } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";
import type { ViewerOf } from "./viewer.ts";

const Id = z.strictObject({ id: Name });
/** A longer recording than any disk holds. */
const Seconds = z.number().min(0).max(10_000_000);

const PROGRESS = {
  seconds: Seconds.describe("Position on the timeline of the player."),
  durationSeconds: Seconds.describe("Length as the player knows it; 0 if unknown."),
};

const ReportSchema = named(
  "ProgressReport",
  z.strictObject({
    ...PROGRESS,
    isFinished: z.boolean().exactOptional().describe("Absent: the recorder decides by the position."),
  }),
);

const ProgressSchema = named(
  "Progress",
  z.object({
    ...PROGRESS,
    isFinished: z.boolean(),
    at: At.exactOptional().describe("Time of the last report; absent without one."),
  }),
);

const ListSchema = named(
  "ProgressList",
  list(z.object({ recordingId: Text, ...PROGRESS, isFinished: z.boolean(), at: At })),
);

/** Routes for resume positions: those of the user or token of the request. */
export function progressRoutes(
  { progress }: Pick<DaemonApi, "progress">,
  viewerOf: ViewerOf,
): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/progress",
      summary: "The positions at which the user stopped, the latest last",
      answer: ListSchema,
      handle: async ({ request }) => progress.of(await viewerOf(request)),
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/progress",
      summary: "The position at which the user stopped in a recording",
      params: Id,
      answer: ProgressSchema,
      handle: async ({ params: { id }, request }) =>
        progress.find({ viewer: await viewerOf(request), recordingId: id }) ?? {
          seconds: 0,
          durationSeconds: 0,
          isFinished: false,
        },
    }),
    route({
      method: "PUT",
      path: "/v1/recordings/:id/progress",
      summary:
        "Store the position of the user. A position near the end marks the recording as watched, unless it still grows",
      params: Id,
      body: ReportSchema,
      answer: ProgressSchema,
      handle: async ({ params: { id }, body, request }) =>
        progress.note({ viewer: await viewerOf(request), recordingId: id }, body),
    }),
  ];
}
