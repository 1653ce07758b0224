import { RateLimiter } from "../../../kit/http/rate-limiter.ts";
import type { WebAnswer, WebHead, WebRequest, WebRoute } from "../../../kit/http/web-server.ts";
import { isHouseName } from "../../../kit/net/house-name.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { VERSION } from "../../../kit/version.ts";
import { formatXml, parentElement, textElement, type XmlElement } from "../../../kit/xml/xml.ts";
import { SECOND } from "../../../model/time.ts";
import { otherSite } from "../../../web/listener/guard.ts";
import { m3uList } from "../../../web/m3u.ts";
import { type ApiRoute, refused } from "../../../web/route.ts";
import type { LineupChannel } from "./core/lineup.ts";
import { REFUSALS, type Refusal } from "./core/refusal.ts";
import type { EmulatedTuners } from "./emulated-tuners.ts";
import { HDHOMERUN_LIMITS } from "./limits.ts";
import { isPrivate } from "./own-address.ts";

/** The refusal of a request; `undefined` to go on. */
type Admit = NonNullable<WebRoute["admit"]>;

export interface HttpParts {
  readonly deviceId: string;
  readonly name: string;
  readonly tuners: EmulatedTuners;
  readonly lineup: () => readonly LineupChannel[];
  /** The XMLTV guide of the API, with the numbers of the lineup. */
  readonly guide: ApiRoute;
  /** The address of this listener for a peer that does not name it. */
  readonly baseUrl: (peer: string) => Promise<string | undefined>;
  readonly admit: Admit;
}

/** The HTTP interface of an HDHomeRun. */
export function hdhomerunRoutes(parts: HttpParts): readonly WebRoute[] {
  const { admit } = parts;
  const get = (path: string, handle: WebRoute["handle"]): WebRoute => ({
    method: "GET",
    path,
    admit,
    handle,
  });
  return [
    get("/discover.json", async (request) => jsonAnswer(await descriptionOf(parts, request))),
    // Plex also asks for it as `/capability`.
    ...["/device.xml", "/capability"].map((path) =>
      get(path, async (request) => xmlAnswer(upnp(await descriptionOf(parts, request)))),
    ),
    get("/lineup.json", async (request) => jsonAnswer(await lineupAnswer(parts, request))),
    get("/lineup.xml", async (request) => xmlAnswer(lineupXml(await lineupAnswer(parts, request)))),
    get("/lineup.m3u", async (request) => await lineupList(parts, request)),
    get("/lineup_status.json", async () => jsonAnswer(LINEUP_STATUS)),
    // The channels are those of the recorder: there is nothing to scan for.
    { method: "POST", path: "/lineup.post", admit, handle: async () => ({ status: 200, body: "" }) },
    get("/status.json", async () => jsonAnswer(statusOf(parts.tuners))),
    get("/:tuner/:channel", (request) => watch(parts, request)),
    { ...parts.guide, admit },
  ];
}

/**
 * Refuses addresses beyond the private networks, pages of other sites, names of strangers, and too many requests.
 *
 * @param names names of this machine that only its owner knows to be its own
 */
export function admission(clock: Clock, names: readonly string[]): Admit {
  const { requestsAtOnce, requestsPerSecond, addresses: peersMax } = HDHOMERUN_LIMITS;
  const rate = new RateLimiter({ atOnce: requestsAtOnce, everyMs: SECOND / requestsPerSecond, peersMax });
  return async (request) => {
    const stranger = outsider(request) ?? otherSite(request) ?? foreignName(request, names);
    if (stranger !== undefined) return stranger;
    const { address } = request;
    const waitMs = rate.waitMs(address, clock.monotonicMs());
    if (waitMs > 0) {
      return refused(429, "too-many", "Too many requests.", {
        "retry-after": String(Math.ceil(waitMs / SECOND)),
      });
    }
    rate.take(address, clock.monotonicMs());
    return undefined;
  };
}

/** The refusal of an address beyond the private networks. */
export function outsider({ address }: WebHead): WebAnswer | undefined {
  if (isPrivate(address)) return undefined;
  return refused(403, "not-allowed", "Only addresses of a private network may watch.");
}

/** The refusal of a page that has pointed its own name at this machine. */
function foreignName({ headers: { host } }: WebHead, names: readonly string[]): WebAnswer | undefined {
  if (isHouseName(host, names)) return undefined;
  const name = host?.slice(0, 100);
  return refused(
    403,
    "not-allowed",
    `${name} is not a name of this recorder: use its address, or add the name to web.names.`,
  );
}

const LINEUP_STATUS = { ScanInProgress: 0, ScanPossible: 1, Source: "Antenna", SourceList: ["Antenna"] };

async function descriptionOf({ deviceId, name, tuners, ...parts }: HttpParts, request: WebHead) {
  const base = await baseOf(parts, request);
  return {
    FriendlyName: name,
    Manufacturer: "recorderd",
    ModelNumber: "recorderd",
    FirmwareName: "recorderd",
    FirmwareVersion: VERSION,
    DeviceID: deviceId,
    DeviceAuth: "recorderd",
    TunerCount: tuners.count,
    BaseURL: base,
    LineupURL: `${base}/lineup.json`,
  };
}

