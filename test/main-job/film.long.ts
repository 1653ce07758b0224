import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { told } from "../kit/tool.ts";
import { Recorder, soon, temporaryFolder, testWorld } from "./recorder.ts";

const FILM_S = 180;

/** A film with the ids of a service. */
async function film(file: string, { onid, tsid, sid }: ReturnType<typeof simTriplet>): Promise<void> {
  const inputs = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=25", "-f", "lavfi", "-i", "sine=r=48000"];
  const ids = [
    ["-mpegts_original_network_id", onid],
    ["-mpegts_transport_stream_id", tsid],
    ["-mpegts_service_id", sid],
  ].flat();
  const codecs = ["-c:v", "mpeg2video", "-b:v", "150k", "-c:a", "mp2", "-b:a", "64k"];
  const args = ["-v", "error", ...inputs, "-t", FILM_S, ...codecs, ...ids, "-f", "mpegts", file];
  await told("ffmpeg", { args: args.map(String) });
}

/** Sends the film as fast as it is read, and ends; every other reader gets a half, so no two attempts share their clock. */
async function serving(file: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const { size } = await stat(file);
  let readers = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "video/mp2t" });
    readers += 1;
    createReadStream(file, { end: readers % 2 === 0 ? size / 2 : size }).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.ts`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

it("R-04 never claims an event that a film stood in for: it came faster than any broadcast", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 1);
  const service = simTriplet(1);
  const file = join(folder.path, "film.ts");
  await film(file, service);
  await using source = await serving(file);
  const services = [{ service: tripletKey(service), url: source.url }];
  await using recorder = await Recorder.install({
    folder: folder.path,
    home,
    tuners: [{ kind: "url", id: "films", services }],
  });
  await recorder.start();
  const show = { channel: 1, title: "Match", start: soon(), durationMs: 15 * SECOND };
  const timer = await home.world.book(show, home.deviceId);
  const { state, attempts, evidence } = await recorder.until(timer, (one) => isTerminal(one.state));
  const { eventCoveredMs, verdict, firstAt } = evidence ?? {};
  expect({ state, eventCoveredMs, verdict, firstAt }).toEqual({
    state: "partial",
    eventCoveredMs: 0,
    verdict: "unusable",
    firstAt: undefined,
  });
  // The recording may end during the last attempt.
  expect(attempts[0]?.cause).toBe("STREAM_EXCESSIVE");
});
