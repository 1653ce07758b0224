import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRtsp } from "../../../../src/kit/net/rtsp.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { TunerDriver } from "../../../../src/model/ports.ts";
import { multiplexKey } from "../../../../src/model/service.ts";
import type { Broadcaster } from "../../../../src/simulator/broadcaster/broadcaster.ts";
import { freePort } from "../../../free-port.ts";
import { Kept } from "../../../kept.ts";
import { outOfPatience } from "../../../patience.ts";
import { broadcast } from "../../../simulator/air.ts";
import { ELSEWHERE, ON_AIR, ONE, receivers, TWO, vdrList } from "../fakes/air.ts";
import { fakeSatip } from "../fakes/satip.ts";
import { recordedFrom } from "../recorded.ts";
import { conversationWith, recordedConversations } from "../satip-exchanges.ts";
import { openAll } from "../server-contract.ts";
import { installed, running } from "./program.ts";
import { viewed } from "./satip-viewer.ts";

const program = installed("minisatip", "RECORDERD_MINISATIP");
const clock = systemClock();
const signal = outOfPatience;

/** Until it answers: it says nothing when it is ready. */
async function answers(port: number): Promise<void> {
  const patience = signal();
  for (;;) {
    patience.throwIfAborted();
    try {
      await using _client = await connectRtsp({ host: "127.0.0.1", port }, patience);
      return;
    } catch {
      await clock.sleep(100, patience);
    }
  }
}

const conversations = await recordedConversations("minisatip");

/** It has no card: our own SAT>IP server is what it receives from, and it has a tuner more for each time it is named. */
describe.skipIf(program === undefined)("a satip tuner on a real minisatip (needs minisatip)", () => {
  const opened = new Kept();
  const kept = opened.keep;
  let folder = "";
  let air: Broadcaster;
  let driver: TunerDriver;
  let rtspPort = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recorderd-minisatip-"));
    const channelList = join(folder, "channels.conf");
    await writeFile(channelList, vdrList(ON_AIR));
    air = kept(await broadcast(ON_AIR));
    const source = kept(
      await fakeSatip(
        receivers({ count: 1, shared: true }),
        (service) => `${air.baseUrl}/multiplex/${multiplexKey(service)}`,
      ),
    );
    const [http, rtsp, rtp] = [await freePort(), await freePort(), await freePort()];
    const options = `-f -G -N -V 127.0.0.1 -U 127.0.0.1 -x ${http} -y ${rtsp} -P ${rtp} -z ${folder} -s dvbt:127.0.0.1:${source.port}`;
    kept(running(program ?? "", options.split(" "), { cwd: folder }));
    rtspPort = rtsp;
    await answers(rtsp);
    const drivers = await openAll({
      kind: "satip",
      id: "t",
      host: "127.0.0.1",
      rtspPort: rtsp,
      channelList,
      description: `http://127.0.0.1:${http}/desc.xml`,
      sharesMultiplex: true,
    });
    [driver] = drivers.map(kept) as [TunerDriver];
    expect(drivers).toHaveLength(1);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(conversations)("gives the recorded answers of the fake: $name", async (conversation) => {
    await using _viewer = conversation.when === "busy" ? await viewed(rtspPort, ELSEWHERE) : undefined;
    expect(await conversationWith(rtspPort, conversation)).toEqual(conversation.steps);
  });

  it("R-22 records two services of one multiplex at once, and reports lock", async () => {
    const found = await recordedFrom(driver, [ONE, TWO], folder);
    for (const { service, payloadPackets, continuityErrors, named, reception } of found) {
      expect(payloadPackets).toBeGreaterThan(0);
      expect(continuityErrors).toBe(0);
      expect(named).toEqual(service);
      expect(reception).toMatchObject({ isLocked: true });
    }
  });

  it("R-20 gives TUNER_IN_USE while another multiplex uses its only tuner, and nothing once it is free", async () => {
    await using session = await driver.open(ONE, signal());
    {
      await using _viewer = await viewed(rtspPort, ELSEWHERE);
      expect((await session.explain?.(signal()))?.code).toBe("TUNER_IN_USE");
    }
    // It may take longer than one look to tune back on a busy machine.
    const patience = signal();
    while ((await session.explain?.(patience)) !== undefined) await clock.sleep(100, patience);
  });
});
