import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { connectRtsp } from "../../../src/kit/rtsp.ts";
import { multiplexKey } from "../../../src/model/service.ts";
import type { TunerDriver } from "../../../src/ports.ts";
import { type Broadcaster, startBroadcaster } from "../../../src/sim/broadcaster/broadcaster.ts";
import { freePort } from "../../free-port.ts";
import { everyMinute, testClip } from "../../sim/air.ts";
import { ELSEWHERE, ON_AIR, ONE, receivers, TWO } from "../fakes/air.ts";
import { fakeSatip } from "../fakes/satip.ts";
import { recordedFrom } from "../recorded.ts";
import { openAll } from "../server-contract.ts";
import { installed, running } from "./program.ts";

const program = installed("minisatip", "RECORDERD_MINISATIP");
const clock = systemClock();
const signal = () => AbortSignal.timeout(60_000);

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

/** It has no card: our own SAT>IP server is what it receives from, and it has a tuner more for each time it is named. */
describe.skipIf(program === undefined)("a satip tuner on a real minisatip (needs minisatip)", () => {
  const opened: AsyncDisposable[] = [];
  const kept = <T extends AsyncDisposable>(thing: T): T => {
    opened.push(thing);
    return thing;
  };
  let folder = "";
  let air: Broadcaster;
  let driver: TunerDriver;
  let rtspPort = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recorderd-minisatip-"));
    const channelList = join(folder, "channels.conf");
    const lines = ON_AIR.map(({ onid, tsid, sid }) => {
      const megahertz = multiplexKey({ onid, tsid }) === multiplexKey(ELSEWHERE) ? 184_500 : 226_500;
      return `Service ${sid}:${megahertz}:B7C34D0G16I999M64S0T8Y0:T:0:1:2:0:0:${sid}:${onid}:${tsid}:0\n`;
    });
    await writeFile(channelList, lines.join(""));
    air = kept(
      await startBroadcaster({
        services: ON_AIR.map((triplet) => ({ triplet, name: `Service ${triplet.sid}` })),
        clip: await testClip(),
        schedule: everyMinute,
        clock,
        log: silentLog,
      }),
    );
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
    for (const thing of opened.splice(0).toReversed()) await thing[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("R-22 records two services of one multiplex at once, and says that it has lock", async () => {
    const found = await recordedFrom(driver, [ONE, TWO], folder);
    for (const { service, payloadPackets, continuityErrors, named, reception } of found) {
      expect(payloadPackets).toBeGreaterThan(0);
      expect(continuityErrors).toBe(0);
      expect(named).toEqual(service);
      expect(reception).toMatchObject({ isLocked: true });
    }
  });

  it("R-20 says TUNER_BUSY where another multiplex holds its only tuner, and nothing once it is free", async () => {
    await using session = await driver.open(ONE, signal());
    {
      await using viewer = await connectRtsp({ host: "127.0.0.1", port: rtspPort }, signal());
      const base = `rtsp://127.0.0.1:${rtspPort}`;
      const port = await freePort();
      const setUp = await viewer.request(
        {
          method: "SETUP",
          url: `${base}/?freq=184.5&bw=7&msys=dvbt&mtype=64qam&pids=all`,
          headers: { Transport: `RTP/AVP;unicast;client_port=${port}-${port + 1}` },
        },
        signal(),
      );
      const url = `${base}/stream=${setUp.headers["com.ses.streamid"]}`;
      const headers = { Session: setUp.headers["session"]?.split(";")[0] ?? "" };
      const play = await viewer.request({ method: "PLAY", url, headers }, signal());
      expect(play.status).toBe(200);
      expect((await session.explain?.(signal()))?.code).toBe("TUNER_BUSY");
      await viewer.request({ method: "TEARDOWN", url, headers }, signal());
    }
    expect(await session.explain?.(signal())).toBeUndefined();
  });
});
