import { afterEach, expect, it } from "vitest";
import type { TunerDriver } from "../../../src/model/ports.ts";
import { Kept } from "../../kept.ts";
import { json, serve } from "./fakes/air.ts";
import { openAll } from "./server-contract.ts";

/*
 * servers differ by version and by imitation. One entry that cannot be read costs that entry, and a number may be
 * a text; the rest of the list stays usable.
 */

const opened = new Kept();
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
});

const ODD = [null, 17, "text", {}, []];

/** The tuners of a server that answers by path. */
async function tunersOf(
  config: object,
  answers: Readonly<Record<string, unknown>>,
): Promise<readonly TunerDriver[]> {
  const server = opened.keep(
    await serve((_request, response, path) => {
      const [plain = ""] = path.split("?");
      if (plain in answers) return json(response, answers[plain]);
      return response.writeHead(404).end();
    }),
  );
  return (await openAll({ id: "t", address: server.address, ...config }, undefined)).map(opened.keep);
}

function servicesOf([driver]: readonly TunerDriver[]): readonly string[] | string {
  const services = driver?.facts.services ?? "any";
  const asked = ["4112/545/1056", "4112/545/1057", "4112/545/1058"];
  return services === "any" ? "any" : asked.filter((key) => services.has(key as never));
}

it("an HDHomeRun's lineup with odd channels keeps the others", async () => {
  const channel = { GuideName: "One", TransportStreamID: 545, ProgramNumber: 1056, URL: "http://h/auto/v1" };
  const tuners = await tunersOf(
    { kind: "hdhomerun", originalNetworkId: 4112 },
    {
      "/discover.json": { TunerCount: "2" },
      "/lineup.json": [
        ...ODD,
        { ...channel, URL: null },
        { ...channel, ProgramNumber: 70_000 },
        { ...channel, GuideName: null, GuideNumber: 5.1 },
        { ...channel, ProgramNumber: "0x421", GuideName: 17 },
        { ...channel, TransportStreamID: "", ProgramNumber: "" },
        { ...channel, TransportStreamID: null, ProgramNumber: 1058 },
      ],
    },
  );
  expect(servicesOf(tuners)).toEqual(["4112/545/1056", "4112/545/1057"]);
  expect(tuners).toHaveLength(2);
});

it("an HDHomeRun that does not say how many tuners it has counts as one", async () => {
  const channel = { GuideName: "One", TransportStreamID: 545, ProgramNumber: 1056, URL: "/auto/v1" };
  const tuners = await tunersOf(
    { kind: "hdhomerun", originalNetworkId: 4112 },
    { "/discover.json": { FriendlyName: "bridge" }, "/lineup.json": [channel] },
  );
  expect(servicesOf(tuners)).toEqual(["4112/545/1056"]);
  expect(tuners).toHaveLength(1);
});

it("Tvheadend's multiplexes that were never scanned, and odd entries, affect no other", async () => {
  const uuid = (digit: string) => digit.repeat(32);
  const service = { uuid: uuid("a"), sid: 1056, multiplex_uuid: uuid("1"), enabled: true, svcname: "One" };
  const tuners = await tunersOf(
    { kind: "tvheadend" },
    {
      "/api/mpegts/mux/grid": {
        entries: [
          ...ODD,
          { uuid: uuid("0"), onid: 65_536, tsid: 65_536, name: null },
          { uuid: uuid("1"), onid: "4112", tsid: "545", name: 5, network: null },
        ],
      },
      "/api/mpegts/service/grid": {
        entries: [
          ...ODD,
          { ...service, sid: 1_000_000 },
          { ...service, uuid: uuid("b"), multiplex_uuid: uuid("0") },
          { ...service, svcname: null, enabled: 1 },
          { ...service, uuid: uuid("c"), sid: "1057", svcname: 5 },
          { ...service, uuid: uuid("d"), sid: 1058, enabled: 0 },
        ],
      },
    },
  );
  expect(servicesOf(tuners)).toEqual(["4112/545/1056", "4112/545/1057"]);
});

it("an Enigma2 box's references with a name, escapes or without the last colon are read; odd ones affect no other", async () => {
  const tuners = await tunersOf(
    { kind: "enigma2" },
    {
      "/api/about": { info: { tuners: [{ name: "A" }, "Tuner B"] } },
      "/api/getallservices": {
        services: [
          ...ODD,
          {
            subservices: [
              ...ODD,
              { servicereference: null, servicename: "gone" },
              { servicereference: "1:0:19:420:221:1010:EEEE0000:0:0:0", servicename: null },
              { servicereference: "1%3A0%3A1%3A421%3A221%3A1010%3AEEEE0000%3A0%3A0%3A0%3A", servicename: 17 },
              { servicereference: "1:0:19:422:221:1010:EEEE0000:0:0:0::Three" },
              { servicereference: "1:0:1:1:1:1:0:0:0:0:http%3a//192.0.2.1/x:Web" },
            ],
          },
        ],
      },
    },
  );
  expect(servicesOf(tuners)).toEqual(["4112/545/1056", "4112/545/1057", "4112/545/1058"]);
  expect(tuners).toHaveLength(2);
});

it("a Mirakurun's odd services and tuners affect no other", async () => {
  const service = { id: 411_201_056, serviceId: 1056, networkId: 4112, name: "One" };
  const tuners = await tunersOf(
    { kind: "mirakurun" },
    {
      "/api/services": [
        ...ODD,
        { ...service, id: "411201056", serviceId: "1056", networkId: "4112", name: null },
        { ...service, id: 2, serviceId: 1057, remoteControlKeyId: "1" },
        { ...service, id: 3, serviceId: -1 },
      ],
      "/api/tuners": [null, 17, { name: null, isAvailable: true, users: null }, { isAvailable: true }],
    },
  );
  expect(servicesOf(tuners)).toEqual(["4112/545/1056", "4112/545/1057"]);
  expect(tuners).toHaveLength(2);
});

it("a list of which nothing can be read is no list of services", async () => {
  const tuners = await tunersOf({ kind: "mirakurun" }, { "/api/services": ODD, "/api/tuners": [] });
  expect(servicesOf(tuners)).toBe("any");
});
