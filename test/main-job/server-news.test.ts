import { expect, it } from "vitest";
import { SIM_REGION, simTriplet } from "../../src/simulator/world.ts";
import { json, serve } from "../recorder/tune/fakes/air.ts";
import { inProcess } from "./in-process.ts";
import { pause, temporaryFolder, testWorld } from "./recorder.ts";

it("a service added on a tuner's server is known after the next sync, without a restart", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 2);
  await home.world.guide.seed({
    regions: [],
    channels: [1, 2].map((id) => ({ id, name: `Sim ${id}`, region_id: SIM_REGION })),
    manufacturers: [],
    types: [],
    series: [],
    shows: [],
  });
  const onServer = [1];
  await using server = await serve((_, response, path) => {
    if (path === "/api/tuners") return json(response, [{ name: "one", isAvailable: true, users: [] }]);
    const services = onServer.map((number) => {
      const { onid: networkId, tsid: transportStreamId, sid: serviceId } = simTriplet(number);
      return { id: number, name: `Sim ${number}`, networkId, transportStreamId, serviceId };
    });
    return json(response, services);
  });
  await using recorder = await inProcess(folder.path, home, {
    tuners: [{ kind: "mirakurun", id: "mira", address: server.address }],
  });
  const { daemon } = recorder;
  const received = () => daemon.reach().flatMap(({ service }) => (service === undefined ? [] : [service]));
  while (received().length < 1) await pause(20);
  expect(received()).toEqual([simTriplet(1)]);
  onServer.push(2);
  daemon.syncNow();
  while (received().length < 2) await pause(20);
  expect(received()).toEqual([simTriplet(1), simTriplet(2)]);
});
