import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statusCommand } from "../../src/cli/daemon/status.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { GATHER_LIMITS } from "../../src/recorder/subsystems/gather/limits.ts";
import { SIM_REGION } from "../../src/simulator/world.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

const isDone = ({ state }: Recording) => isTerminal(state);
/** Two multiplexes of the simulated broadcaster. */
const CHANNELS = 5;

async function until(look: () => boolean): Promise<void> {
  while (!look()) await pause(20);
}

const gathers = ({ tuners }: Snapshot) =>
  tuners.flatMap(({ leases }) => leases).some(({ use }) => use === "gathering");

async function statusOf(socket: string): Promise<string> {
  let printed = "";
  const command = statusCommand({
    clock: systemClock(),
    signal: new AbortController().signal,
    print: (text) => {
      printed += text;
    },
    note: () => {},
    exitCode: () => {},
    readStdin: async () => "",
    questions: () => {
      throw new Error("nobody is asked here");
    },
  });
  await command.parseAsync(["--socket", socket], { from: "user" });
  return printed;
}

// Each of them waits for streams and shows of its own, and does nothing meanwhile.
describe.concurrent("idle tuners in the whole recorder", () => {
  it("send the EIT of each multiplex to the service", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, CHANNELS);
    // The broadcaster sends the tables of each service each second. A service that was not received in time is scanned again.
    const idleQuietMs = 1.5 * SECOND;
    const idleLimits = { ...GATHER_LIMITS, idleLookMs: 100, idleQuietMs, idleAgainMs: 10 * SECOND };
    await using recorder = await inProcess(folder.path, home, {
      tuners: simTuners(home, 1),
      idleLimits,
    });
    const multiplexes = new Set<string | undefined>();
    await until(() => {
      const snapshot = recorder.daemon.snapshot();
      if (gathers(snapshot)) multiplexes.add(snapshot.tuners[0]?.multiplex);
      // EIT present and following of each channel.
      return (snapshot.broadcastGuide?.events ?? 0) >= 2 * CHANNELS && !gathers(snapshot);
    });
    expect(multiplexes.size).toBe(2);
    const { broadcastGuide, power } = recorder.daemon.snapshot();
    expect(broadcastGuide?.idleAt).toBeGreaterThan(0);
    expect(await statusOf(join(folder.path, "control.sock"))).toContain(
      "; an idle tuner last gathered it at ",
    );
    expect(power?.wakeAlarmAt).toBeUndefined();
    expect(home.world.broadcaster.openStreams()).toBe(0);
  });

  it("R-27 are released at once for a recording, which loses nothing", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, CHANNELS);
    const { world, deviceId } = home;
    const idleLimits = { ...GATHER_LIMITS, idleLookMs: 100, idleListenMs: HOUR, idleQuietMs: HOUR };
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1), idleLimits });
    await until(() => gathers(recorder.daemon.snapshot()) && world.broadcaster.openStreams() === 1);
    const held = recorder.daemon.snapshot().tuners[0]?.multiplex;
    // A channel of the other multiplex: the tuner cannot receive both.
    const channel = held === "4112/545" ? 5 : 1;
    const show = { channel, title: "Sharp", start: soon(), durationMs: 4 * SECOND };
    const timerId = await world.book(show, deviceId);
    const { attempts, state, evidence } = await recorder.until(timerId, isDone);
    expect({ state, attempts: attempts.length, gaps: evidence?.gaps }).toEqual({
      state: "completed",
      attempts: 1,
      gaps: [],
    });
  });

  it.each([
    ["shortly before a recording", true, MINUTE],
    ["if idleTuners is off", false, DAY],
  ])("are not used %s", async (_, idleTuners, aheadMs) => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, CHANNELS);
    const { world, deviceId } = home;
    const show = { channel: 1, title: "Next", start: soon() + aheadMs, durationMs: MINUTE };
    await world.book(show, deviceId);
    const idleLimits = { ...GATHER_LIMITS, idleLookMs: 20, idleBusyMs: 20 };
    await using recorder = await inProcess(folder.path, home, {
      tuners: simTuners(home, 1),
      idleLimits,
      guide: { url: world.guideUrl, regionId: SIM_REGION, deviceId, sync: "* * * * * *", idleTuners },
    });
    const isReady = ({ recordings, broadcastGuide }: Snapshot) =>
      recordings.length > 0 && broadcastGuide?.isTaken === true;
    await until(() => isReady(recorder.daemon.snapshot()));
    for (let looks = 0; looks < 25; looks += 1) {
      await pause(20);
      expect(gathers(recorder.daemon.snapshot())).toBe(false);
    }
  });
});
