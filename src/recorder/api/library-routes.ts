import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { list, Name, named } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";
import { EntrySchema, JobSchema } from "./recording-schema.ts";
import type { ViewerOf } from "./viewer.ts";

const Id = z.strictObject({ id: Name });

const FlagsSchema = named(
  "Flags",
  z.strictObject({ protected: z.boolean().exactOptional(), watched: z.boolean().exactOptional() }),
);

/** Routes for ended recordings and work on them. */
export function libraryRoutes(
  { library, progress }: Pick<DaemonApi, "library" | "progress">,
  viewerOf: ViewerOf,
): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/recordings",
      summary: "Recordings with a file on the disk, now or earlier; deleted ones until their entries expire",
      answer: named("LibraryEntries", list(EntrySchema)),
      handle: () => library.entries(),
    }),
    route({
      method: "GET",
      path: "/v1/jobs",
      summary: "Work on finished recordings: thumbnails, chapters, conversion",
      answer: named("Jobs", list(JobSchema)),
      handle: () => library.jobs(),
    }),
    route({
      method: "POST",
      path: "/v1/recordings/:id/verify",
      summary:
        "Read a recording's file and compare it with the stored checksum; the recording's entry has the verdict after the job has ended",
      params: Id,
      answer: JobSchema,
      handle: ({ params }) => library.verify(params.id),
    }),
    route({
      method: "POST",
      path: "/v1/recordings/:id/flags",
      summary:
        "Protect a recording from retention, or mark it as watched, also for the viewer of the request",
      params: Id,
      body: FlagsSchema,
      answer: EntrySchema,
      handle: async ({ params: { id }, body, request }) => {
        const entry = await library.mark(id, body);
        if (body.watched !== undefined)
          progress.mark({ viewer: await viewerOf(request), recordingId: id }, body.watched);
        return entry;
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/recordings/:id",
      summary: "Delete a recording and its sidecars",
      params: Id,
      answer: EntrySchema,
      handle: ({ params }) => library.remove(params.id),
    }),
  ];
}
