import { z } from "zod";
import type { WebRequest } from "../../kit/http/web-server.ts";
import { formatXml, type XmlElement } from "../../kit/xml/xml.ts";
import type { Reach } from "../../model/reach.ts";
import type { ShowView } from "../../web/guide-api.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { Name, named } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";
import { playAnswer } from "./play-answer.ts";

const Id = z.strictObject({ id: Name });

const ServiceParam = z.strictObject({
  service: z
    .string()
    .regex(/^\d{1,5}-\d{1,5}-\d{1,5}$/, "expected ONID-TSID-SID, decimal")
    .transform((text) => {
      const [onid = 0, tsid = 0, sid = 0] = text.split("-").map(Number);
      return { onid, tsid, sid };
    }),
});

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
      answer: named("Report", z.record(z.string(), z.unknown())),
      handle: async ({ params }) =>
        JSON.parse((await api.playing.sidecar(params.id)).toString("utf8")) as Record<string, unknown>,
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/thumbnail",
      summary: "Thumbnail of the recording, if it has one (jobs.thumbnail)",
      params: Id,
      answer: "image/jpeg",
      handle: async ({ params }) => ({
        status: 200,
        headers: { "content-type": "image/jpeg", "cache-control": "private, max-age=86400" },
        body: await api.playing.thumbnail(params.id),
      }),
    }),
    route({
      method: "GET",
      path: "/v1/live/:service",
      summary: "A live service. A viewer takes no tuner from a recording, and yields its tuner to one",
      params: ServiceParam,
      answer: "video/mp2t",
      handle: async ({ params, request }) => {
        const headers = { "content-type": "video/mp2t" };
        if (request.method === "HEAD") return { status: 200, headers };
        return { status: 200, headers, body: await api.playing.live(params.service) };
      },
    }),
    route({
      method: "GET",
      path: "/v1/live.m3u",
      summary: "Playlist of the channels that a tuner receives",
      answer: "audio/x-mpegurl",
      handle: ({ request }) => {
        const base = baseOf(request);
        const entries = stationsOf(api).map((station) => [
          liveLine(station),
          `${base}/v1/live/${pathOf(station)}`,
        ]);
        return m3u([`#EXTM3U url-tvg="${base}/v1/guide.xml"`, ...entries.flat()]);
      },
    }),
    route({
      method: "GET",
      path: "/v1/recordings.m3u",
      summary: "Playlist of finished recordings",
      answer: "audio/x-mpegurl",
      handle: async ({ request }) => {
        const held = await api.library.entries();
        const there = held.filter(({ deleted, goneSince }) => !deleted && goneSince === undefined);
        const entries = there.map(({ recordingId, name, event }) => [
          `#EXTINF:${Math.round((event.stop - event.start) / 1000)},${line(name)}`,
          `${baseOf(request)}/v1/recordings/${encodeURIComponent(recordingId)}/file`,
        ]);
        return m3u(["#EXTM3U", ...entries.flat()]);
      },
    }),
    guideRoute(api),
  ];
}

/** The XMLTV guide, which the HDHomeRun emulation also serves. */
export function guideRoute(api: Pick<DaemonApi, "reach" | "guide">): ApiRoute {
  return route({
    method: "GET",
    path: "/v1/guide.xml",
    summary: "Programmes of the channels in live.m3u, as XMLTV",
    answer: "application/xml",
    handle: async () => {
      const stations = stationsOf(api);
      const channelIds = stations.map(({ channelId }) => Number(channelId));
      const shows = channelIds.length === 0 ? [] : await api.guide.shows({ channelIds });
      return {
        status: 200,
        headers: { "content-type": "application/xml; charset=utf-8" },
        body: formatXml(xmltv(stations, shows), "UTF-8"),
      };
    },
  });
}

/** A channel that a tuner receives. */
type Station = Reach & Required<Pick<Reach, "service">>;

function stationsOf(api: Pick<DaemonApi, "reach">): readonly Station[] {
  return api
    .reach()
    .flatMap((each) => (each.service === undefined ? [] : [{ ...each, service: each.service }]));
}

function m3u(lines: readonly string[]) {
  return {
    status: 200,
    headers: { "content-type": "audio/x-mpegurl; charset=utf-8" },
    body: `${lines.join("\n")}\n`,
  };
}

function liveLine({ channelId, name, number }: Station): string {
  const chno = number === undefined ? "" : ` tvg-chno="${number}"`;
  return `#EXTINF:-1 tvg-id="${channelId}"${chno} tvg-name="${line(name).replaceAll('"', "'")}",${line(name)}`;
}

/** Replaces characters that would end the line or change the direction of its text. */
function line(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu, " ");
}

function pathOf({ service: { onid, tsid, sid } }: Station): string {
  return `${onid}-${tsid}-${sid}`;
}

/**
 * The base address of the request. Players request the addresses of a list without the credentials they used for the
 * list itself, so a user and password are repeated in the addresses.
 */
function baseOf({ headers, isTls }: WebRequest): string {
  const scheme = isTls || headers["x-forwarded-proto"] === "https" ? "https" : "http";
  const [kind = "", value = ""] = headers.authorization?.split(" ") ?? [];
  const [user = "", password = ""] =
    kind.toLowerCase() === "basic" ? Buffer.from(value, "base64").toString("utf8").split(/:(.*)/s) : [];
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${scheme}://${login}${headers.host ?? "localhost"}`;
}

function xmltv(stations: readonly Station[], shows: readonly ShowView[]): XmlElement {
  return element("tv", { "generator-info-name": "recorderd" }, [
    ...stations.map(({ channelId, name, number }) =>
      element("channel", { id: channelId }, [
        textElement("display-name", name),
        ...(number === undefined ? [] : [textElement("display-name", String(number))]),
      ]),
    ),
    ...shows.map(programmeElement),
  ]);
}

function programmeElement({ channelId, title, start, stop, programme }: ShowView): XmlElement {
  const { subtitle, description, date, categories = [], season, episode } = programme;
  const optional = (name: string, text: string | undefined) =>
    text === undefined ? [] : [textElement(name, text)];
  const numbers =
    season === undefined || episode === undefined
      ? []
      : [
          {
            ...textElement("episode-num", `${season - 1}.${episode - 1}.`),
            attributes: { system: "xmltv_ns" },
          },
        ];
  // In the order of the DTD.
  return element(
    "programme",
    { start: xmltvTime(start), stop: xmltvTime(stop), channel: String(channelId) },
    [
      textElement("title", title),
      ...optional("sub-title", subtitle),
      ...optional("desc", description),
      ...optional("date", date),
      ...categories.map((category) => textElement("category", category)),
      ...numbers,
    ],
  );
}

/** `20261121183000 +0000` */
function xmltvTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, "")} +0000`;
}

function element(
  name: string,
  attributes: XmlElement["attributes"],
  children: readonly XmlElement[],
): XmlElement {
  return { name, attributes, children, text: "" };
}

function textElement(name: string, text: string): XmlElement {
  return { name, attributes: {}, children: [], text };
}
