import { multiplexKey, type Triplet } from "../../../../src/model/service.ts";
import {
  admitted,
  type FakeServer,
  json,
  ON_AIR,
  onAir,
  type Receivers,
  serve,
  type Trouble,
} from "./air.ts";

const uuid = (kind: number, index: number) => `${kind}${String(index).padStart(31, "0")}`;

const nameOf = (multiplex: string) => `${multiplex.replace("/", "")}MHz`;

/** The PIDs of PMT and picture, equal in every service; the PID of the sound tells services of a multiplex apart. */
const OWN_PIDS = [0x1000, 0x100] as const;
const soundPid = (index: number) => 0x200 + index;
const PROFILES = [
  { name: "pass", sid: 1 },
  { name: "as-broadcast", sid: 0 },
] as const;

/**
 * Speaks as Tvheadend does (`tvheadend.json` has what the real one said): digest; grids of 50 unless asked for more; packets of a
 * multiplex by PID as broadcast; services by a profile, of which the stock one names each 1/1/1 and stands in for one that is not
 * there; an end without an answer where no input is free or nothing is received.
 */
export function fakeTvheadend(
  receivers: Receivers,
  { trouble }: { readonly trouble?: Trouble } = {},
): Promise<FakeServer> {
  const keys = [...new Set(ON_AIR.map(multiplexKey))];
  const page = (url: URL, entries: readonly unknown[]) => ({
    entries: entries.slice(0, Number(url.searchParams.get("limit") ?? 50)),
    total: entries.length,
  });
  return serve((request, response, path) => {
    if (!admitted(request, response, "digest", 403)) return;
    const url = new URL(path, "http://tvheadend");
    if (url.pathname === "/login") return response.writeHead(302, { location: "/" }).end();
    if (url.pathname.startsWith("/api/") && trouble === "no rights") return response.writeHead(403).end();
    if (url.pathname === "/api/mpegts/mux/grid") {
      const filler = Array.from({ length: 60 }, (_, index) => ({
        uuid: uuid(3, index),
        name: "Not scanned yet",
      }));
      const muxes = keys.map((key, index) => {
        const [onid, tsid] = key.split("/").map(Number);
        return {
          uuid: uuid(1, index),
          name: nameOf(key),
          onid,
          tsid,
          network: "DVB-T",
          frequency: 226_500_000,
        };
      });
      return json(response, page(url, [...filler, ...muxes]));
    }
    if (url.pathname === "/api/mpegts/service/grid") {
      const services = ON_AIR.map((service, index) => ({
        uuid: uuid(2, index),
        sid: service.sid,
        multiplex_uuid: uuid(1, keys.indexOf(multiplexKey(service))),
        svcname: `Service ${service.sid}`,
        enabled: true,
      }));
      const disabled = { uuid: uuid(4, 0), sid: 1, multiplex_uuid: uuid(1, 0), enabled: false };
      return json(response, page(url, [disabled, ...services]));
    }
    if (url.pathname === "/api/status/inputs") {
      const used = receivers.uses().map((uses, at) => ({
        uuid: uuid(5, at),
        input: `Frontend #${at}`,
        stream: `${nameOf(uses[0] === undefined ? "" : multiplexKey(uses[0].service))} in DVB-T`,
        subs: uses.length,
        weight: 500,
        // In thousandths of dBm, a negative number without its sign; the noise on its own scale.
        signal: 2 ** 32 - 45_600,
        signal_scale: 2,
        snr: 52_428,
        snr_scale: 1,
        unc: 3,
        bps: 12_000_000,
      }));
      const idle = { uuid: uuid(5, 9), input: "Frontend #9", subs: 0, weight: 0, signal: 0, signal_scale: 0 };
      return json(response, { entries: [...used, idle], totalCount: used.length + 1 });
    }
    if (url.pathname === "/api/profile/list") {
      return json(response, { entries: PROFILES.map(({ name }, at) => ({ key: uuid(6, at), val: name })) });
    }
    if (url.pathname === "/api/idnode/load") {
      const profile = PROFILES.find((_, at) => url.searchParams.get("uuid") === uuid(6, at));
      const params = [
        { id: "name", value: profile?.name },
        { id: "sid", value: profile?.sid },
      ];
      return json(response, { entries: profile === undefined ? [] : [{ class: "profile-mpegts", params }] });
    }
    if (url.pathname === "/api/service/streams") {
      const index = ON_AIR.findIndex((_, at) => url.searchParams.get("uuid") === uuid(2, at));
      if (index < 0) return response.writeHead(400).end();
      const [pmt, picture] = OWN_PIDS;
      const streams = [
        { pid: picture, type: "PCR" },
        { pid: pmt, type: "PMT" },
        { index: 1, pid: picture, type: "MPEG2VIDEO" },
        { index: 2, pid: soundPid(index), type: "MPEG2AUDIO", language: "eng" },
        { index: 3, pid: 0x300, type: "CA", caids: [] },
      ];
      return json(response, { name: `Air/${index}`, streams, fstreams: [] });
    }
    const { service, named } = asked(url) ?? {};
    if (service === undefined || named === undefined) return response.writeHead(400).end();
    if (trouble === "forbidden") return response.writeHead(403).end();
    if (trouble === "limit") return response.writeHead(405).end();
    if (trouble === "no lock") return request.socket.destroy();
    const release = receivers.take(service, path);
    if (release === undefined) return request.socket.destroy();
    response.on("close", release);
    const isByProfile = url.pathname.startsWith("/stream/service/");
    return onAir(response, named, {
      "content-type": isByProfile ? "video/mp2t" : "application/octet-stream",
    });
  });
}

/** The service that is asked for, and how its stream names it; `undefined` where nothing is asked for. */
function asked({
  pathname,
  searchParams,
}: URL): { readonly service: Triplet; readonly named: Triplet } | undefined {
  const byUuid = ON_AIR.find((_, at) => pathname === `/stream/service/${uuid(2, at)}`);
  if (byUuid !== undefined) {
    const { sid } = PROFILES.find(({ name }) => name === searchParams.get("profile")) ?? PROFILES[0];
    return { service: byUuid, named: sid === 0 ? byUuid : { onid: 1, tsid: 1, sid } };
  }
  if (!/^\/stream\/mux\//.test(pathname)) return undefined;
  const pids = searchParams.get("pids") ?? "";
  const wanted = new Set(pids.split(",").map(Number));
  // A recording needs the tables and the packets of the service.
  const isWhole = [0, 0x11, ...OWN_PIDS].every((pid) => wanted.has(pid));
  const service = ON_AIR.find((_, at) => wanted.has(soundPid(at)));
  return isWhole && service !== undefined ? { service, named: service } : undefined;
}
