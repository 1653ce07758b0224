import { multiplexKey } from "../../../src/model/service.ts";
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

/** Speaks as Tvheadend does: digest, grids of 50 unless asked for more, streams by uuid, silence where no adapter is free. */
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
    if (!admitted(request, response, "digest")) return;
    const url = new URL(path, "http://tvheadend");
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
    const index = ON_AIR.findIndex((_, at) => url.pathname === `/stream/service/${uuid(2, at)}`);
    const service = ON_AIR[index];
    if (service === undefined) return response.writeHead(404).end();
    if (trouble === "forbidden") return response.writeHead(403).end();
    if (trouble === "no lock") return response.writeHead(503).end();
    if (url.searchParams.get("profile") !== "pass") return response.writeHead(405).end();
    const release = receivers.take(service, path);
    if (release === undefined) return request.socket.destroy();
    response.on("close", release);
    return onAir(response, service);
  });
}
