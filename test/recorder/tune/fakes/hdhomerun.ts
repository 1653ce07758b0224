import { type FakeServer, json, ON_AIR, onAir, type Receivers, serve, type Trouble } from "./air.ts";

/** Speaks as an HDHomeRun does: discovery, lineup, streams by virtual channel; each stream takes a tuner. */
export function fakeHdhomerun(
  receivers: Receivers,
  { trouble, tuners = 2 }: { readonly trouble?: Trouble; readonly tuners?: number } = {},
): Promise<FakeServer> {
  return serve(({ headers }, response, path) => {
    const base = `http://${headers.host}`;
    const refuse = (status: number, error: string) =>
      response.writeHead(status, { "X-HDHomeRun-Error": error }).end();
    if (path === "/discover.json") {
      return json(response, {
        DeviceID: "1040A1B2",
        ModelNumber: "HDHR5-4DT",
        TunerCount: tuners,
        BaseURL: base,
        LineupURL: `${base}/lineup.json`,
      });
    }
    if (path === "/lineup.json?tuning") {
      const untuned = { GuideNumber: "99", GuideName: "Untuned", URL: `${base}/auto/v99` };
      const channels = ON_AIR.map(({ tsid, sid }, index) => ({
        GuideNumber: String(index + 1),
        GuideName: `Service ${sid}`,
        // Numbers are texts in some versions.
        TransportStreamID: index === 0 ? String(tsid) : tsid,
        ProgramNumber: sid,
        URL: `${base}/auto/v${index + 1}`,
      }));
      const locked = {
        GuideNumber: "97",
        DRM: 1,
        TransportStreamID: 545,
        ProgramNumber: 11,
        URL: `${base}/auto/v97`,
      };
      const broken = { GuideNumber: "98", TransportStreamID: 545, ProgramNumber: 10, URL: "http://[" };
      return json(response, [...channels, untuned, locked, broken]);
    }
    if (path === "/status.json") {
      const uses = receivers.uses();
      return json(
        response,
        Array.from({ length: tuners }, (_, index) => {
          const service = uses[index]?.[0]?.service;
          // One that is not in use says its name only.
          if (service === undefined) return { Resource: `tuner${index}` };
          return {
            Resource: `tuner${index}`,
            VctNumber: String(ON_AIR.indexOf(service) + 1),
            VctName: `Service ${service.sid}`,
            Frequency: 226_500_000,
            SignalStrengthPercent: 95,
            SignalQualityPercent: 78,
            SymbolQualityPercent: 100,
            TargetIP: "192.0.2.50",
          };
        }),
      );
    }
    const service = ON_AIR[Number(/^\/auto\/v(\d+)$/.exec(path)?.[1] ?? 0) - 1];
    if (service === undefined) return refuse(404, "801 Unknown Channel");
    if (trouble === "forbidden") return refuse(503, "811 Content Protection Required");
    if (trouble === "no lock") return refuse(503, "806 Tune Failed");
    const release = receivers.take(service, path);
    if (release === undefined) return refuse(503, "805 All Tuners In Use");
    response.on("close", release);
    return onAir(response, service);
  });
}
