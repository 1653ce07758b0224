import type { Triplet } from "../../../../src/model/service.ts";
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

const hex = (value: number) => value.toString(16).toUpperCase();

/** `1:0:TYPE:SID:TSID:ONID:NAMESPACE:0:0:0:`, as a box writes it: upper case, no leading zeros. */
const REFERENCES = ON_AIR.map(
  ({ onid, tsid, sid }) => `1:0:19:${hex(sid)}:${hex(tsid)}:${hex(onid)}:EEEE0000:0:0:0:`,
);

/** Speaks as a box with OpenWebif does; port and password are those of its web interface for the stream too. */
export function fakeEnigma2(
  receivers: Receivers,
  {
    trouble,
    tuners = 2,
    onScreen,
  }: {
    readonly trouble?: Trouble;
    readonly tuners?: number;
    readonly onScreen?: () => Triplet | undefined;
  } = {},
): Promise<FakeServer> {
  return serve((request, response, path) => {
    if (!admitted(request, response, "basic")) return;
    if (path === "/api/about") {
      return json(response, {
        info: {
          brand: "Box",
          tuners: Array.from({ length: tuners }, (_, index) => ({
            name: `Tuner ${"AB"[index]}`,
            type: "DVB-T2",
            live: "",
            rec: "",
            stream: "",
          })),
        },
      });
    }
    if (path === "/api/getallservices") {
      const subservices = [
        { servicereference: "1:64:0:0:0:0:0:0:0:0::Marker", servicename: "Marker" },
        ...REFERENCES.map((servicereference) => ({ servicereference, servicename: "Service" })),
        { servicereference: "4097:0:1:0:0:0:0:0:0:0:http%3a//elsewhere/x", servicename: "Not broadcast" },
      ];
      return json(response, {
        result: true,
        services: [{ servicereference: "1:7:1:0", servicename: "Favourites", subservices }],
      });
    }
    if (path === "/api/getcurrent") {
      // The programme on the box's own screen, not the one it streams; a box in standby sends empty texts.
      const shown = onScreen?.();
      const info =
        shown === undefined
          ? { ref: "", tunernumber: "N/A", snr: "", snr_db: "", agc: "", ber: "" }
          : {
              ref: encodeURIComponent(REFERENCES[ON_AIR.indexOf(shown)] ?? ""),
              name: "Service",
              tunertype: "DVB-T2",
              tunernumber: 1,
              snr: 81,
              snr_db: "14.25 dB",
              agc: 66,
              ber: 0,
            };
      return json(response, { info, now: {}, next: {} });
    }
    const service = ON_AIR[REFERENCES.indexOf(path.slice(1))];
    // It says 200 before it knows anything.
    if (service === undefined || trouble === "no lock")
      return response.writeHead(200, { "content-type": "video/mpeg" }).end();
    if (trouble === "forbidden") return response.writeHead(403).end();
    const release = receivers.take(service, path);
    if (release === undefined) {
      return response
        .writeHead(200, { "content-type": "video/mpeg" })
        .end("HTTP/1.0 400 Bad Request\r\n\r\n");
    }
    response.on("close", release);
    return onAir(response, service, { connection: "close" });
  });
}
