import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { Config } from "../../src/recorder/config/schema.ts";
import { writeSecrets } from "../../src/recorder/config/secrets.ts";
import { openDaemon } from "../../src/recorder/daemon.ts";
import { hosted } from "../guide-server/hosted.ts";
import { temporaryFolder } from "./recorder.ts";

describe("the daemon gathers EIT", () => {
  it.each([
    ["for a service that accepts it", true, { isTaken: true, events: 0 }],
    ["only if guide.broadcast is on", false, undefined],
  ])("%s", async (_, broadcast, wanted) => {
    await using folder = await temporaryFolder();
    await using guide = await hosted();
    const data = join(folder.path, "data");
    await mkdir(data);
    await writeSecrets(data, { apiKey: "key", account: { email: guide.email, token: guide.token } });
    const config = Config.parse({
      guide: { url: guide.baseUrl, regionId: 1, sync: "* * * * * *", broadcast },
      recordings: { folder: folder.path },
      tuners: [{ kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:9" }],
      data: { folder: data },
      control: { socket: join(folder.path, "control.sock") },
    });
    await using daemon = await openDaemon(config, { clock: systemClock(), log: silentLog });
    const told = new AbortController();
    const running = daemon.run(told.signal);
    const isThere = () => {
      const { guide: asked, broadcastGuide } = daemon.snapshot();
      return asked.lastGoodAt !== undefined && (!broadcast || broadcastGuide?.isTaken === true);
    };
    while (!isThere()) await setImmediate();
    expect(daemon.snapshot().broadcastGuide).toEqual(wanted);
    told.abort();
    await running;
  });
});
