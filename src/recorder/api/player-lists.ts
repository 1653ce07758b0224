import type { WebRequest } from "../../kit/http/web-server.ts";
import type { Reach } from "../../model/reach.ts";
import { tripletInAddress } from "../../model/service.ts";
import { SECOND } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import { type M3uEntry, m3uList } from "../../web/m3u.ts";
import type { Watchable } from "./catch-up.ts";

/** A channel that a tuner receives. */
export type Station = Reach & Required<Pick<Reach, "service">>;

/** The facts about a channel besides those of `Station`. */
export interface StationExtras {
  readonly hasLogo: boolean;
  /** How far recordings of the channel reach back; absent if there is none. */
  readonly catchUpDays?: number;
}

/**
 * The channel list for players.
 *
 * The attributes are those of pvr.iptvsimple (README, "Supported M3U and XMLTV elements"). Jellyfin's M3U tuner reads
 * `tvg-id`, `tvg-chno`, `tvg-logo`, `group-title` and the name.
 *
 * @param base of all addresses
 */
export function liveList(
  stations: readonly Station[],
  { base, extras }: { readonly base: string; readonly extras: (station: Station) => StationExtras },
): string {
  const guide = `${base}/v1/guide.xml`;
  const entries = stations.map((station) => liveEntry(station, { base, ...extras(station) }));
  // Older players know only the second name.
  return m3uList(entries, { "x-tvg-url": guide, "url-tvg": guide });
}

function liveEntry(
  station: Station,
  { base, hasLogo, catchUpDays }: StationExtras & { readonly base: string },
): M3uEntry {
  const { channelId, name, number, network = "", isRadio } = station;
  const id = encodeURIComponent(channelId);
  // Kodi fills in both braces: seconds since 1970, and seconds.
  const source = `${base}/v1/catchup/${id}/{utc}?seconds={duration}`;
  const attributes = {
    "tvg-id": channelId,
    "tvg-chno": number,
    "tvg-name": name,
    "tvg-logo": hasLogo ? `${base}${logoPath(channelId)}` : undefined,
    // A semicolon separates groups.
    "group-title": network.replaceAll(";", ",") || undefined,
    radio: isRadio,
    ...(catchUpDays === undefined
      ? {}
      : { catchup: "default", "catchup-days": catchUpDays, "catchup-source": source }),
  };
  return {
    name,
    attributes,
    // inputstream.ffmpegdirect asks for a new address at each seek; Kodi's own input seeks within the file.
    properties: catchUpDays === undefined ? [] : ["#KODIPROP:inputstream=inputstream.ffmpeg"],
    address: `${base}/v1/live/${tripletInAddress(station.service)}`,
  };
}

/** The list of finished recordings for players. */
export function recordingList(recordings: readonly Watchable[], base: string): string {
  return m3uList(
    recordings.map(({ recordingId, name, event }) => ({
      seconds: Math.round(lengthMs(event) / SECOND),
      name,
      address: `${base}/v1/recordings/${encodeURIComponent(recordingId)}/file`,
    })),
  );
}

/** A list with one entry: computers open it in their player, and a player opens the address in it. */
export function singleList(
  { name, path }: { readonly name: string; readonly path: string },
  base: string,
): string {
  return m3uList([{ name, address: `${base}${path}` }]);
}

export function logoPath(channelId: string): string {
  return `/v1/channels/${encodeURIComponent(channelId)}/logo`;
}

/**
 * The base address of the request. Players request the addresses of a list without the credentials they used for the
 * list itself, so a user and password are repeated in the addresses.
 */
export function baseOf({ headers, isTls }: WebRequest): string {
  const scheme = isTls || headers["x-forwarded-proto"] === "https" ? "https" : "http";
  const [kind = "", value = ""] = headers.authorization?.split(" ") ?? [];
  const [user = "", password = ""] =
    kind.toLowerCase() === "basic" ? Buffer.from(value, "base64").toString("utf8").split(/:(.*)/s) : [];
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${scheme}://${login}${headers.host ?? "localhost"}`;
}
