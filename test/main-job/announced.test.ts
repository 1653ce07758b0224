import { expect, it } from "vitest";
import { MINUTE } from "../../src/model/time.ts";
import { SIM_REGION } from "../../src/simulator/world.ts";
import { asked, onSimulator, temporaryFolder, testWorld } from "./recorder.ts";

it("a show that is on the air is recorded as soon as it is ordered at the service: the recorder waits for no poll", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 2);
  const { world, deviceId } = home;
  // The next scheduled poll is on New Year's Day.
  const guide = { url: world.guideUrl, regionId: SIM_REGION, deviceId, sync: "0 0 1 1 *" };
  await using recorder = await onSimulator(folder.path, home, { tuners: 2, more: { guide } });
  await recorder.start();
  for (const title of ["First", "Second"]) {
    const start = Date.now() - 5 * MINUTE;
    const channelId = title === "First" ? 1 : 2;
    const show_id = await world.guide.addShow({ channelId, title, start, durationMinutes: 30 });
    const { value } = await asked(home, (client, signal) =>
      client.addTimer({ device_id: deviceId, show_id }, signal),
    );
    const timerId = value.timers[0]?.id ?? "";
    const { attempts } = await recorder.until(timerId, ({ state }) => state === "recording");
    expect(attempts).toHaveLength(1);
    await asked(home, (client, signal) => client.deleteTimer(timerId, signal));
    await recorder.until(timerId, ({ state }) => state === "cancelled");
  }
});
