import { expect, it } from "vitest";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { multiplexKey } from "../../../../src/model/service.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { writeSecrets } from "../../../../src/recorder/config/secrets.ts";
import { SIM_API_KEY, simTriplet } from "../../../../src/simulator/world.ts";
import { Recorder, soon, temporaryFolder, testWorld } from "../../../main-job/recorder.ts";
import { USER } from "../fakes/air.ts";
import { installed } from "./program.ts";
import { startTvheadend } from "./tvheadend.ts";

const program = installed("tvheadend", "RECORDERD_TVHEADEND");
const clock = systemClock();

it.skipIf(program === undefined)(
  "R-20 the daemon records two channels from a stock Tvheadend killed meanwhile, and continues before its retry pause ends (needs tvheadend)",
  async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId, token } = home;
    await using server = await startTvheadend(program ?? "", {
      folder: `${folder.path}/server`,
      services: [1, 2, 3, 4].map(simTriplet),
      multiplexAt: (service) => `${world.broadcaster.baseUrl}/multiplex/${multiplexKey(service)}`,
      inputs: 2,
    });
    const tuner = { kind: "tvheadend", id: "tvh", address: server.address, count: 2 };
    await using recorder = await Recorder.install({ folder: folder.path, home, tuners: [tuner] });
    const account = { email: "viewer@sim.example", token };
    await writeSecrets(recorder.data, { apiKey: SIM_API_KEY, account, tuners: { tvh: USER } });
    await recorder.start();
    const show = { title: "On the air", start: soon(), durationMs: 60 * SECOND };
    const [one, two] = [
      await world.book({ ...show, channel: 1 }, deviceId),
      await world.book({ ...show, channel: 2 }, deviceId),
    ];
    const both = (fits: (recording: Recording) => boolean) =>
      Promise.all([one, two].map((timer) => recorder.until(timer, fits)));
    const hasPicture = ({ state }: Recording) =>
      state === "recording" && clock.now() > show.start + 5 * SECOND;
    await both(hasPicture);
    await server.kill();
    // Each try that finds nobody makes the pause before the next one longer.
    const away = await both(({ nextTryAt = 0 }) => nextTryAt > clock.now() + 6 * SECOND);
    await server.restart();
    await both(({ state }) => state === "recording");
    const done = await both(({ state }) => !["tuning", "waiting", "recording", "closing"].includes(state));
    for (const [at, { state, attempts, evidence }] of done.entries()) {
      const { startedAt = 0, tunerId = "" } = attempts.at(-1) ?? {};
      expect(startedAt).toBeLessThan(away[at]?.nextTryAt ?? 0);
      expect(tunerId).toMatch(/^tvh/);
      expect(state).toBe("partial");
      expect(evidence).toMatchObject({ continuityErrors: 0, gaps: [expect.anything()] });
    }
  },
);
