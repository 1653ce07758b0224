import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { freeUdpPort } from "../free-port.ts";
import { captureLoop } from "../kit/capture-loop.ts";
import { type Player, playHttp, playUdp } from "../kit/player.ts";
import { casesOf } from "../lane.ts";
import { ownAddress } from "../own-number.ts";
import { Recorder, soon, temporaryFolder, testWorld } from "./recorder.ts";

const RAI = join(import.meta.dirname, "../fixtures/ts/rai-dvbt-mux.ts");
const clock = systemClock();
const isDone = ({ state }: Recording) => isTerminal(state);

/** ONID 318, TSID 18432 as the capture has them, in the guide of the simulator. */
const RAI_1 = { id: 101, name: "Rai 1", sid: 3401 };
const RAI_NEWS = { id: 102, name: "Rai News 24", sid: 3411 };

describe.each(
  (
    [
      ["HTTP", async (stream: ReturnType<typeof captureLoop>): Promise<Player> => playHttp(stream, clock)],
      [
        "UDP multicast",
        async (stream: ReturnType<typeof captureLoop>): Promise<Player> =>
          playUdp(stream, { host: ownAddress(239), port: await freeUdpPort(), clock }),
      ],
    ] as const
  ).slice(0, casesOf({ sample: 1, all: 2 })),
)("a real Italian multiplex over %s", (_, play) => {
  it("R-22 writes a file with exactly the ordered service, and one for another service of the same tuner", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const { world, deviceId } = home;
    await world.guide.seed({
      ...{ regions: [], manufacturers: [], types: [], series: [], shows: [] },
      channels: [RAI_1, RAI_NEWS].map(({ id, name, sid }) => ({
        ...{ id, name, region_id: 1 },
        dvb: [{ original_network_id: 318, transport_stream_id: 18432, service_id: sid }],
      })),
    });
    await using player = await play(captureLoop(await readFile(RAI), "hidden"));
    const url = player.url
      .replace("udp://", "udp://@")
      .concat(player.url.startsWith("udp") ? "?localaddr=127.0.0.1&reuse=1" : "");
    const services = [RAI_1, RAI_NEWS].map(({ sid }) => ({
      service: `318/18432/${sid}`,
      url,
      programme: "multi",
    }));
    await using recorder = await Recorder.install({
      folder: folder.path,
      home,
      tuners: [{ kind: "url", id: "roof", services }],
    });
    await recorder.start();
    const event = { start: soon(), durationMs: 5 * SECOND };
    const one = await world.book({ channel: RAI_1.id, title: "Uno", ...event }, deviceId);
    const news = await world.book({ channel: RAI_NEWS.id, title: "Notizie", ...event }, deviceId);
    await recorder.until(one, ({ state }) => state === "recording");
    await recorder.until(news, ({ state }) => state === "recording");
    expect((await recorder.snapshot())?.tuners).toMatchObject([
      { id: "roof", multiplex: "318/18432", recordings: [{}, {}] },
    ]);
    for (const [timerId, { sid, name }] of [
      [one, RAI_1],
      [news, RAI_NEWS],
    ] as const) {
      const { state, evidence } = await recorder.until(timerId, isDone);
      expect({ state, continuityErrors: evidence?.continuityErrors }).toEqual({
        state: "completed",
        continuityErrors: 0,
      });
      await using file = openInspection(evidence?.file ?? "", undefined);
      const { services: found } = await file.advance(new AbortController().signal);
      // The SDT names the others too; the PAT lists what is there.
      const there = found.filter(({ pmtPid }) => pmtPid !== undefined);
      expect(there.map((service) => [service.triplet, service.name])).toEqual([
        [{ onid: 318, tsid: 18432, sid }, name],
      ]);
    }
  });
});
