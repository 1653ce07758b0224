import { expect, it } from "vitest";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { multiplexKey, tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { GATHER_LIMITS } from "../../src/recorder/subsystems/gather/limits.ts";
import { SIM_REGION, simTriplet } from "../../src/simulator/world.ts";
import { inProcess } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

const CHANNELS = 2;
const isDone = ({ state }: Recording) => isTerminal(state);

/** Tuners that know triplets and addresses, and no names. */
function namelessTuners(base: string): readonly object[] {
  const services = [1, 2].map(simTriplet).map((triplet) => ({
    service: tripletKey(triplet),
    url: `${base}/multiplex/${multiplexKey(triplet)}`,
    programme: "multi",
  }));
  return [{ kind: "url", id: "nameless", count: 1, services }];
}

it("services in no list are found by idle tuners (SDT)", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, CHANNELS);
  const { world, deviceId } = home;
  // The guide names no triplets, and writes a name its own way.
  await world.guide.seed({
    regions: [],
    channels: [
      { id: 1, name: "SIM-1 HD", region_id: SIM_REGION },
      { id: 2, name: "Nobody's", region_id: SIM_REGION },
    ],
    manufacturers: [],
    types: [],
    series: [],
    shows: [],
  });
  const idleLimits = { ...GATHER_LIMITS, idleLookMs: 100, idleQuietMs: 1.5 * SECOND };
  await using recorder = await inProcess(folder.path, home, {
    tuners: namelessTuners(world.broadcaster.baseUrl),
    idleLimits,
  });
  const reach = (id: string) => recorder.daemon.reach().find(({ channelId }) => channelId === id);
  while (reach("1")?.service === undefined) await pause(50);
  expect(reach("1")).toMatchObject({ service: simTriplet(1), tuners: ["nameless"] });
  expect(reach("2")).toMatchObject({ candidates: [{ name: "Sim 2", triplet: simTriplet(2) }] });

  const show = { title: "Heard", start: soon(), durationMs: 4 * SECOND };
  const [first, second] = [
    await world.book({ ...show, channel: 1 }, deviceId),
    // Late enough for the reports before it to be seen first.
    await world.book({ ...show, channel: 2, start: show.start + 10 * SECOND }, deviceId),
  ];
  await recorder.until(second, ({ trouble }) => trouble?.code === "CHANNEL_WITHOUT_SERVICE");
  await recorder.daemon.assign("2", simTriplet(2));
  await recorder.until(second, ({ service }) => service?.sid === simTriplet(2).sid);
  for (const timerId of [first, second]) {
    expect((await recorder.until(timerId, isDone)).state).toBe("completed");
  }
});
