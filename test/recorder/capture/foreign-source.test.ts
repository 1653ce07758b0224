import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Inspection } from "../../../src/model/inspection.ts";
import { packetsOf } from "../../../src/mpeg-ts/tables/sections.ts";
import { HOST_LIMITS } from "../../../src/recorder/capture/host/limits.ts";
import { Sources } from "../../../src/recorder/capture/host/sources.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { join, packet, pat, payload } from "../../kit/ts-builder.ts";
import { until } from "./capture-contract.ts";

const SERVICE = { onid: 1, tsid: 2, sid: 3 };
const clock = systemClock();

/** The inspection of what a capture of the source gets until the source ends. */
async function captured(content: Uint8Array | string, programme: "sole" | "multi"): Promise<Inspection> {
  const server = createServer((_request, response) => response.end(content)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const inspector = new Inspector(SERVICE);
  const sources = new Sources(() => clock.monotonicMs());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => {
    sources.open({ url, programme }, SERVICE, {
      bytes: (bytes, from, to) => inspector.push(bytes.subarray(from, to)),
      ended: () => resolve(),
    });
  });
  server.close();
  inspector.settle();
  return inspector.inspection();
}

/** Packets with something before each: a timestamp, as in M2TS. */
function m2ts(count: number): Uint8Array {
  const packets = Array.from({ length: count }, (_, index) =>
    packet({ pid: 0x100, counter: index % 16, payload: payload(index) }),
  );
  return join(packets.flatMap((each) => [new Uint8Array(4), each]));
}

it.each(["sole", "multi"] as const)(
  "a capture of a %s service shows what came instead",
  async (programme) => {
    expect(await captured(m2ts(2000), programme)).toMatchObject({ packets: 0, foreignPacketBytes: 192 });
    const page = "<!doctype html><html><body>Too many users</body></html>";
    expect(await captured(page, programme)).toMatchObject({ packets: 0, foreignContent: "a web page" });
  },
);

/** Packets of a picture, without tables. */
const tableless = Array.from({ length: 400 }, (_, index) =>
  packet({ pid: 0x100, counter: index % 16, payload: payload(index) }),
);

it("a capture shows packets that come without tables", async () => {
  expect((await captured(join(tableless), "multi")).packets).toBeGreaterThan(10);
});

it("a capture shows after some seconds what comes instead, although the source goes on", async () => {
  const server = createServer((_request, response) => void response.write(m2ts(2000)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const inspector = new Inspector(SERVICE);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const feed = {
    bytes: (bytes: Uint8Array, from: number, to: number) => inspector.push(bytes.subarray(from, to)),
    ended: () => {},
  };
  const source = new Sources(() => 0).open({ url, programme: "sole" }, SERVICE, feed);
  await until(async () => {
    source.look(0);
    source.look(HOST_LIMITS.withoutTablesMs - 1);
    expect(inspector.inspection().bytes).toBe(0);
    source.look(HOST_LIMITS.withoutTablesMs);
    return inspector.inspection().foreignPacketBytes === 192;
  });
  source.close();
  server.close();
  server.closeAllConnections();
});

it("a capture leaves out what comes before the first packet of a stream with tables", async () => {
  const tables = packetsOf(pat(2, { programmes: [[3, 0x20]] }), 0);
  const found = await captured(join([new Uint8Array(3000), tables, ...tableless]), "sole");
  expect(found).toMatchObject({ packets: 1, junkBytes: 0 });
});
