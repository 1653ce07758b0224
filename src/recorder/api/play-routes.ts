import { z } from "zod";
import { parseJson } from "../../kit/text/parse-json.ts";
import { RecorderdError } from "../../model/errors.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { Name, named } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";
import { playAnswer } from "./play-answer.ts";
import { ServiceId } from "./service-id.ts";

const Report = z.record(z.string(), z.unknown());
const Id = z.strictObject({ id: Name });

/** Recordings and services for players. */
export function playRoutes(api: DaemonApi): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/recordings/:id/file",
      summary:
        "The recording, with ranges; a growing recording is followed to its end unless the range has one",
      params: Id,
      answer: "video/mp2t",
      handle: async ({ params, request }) => playAnswer(await api.playing.open(params.id), request),
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/report",
      summary:
        "All facts about a finished recording, with its integrity report (docs/dev/recording-files.md)",
      params: Id,
      answer: named("Report", Report),
      handle: async ({ params: { id } }) => {
        const { data } = Report.safeParse(parseJson((await api.playing.sidecar(id)).toString("utf8")));
        if (data !== undefined) return data;
        throw new RecorderdError("FILE_UNREADABLE", `The sidecar of recording ${id} is damaged.`);
      },
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/thumbnail",
      summary: "Picture of the recording, finished or growing",
      params: Id,
      answer: "image/jpeg",
      handle: async ({ params }) => {
        const { bytes, isGrowing } = await api.playing.thumbnail(params.id);
        const caching = `private, max-age=${isGrowing ? 600 : 86_400}`;
        return {
          status: 200,
          headers: { "content-type": "image/jpeg", "cache-control": caching },
          body: bytes,
        };
      },
    }),
    route({
      method: "GET",
      path: "/v1/live/:service",
      summary: "A live service. A viewer takes no tuner from a recording, and yields its tuner to one",
      params: z.strictObject({ service: ServiceId }),
      answer: "video/mp2t",
      handle: async ({ params, request }) => {
        const headers = { "content-type": "video/mp2t" };
        if (request.method === "HEAD") return { status: 200, headers };
        return { status: 200, headers, body: await api.playing.live(params.service) };
      },
    }),
  ];
}
