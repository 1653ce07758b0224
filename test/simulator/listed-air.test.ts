import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { startBroadcaster } from "../../src/simulator/broadcaster/broadcaster.ts";
import { listedAir } from "../../src/simulator/listed-air.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { testClip } from "./air.ts";

it("a listing with more channels of one multiplex than the broadcaster can send is broadcast up to its limit", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "listing.xml");
  const id = (number: number) => `tv.10100221${(0x300 + number).toString(16).padStart(4, "0")}`;
  const channels = Array.from(
    { length: 40 },
    (_, index) => `<channel id="${id(index)}"><display-name>Sim ${index}</display-name></channel>`,
  );
  const other = '<channel id="tv.101002220220"><display-name>Elsewhere</display-name></channel>';
  await writeFile(file, `<tv>${channels.join("")}${other}</tv>`);
  const air = await listedAir(file);
  await using broadcaster = await startBroadcaster({
    ...air,
    clip: await testClip(),
    clock: systemClock(),
    log: silentLog,
  });
  const answer = await fetch(`${broadcaster.baseUrl}/services`);
  const services = (await answer.json()) as readonly { readonly name: string }[];
  expect(services).toHaveLength(33);
  expect(services.at(-1)?.name).toBe("Elsewhere");
});
