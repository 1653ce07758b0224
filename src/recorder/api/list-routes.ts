import { createHash } from "node:crypto";
import { z } from "zod";
import { RecorderdError } from "../../model/errors.ts";
import { tripletInAddress, tripletKey } from "../../model/service.ts";
import { SECOND } from "../../model/time.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { list, Name, named, Text } from "../../web/schemas.ts";
import { catchUpDays, finishedOnes, ofStation, recordingOf, type Watchable, watchable } from "./catch-up.ts";
import type { DaemonApi } from "./daemon-api.ts";
import { playAnswer } from "./play-answer.ts";
import { baseOf, liveList, logoPath, recordingList, type Station, singleList } from "./player-lists.ts";
import { ServiceId } from "./service-id.ts";
import { SharedGuide } from "./shared-guide.ts";
import type { GuideStation } from "./xmltv.ts";

const Channel = z.strictObject({ id: Name });

const Seconds = z
  .string()
  .regex(/^\d{1,10}$/, "expected whole seconds")
  .transform((text) => Number(text) * SECOND);

/** Lists for players: channels, guide, logos and recordings. */
export function listRoutes(api: DaemonApi): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/live.m3u",
      summary: "Playlist of the channels that a tuner receives",
      answer: "audio/x-mpegurl",
      handle: async ({ request }) => {
        const [logos, recordings] = await Promise.all([api.logos.known(), watchableOf(api)]);
        const now = api.snapshot().at;
        const extras = (station: Station) => {
          const days = catchUpDays(ofStation(recordings, station), now);
          const hasLogo = logos.has(station.channelId);
          return { hasLogo, ...(days === undefined ? {} : { catchUpDays: days }) };
        };
        return m3u(liveList(stationsOf(api), { base: baseOf(request), extras }));
      },
    }),
    route({
      method: "GET",
      path: "/v1/recordings.m3u",
      summary: "Playlist of finished recordings",
      answer: "audio/x-mpegurl",
      handle: async ({ request }) => {
        const all = finishedOnes(await api.library.entries(), api.snapshot().recordings);
        return m3u(recordingList(all, baseOf(request)));
      },
    }),
    route({
      method: "GET",
      path: "/v1/recordings/:id/play.m3u",
      summary: "Playlist of one recording, finished or growing, for a player on the viewer's device",
      params: z.strictObject({ id: Name }),
      answer: "audio/x-mpegurl",
      handle: async ({ params: { id }, request }) => {
        const found = (await watchableOf(api)).find(({ recordingId }) => recordingId === id);
        if (found === undefined)
          throw new RecorderdError("RECORDING_UNKNOWN", `There is no recording ${id} to play.`);
        const path = `/v1/recordings/${encodeURIComponent(id)}/file`;
        return m3u(singleList({ name: found.name, path }, baseOf(request)));
      },
    }),
    route({
      method: "GET",
      path: "/v1/live/:service/play.m3u",
      summary: "Playlist of one live service, for a player on the viewer's device",
      params: z.strictObject({ service: ServiceId }),
      answer: "audio/x-mpegurl",
      handle: ({ params: { service }, request }) => {
        const key = tripletKey(service);
        const name = stationsOf(api).find((each) => tripletKey(each.service) === key)?.name ?? key;
        return m3u(singleList({ name, path: `/v1/live/${tripletInAddress(service)}` }, baseOf(request)));
      },
    }),
    route({
      method: "GET",
      path: "/v1/catchup/:channel/:start",
      summary:
        "The recording of the programme of a channel from that time on (seconds since 1970), finished or growing; 404 if there is none",
      params: z.strictObject({ channel: Name, start: Seconds }),
      query: z.strictObject({
        seconds: Seconds.exactOptional().describe("Length of the programme. Default: any that is on then."),
      }),
      answer: "video/mp2t",
      handle: async ({ params: { channel, start }, query: { seconds = SECOND }, request }) => {
        const station = stationsOf(api).find(({ channelId }) => channelId === channel);
        const recordings = station === undefined ? [] : ofStation(await watchableOf(api), station);
        const found = recordingOf({ start, stop: start + Math.max(SECOND, seconds) }, recordings);
        if (found !== undefined)
          return playAnswer(await api.playing.openAt(found.recordingId, start), request);
        throw new RecorderdError("RECORDING_UNKNOWN", "That programme was not recorded.");
      },
    }),
    route({
      method: "GET",
      path: "/v1/channels/logos",
      summary: "Channels that have a logo",
      answer: named("ChannelsWithLogo", list(z.object({ id: Text, name: Text }))),
      handle: async () => {
        const known = await api.logos.known();
        return api
          .reach()
          .filter(({ channelId }) => known.has(channelId))
          .map(({ channelId, name }) => ({ id: channelId, name }));
      },
    }),
    route({
      method: "GET",
      path: "/v1/channels/:id/logo",
      summary: "Logo of a channel, if it has one",
      params: Channel,
      answer: "image/png",
      handle: async ({ params, request }) => {
        const { type, bytes } = await api.logos.open(params.id);
        const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
        const headers = { "content-type": type, "cache-control": "private, max-age=86400", etag };
        if (request.headers["if-none-match"] === etag) return { status: 304, headers };
        return { status: 200, headers, body: bytes };
      },
    }),
    guideRoute(api, { logos: api.logos }),
  ];
}