/** With `?tuning`, also the ids of the services, as devices give them. */
async function lineupAnswer({ lineup, ...parts }: HttpParts, request: WebRequest) {
  const base = await baseOf(parts, request);
  const isTuning = request.query.has("tuning");
  return lineup().map(({ number, name, service: { onid, tsid, sid } }) => ({
    GuideNumber: number,
    GuideName: name,
    URL: `${base}/auto/v${number}`,
    ...(isTuning ? { OriginalNetworkID: onid, TransportStreamID: tsid, ProgramNumber: sid } : {}),
  }));
}

function lineupXml(lineup: Awaited<ReturnType<typeof lineupAnswer>>): XmlElement {
  const programs = lineup.map(({ GuideNumber, GuideName, URL }) =>
    parentElement("Program", {}, [
      textElement("GuideNumber", GuideNumber),
      textElement("GuideName", GuideName),
      textElement("URL", URL),
    ]),
  );
  return parentElement("Lineup", {}, programs);
}

/** The lineup as a playlist. The attributes are those of a device, and those by which players find a channel in the guide. */
async function lineupList(parts: HttpParts, request: WebRequest): Promise<WebAnswer> {
  const guide = `${await baseOf(parts, request)}/v1/guide.xml`;
  const entries = (await lineupAnswer(parts, request)).map(({ GuideNumber: id, GuideName: name, URL }) => ({
    attributes: { "channel-id": id, "channel-number": id, "tvg-id": id, "tvg-chno": id, "tvg-name": name },
    name,
    address: URL,
  }));
  const headers = { "content-type": "audio/x-mpegurl; charset=utf-8", "cache-control": "no-store" };
  return { status: 200, headers, body: m3uList(entries, { "x-tvg-url": guide }) };
}

function statusOf(tuners: EmulatedTuners) {
  return Array.from({ length: tuners.count }, (_, index) => {
    const use = tuners.useOf(index);
    const Resource = `tuner${index}`;
    if (use === undefined) return { Resource };
    return { Resource, VctNumber: use.channel.number, VctName: use.channel.name, TargetIP: use.viewer };
  });
}

/** `/auto/v5` or `/tuner0/v5`, with `?duration=` in seconds. */
async function watch({ tuners, lineup }: HttpParts, request: WebRequest): Promise<WebAnswer> {
  const { tuner = "", channel = "" } = request.params;
  const [, slot] = /^(?:auto|tuner(\d{1,3}))$/i.exec(tuner) ?? [undefined, "none"];
  const [, number] = /^v(\d{1,9})$/i.exec(channel) ?? [];
  const found = lineup().find((one) => one.number === number);
  if (slot === "none" || Number(slot ?? 0) >= tuners.count || found === undefined)
    return refusal("unknownChannel");
  const headers = { "content-type": "video/mpeg", "cache-control": "no-store" };
  if (request.method === "HEAD") return { status: 200, headers };
  const seconds = Number(request.query.get("duration") ?? 0);
  const opened = await tuners.open({
    channel: found,
    viewer: request.address,
    ...(slot === undefined ? {} : { tuner: Number(slot) }),
    ...(seconds > 0 ? { seconds: Math.min(seconds, HDHOMERUN_LIMITS.durationSeconds) } : {}),
  });
  return opened.kind === "refused" ? refusal(opened.refusal) : { status: 200, headers, body: opened.stream };
}

function refusal(kind: Refusal): WebAnswer {
  const { status, text } = REFUSALS[kind];
  return { status, headers: { "x-hdhomerun-error": text, "content-type": "text/plain" }, body: `${text}\n` };
}

/** The address that the client used, or else the one by which it reaches this machine. */
async function baseOf(
  { baseUrl }: Pick<HttpParts, "baseUrl">,
  { headers, address }: WebHead,
): Promise<string> {
  const host = headers.host ?? "";
  if (/^[A-Za-z0-9._-]{1,255}(:\d{1,5})?$/.test(host)) return `http://${host}`;
  return (await baseUrl(address)) ?? "http://localhost";
}

function upnp(device: Awaited<ReturnType<typeof descriptionOf>>): XmlElement {
  return parentElement("root", { xmlns: "urn:schemas-upnp-org:device-1-0" }, [
    parentElement("specVersion", {}, [textElement("major", "1"), textElement("minor", "0")]),
    textElement("URLBase", device.BaseURL),
    parentElement("device", {}, [
      textElement("deviceType", "urn:schemas-upnp-org:device:MediaServer:1"),
      textElement("friendlyName", device.FriendlyName),
      textElement("manufacturer", device.Manufacturer),
      textElement("modelName", device.ModelNumber),
      textElement("modelNumber", device.ModelNumber),
      textElement("serialNumber", device.DeviceID),
      textElement("UDN", `uuid:${device.DeviceID}-0000-4000-8000-000000000000`),
    ]),
  ]);
}

function jsonAnswer(value: unknown): WebAnswer {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return { status: 200, headers, body: JSON.stringify(value) };
}

function xmlAnswer(root: XmlElement): WebAnswer {
  const headers = { "content-type": "application/xml; charset=utf-8", "cache-control": "no-store" };
  return { status: 200, headers, body: formatXml(root, "UTF-8") };
}
