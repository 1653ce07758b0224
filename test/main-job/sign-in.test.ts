import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { openDaemon } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/load.ts";
import { writeSecrets } from "../../src/config/secrets.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import { SECOND } from "../../src/model/time.ts";
import type { VirtualClock } from "../../src/sim/virtual-clock.ts";
import { commandLine } from "../cli/command-line.ts";
import { hosted, PASSWORD } from "../guide-server/hosted.ts";
import { temporaryFolder } from "./recorder.ts";

/** Lets virtual time pass second by second, with room for real requests in between. */
async function pass(clock: VirtualClock, seconds: number, until: () => boolean = () => false): Promise<void> {
  for (let second = 0; second < seconds && !until(); second += 1) {
    await clock.advance(SECOND);
    await systemClock().sleep(10, new AbortController().signal);
  }
}

it("R-43 a recorder whose token has ended says so, keeps its plan, and goes on at once after recorderd login", async () => {
  await using folder = await temporaryFolder();
  await using guide = await hosted();
  const { clock, email, token, deviceId } = guide;
  const data = join(folder.path, "data");
  await mkdir(data);
  await writeSecrets(data, { apiKey: "any", account: { email, token } });
  const file = join(folder.path, "recorderd.yaml");
  await writeFile(
    file,
    stringify({
      guide: { url: guide.baseUrl, regionId: 1, deviceId, sync: "*/1 * * * *" },
      recordings: { folder: folder.path },
      tuners: [{ kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:9" }],
      data: { folder: data },
      control: { socket: join(folder.path, "control.sock") },
    }),
  );
  await using daemon = await openDaemon(await loadConfig(file), { clock, log: silentLog });
  const told = new AbortController();
  const running = daemon.run(told.signal);
  const planned = () => daemon.snapshot().recordings.map(({ timerId }) => timerId);
  const toldOf = (id: string) => guide.server.told(id).map(({ state }) => state);

  const first = await guide.book();
  await pass(clock, 120, () => toldOf(first).length > 0);
  await guide.ask({ method: "DELETE", path: "/logout" });
  const second = await guide.book();
  await pass(clock, 200, () => daemon.snapshot().guide.signInNeeded);
  expect(daemon.snapshot().guide.signInNeeded).toBe(true);
  expect(planned()).toEqual([first]);

  // Some failures later there is a long wait until the next try.
  await pass(clock, 90);
  expect(planned()).toEqual([first]);
  const login = await commandLine(["login", email, "--config", file], { stdin: `${PASSWORD}\n` });
  expect(login.code).toBe(0);
  await pass(clock, 6, () => toldOf(second).length > 0);
  expect(daemon.snapshot().guide.signInNeeded).toBe(false);
  expect(toldOf(second)).toEqual(["waiting"]);
  told.abort();
  await running;
});
