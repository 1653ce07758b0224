import { type FakeServer, json, ON_AIR, onAir, type Receivers, serve, type Trouble } from "./air.ts";

/** Speaks as Mirakurun does (`mirakurun.json` has what the real one said): services by network and service id, a priority with each stream, 503 in JSON. */
export function fakeMirakurun(
  receivers: Receivers,
  { trouble, tuners = 1 }: { readonly trouble?: Trouble; readonly tuners?: number } = {},
): Promise<FakeServer> {
  return serve(({ headers }, response, path) => {
    const fail = (code: number, reason: string | null) =>
      response
        .writeHead(code, { "content-type": "application/json" })
        .end(JSON.stringify({ code, reason, errors: [] }));
    if (path === "/api/tuners") {
      return json(
        response,
        Array.from({ length: tuners }, (_, index) => ({
          index,
          name: `T${index}`,
          types: ["GR"],
          isAvailable: true,
          users: (receivers.uses()[index] ?? []).map(({ service: { onid, sid }, holder }) => ({
            id: holder,
            priority: 2,
            streamSetting: { channel: { type: "GR", channel: "27" }, networkId: onid, serviceId: sid },
          })),
        })),
      );
    }
    if (path === "/api/services") {
      const services = ON_AIR.map(({ onid, sid }) => ({
        id: onid * 100_000 + sid,
        serviceId: sid,
        networkId: onid,
        name: `Service ${sid}`,
        type: 1,
        channel: { type: "GR", channel: "27" },
      }));
      const twins = [7, 7].map((serviceId, index) => ({
        id: 100_007 + index,
        serviceId,
        networkId: 1,
        name: "Twin",
        type: 1,
      }));
      return json(response, [...services, ...twins]);
    }
    const id = Number(/^\/api\/services\/(\d+)\/stream$/.exec(path)?.[1] ?? Number.NaN);
    const service = ON_AIR.find(({ onid, sid }) => onid * 100_000 + sid === id);
    if (service === undefined) return fail(404, null);
    if (!/^\d+$/.test(String(headers["x-mirakurun-priority"] ?? 0))) return fail(400, "Bad Request");
    if (trouble === "forbidden") return fail(403, "Forbidden");
    const type = { "content-type": "video/MP2T" };
    if (trouble === "no lock") return response.writeHead(200, type).end();
    const release = receivers.take(service, path);
    if (release === undefined) return fail(503, "Tuner Resource Unavailable");
    response.on("close", release);
    return onAir(response, service, type);
  });
}