interface GuideOptions {
  /** Absent: the guide names no logos. */
  readonly logos?: Pick<DaemonApi["logos"], "known">;
  /**
   * Numbers of the channels, which are their ids then; a channel without one is left out. Players that know a channel by its number
   * alone find it in the guide by both. Absent: the ids and numbers of the recorder's guide.
   */
  readonly numbers?: () => ReadonlyMap<string, string>;
}

/** The XMLTV guide, which the HDHomeRun emulation also serves. */
export function guideRoute(
  api: Pick<DaemonApi, "reach" | "guide">,
  { logos, numbers }: GuideOptions = {},
): ApiRoute {
  const shared = new SharedGuide();
  return route({
    method: "GET",
    path: "/v1/guide.xml",
    summary: "Programmes of the channels in live.m3u, as XMLTV",
    answer: "application/xml",
    handle: async ({ request }) => {
      // Without logos, nothing in it depends on the request.
      const base = logos === undefined ? "" : baseOf(request);
      const body = await shared.body(base, async () => {
        const stations = guideStations(stationsOf(api), numbers?.());
        const channelIds = stations.map(({ channelId }) => Number(channelId));
        const shows = channelIds.length === 0 ? [] : await api.guide.shows({ channelIds });
        const known = await logos?.known();
        const icons = stations.map(({ channelId: id }) =>
          known?.has(id) === true ? `${base}${logoPath(id)}` : undefined,
        );
        return { stations, shows, icons };
      });
      return { status: 200, headers: { "content-type": "application/xml; charset=utf-8" }, body };
    },
  });
}

function stationsOf(api: Pick<DaemonApi, "reach">): readonly Station[] {
  return api
    .reach()
    .flatMap((each) => (each.service === undefined ? [] : [{ ...each, service: each.service }]));
}

function guideStations(
  stations: readonly Station[],
  numbers: ReadonlyMap<string, string> | undefined,
): readonly GuideStation[] {
  if (numbers === undefined) return stations.map((station) => ({ ...station, id: station.channelId }));
  return stations.flatMap(({ channelId, name }) => {
    const number = numbers.get(channelId);
    return number === undefined ? [] : [{ id: number, channelId, name, number }];
  });
}

async function watchableOf(api: DaemonApi): Promise<readonly Watchable[]> {
  return watchable(await api.library.entries(), api.snapshot().recordings);
}

function m3u(body: string) {
  return { status: 200, headers: { "content-type": "audio/x-mpegurl; charset=utf-8" }, body };
}
