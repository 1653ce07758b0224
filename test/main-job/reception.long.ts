import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { multiplexKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { outOfPatience } from "../patience.ts";
import { receivers } from "../recorder/tune/fakes/air.ts";
import { fakeSatip } from "../recorder/tune/fakes/satip.ts";
import { pause, Recorder, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("the snapshot shows the reception of a running recording from a SAT>IP server", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const { world, deviceId } = home;
  const service = simTriplet(1);
  const multiplex = `${world.broadcaster.baseUrl}/multiplex/${multiplexKey(service)}`;
  await using server = await fakeSatip(receivers({ count: 1, shared: true }), () => multiplex);
  const channelList = join(folder.path, "channels.conf");
  const { onid, tsid, sid } = service;
  await writeFile(channelList, `One:226500:B7C34D0G16I999M64S0T8Y0:T:0:1:2:0:0:${sid}:${onid}:${tsid}:0\n`);
  const tuner = { kind: "satip", id: "sat", host: "127.0.0.1", rtspPort: server.port, channelList };
  await using recorder = await Recorder.install({ folder: folder.path, home, tuners: [tuner] });
  await recorder.start();
  const show = { channel: 1, title: "On the air", start: soon(), durationMs: 60 * SECOND };
  const timerId = await world.book(show, deviceId);
  const recording = await recorder.until(timerId, ({ state }) => state === "recording");
  const patience = outOfPatience();
  let tuners = (await recorder.snapshot())?.tuners;
  for (; tuners?.[0]?.reception === undefined; tuners = (await recorder.snapshot())?.tuners) {
    patience.throwIfAborted();
    await pause(200);
  }
  expect(tuners[0]).toMatchObject({
    state: "receiving",
    multiplex: multiplexKey(service),
    recordings: [recording.id],
    reception: { input: "frontend 1", isLocked: true, strengthPercent: 80, qualityPercent: 80 },
  });
});
