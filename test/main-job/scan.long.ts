import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { multiplexKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { GATHER_LIMITS } from "../../src/recorder/subsystems/gather/limits.ts";
import { SIM_REGION, simTriplet } from "../../src/simulator/world.ts";
import { ELSEWHERE, receivers } from "../recorder/tune/fakes/air.ts";
import { fakeSatip } from "../recorder/tune/fakes/satip.ts";
import { inProcess } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

/** Two multiplexes of the simulated broadcaster. */
const CHANNELS = 5;
const isDone = ({ state }: Recording) => isTerminal(state);

/** Nothing is sent on the first frequency. */
const FREQUENCIES = `# terrestrial
T 474000000 7MHz AUTO NONE QAM64 AUTO AUTO NONE
T 226500000 7MHz AUTO NONE QAM64 AUTO AUTO NONE
T 184500000 7MHz AUTO NONE QAM64 AUTO AUTO NONE
`;
/** Zap lists name neither network nor transport stream. */
const zapList = `Anything:226500000:INVERSION_AUTO:BANDWIDTH_7_MHZ:FEC_AUTO:FEC_AUTO:QAM_64:TRANSMISSION_MODE_AUTO:GUARD_INTERVAL_AUTO:HIERARCHY_AUTO:0:0:${simTriplet(1).sid}\n`;

async function householdOn(folder: string, list: string) {
  const home = await testWorld(folder, CHANNELS);
  const { broadcaster, guide } = home.world;
  // The guide knows names alone.
  await guide.seed({
    regions: [],
    channels: Array.from({ length: CHANNELS }, (_, at) => ({
      id: at + 1,
      name: `SIM ${at + 1} HD`,
      region_id: SIM_REGION,
    })),
    manufacturers: [],
    types: [],
    series: [],
    shows: [],
  });
  const channelList = join(folder, "list.conf");
  await writeFile(channelList, list);
  const server = await fakeSatip(receivers({ count: 1, shared: true }), (service) => {
    const isElsewhere = multiplexKey(service) === multiplexKey(ELSEWHERE);
    return `${broadcaster.baseUrl}/multiplex/${multiplexKey(simTriplet(isElsewhere ? CHANNELS : 1))}`;
  });
  return { home, server, channelList };
}

const idleLimits = { ...GATHER_LIMITS, idleLookMs: 100, idleQuietMs: 1.5 * SECOND };

it("a channel with only a name is recorded from a SAT>IP server with only known frequencies", async () => {
  await using folder = await temporaryFolder();
  const { home, server, channelList } = await householdOn(folder.path, FREQUENCIES);
  await using _home = home;
  await using _server = server;
  const { world, deviceId } = home;
  const tuner = { kind: "satip", id: "sat", host: "127.0.0.1", rtspPort: server.port, channelList };
  const tuners = [{ ...tuner, sharesMultiplex: true, count: 1 }];
  {
    await using recorder = await inProcess(folder.path, home, { tuners, idleLimits });
    const { daemon } = recorder;
    const received = () => daemon.reach().filter(({ service }) => service !== undefined);
    while (received().length < CHANNELS) await pause(50);
    expect(daemon.reach().map(({ service, by }) => ({ service, by }))).toEqual(
      Array.from({ length: CHANNELS }, (_, at) => ({ service: simTriplet(at + 1), by: "name" })),
    );
    const show = { title: "Scanned", start: soon(), durationMs: 4 * SECOND };
    const timer = await world.book({ ...show, channel: CHANNELS }, deviceId);
    expect(await recorder.until(timer, isDone)).toMatchObject({
      state: "completed",
      service: simTriplet(CHANNELS),
    });
  }
  // The channels of a scan are known after a restart without another scan.
  const guide = { url: world.guideUrl, regionId: SIM_REGION, deviceId, idleTuners: false };
  await using again = await inProcess(folder.path, home, { tuners, guide });
  expect(again.daemon.reach().map(({ tuners: able }) => able)).toEqual(Array(CHANNELS).fill(["sat"]));
});

it("a SAT>IP server configured for PID lists gets only those during a scan", async () => {
  await using folder = await temporaryFolder();
  const { home, server, channelList } = await householdOn(folder.path, zapList);
  await using _home = home;
  await using _server = server;
  const { world, deviceId } = home;
  const tuner = { kind: "satip", id: "sat", host: "127.0.0.1", rtspPort: server.port, channelList };
  await using recorder = await inProcess(folder.path, home, {
    tuners: [{ ...tuner, sharesMultiplex: true, pids: "listed", count: 1 }],
    idleLimits,
  });
  const { daemon } = recorder;
  const received = () => daemon.reach().filter(({ service }) => service !== undefined);
  while (received().length === 0) await pause(50);
  // All services of the frequency, not only the one that the list has.
  expect(received().length).toBeGreaterThan(1);
  const show = { title: "Scanned", start: soon(), durationMs: 4 * SECOND };
  const timer = await world.book({ ...show, channel: 2 }, deviceId);
  expect((await recorder.until(timer, isDone)).state).toBe("completed");
  expect(server.requests.filter((request) => request.includes("pids=all"))).toEqual([]);
});
