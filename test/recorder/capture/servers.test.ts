import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Capture } from "../../../src/model/ports.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { logFile, segmentFile } from "../../../src/recorder/capture/files.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { outOfPatience } from "../../patience.ts";
import { type FakeServer, ONE, type Receivers, receivers, USER } from "../tune/fakes/air.ts";
import { fakeEnigma2 } from "../tune/fakes/enigma2.ts";
import { fakeHdhomerun } from "../tune/fakes/hdhomerun.ts";
import { fakeMirakurun } from "../tune/fakes/mirakurun.ts";
import { fakeTvheadend } from "../tune/fakes/tvheadend.ts";
import { openAll } from "../tune/server-contract.ts";
import { SHORT, watch } from "./capture-contract.ts";
import { hostFolders } from "./host.ts";

const clock = systemClock();
const signal = outOfPatience;

let folder = "";
const places = hostFolders();
const captures = new Map<string, Capture>();
let attempts = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-servers-"));
  const limits = SHORT;
  const parts = { owner: folder, limits, ffmpegPath: "ffmpeg", clock, log: silentLog, openInspection };
  captures.set("ffmpeg", createCapture(parts));
  captures.set("the host", createCapture({ ...parts, host: places.of(folder) }));
});
afterAll(async () => {
  await places[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const SERVERS: readonly (readonly [
  kind: string,
  fake: (air: Receivers) => Promise<FakeServer>,
  more: (server: FakeServer) => object,
])[] = [
  ["hdhomerun", fakeHdhomerun, () => ({})],
  ["tvheadend", fakeTvheadend, () => ({})],
  ["enigma2", fakeEnigma2, ({ port }) => ({ streamPort: port })],
  ["mirakurun", fakeMirakurun, () => ({})],
];

const ENGINES = ["ffmpeg", "the host"].flatMap((engine) => SERVERS.map((each) => [engine, ...each] as const));

/** The command lines of all processes of this machine, as everybody can read them. */
async function commandLines(): Promise<string> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = names.map((name) => readFile(`/proc/${name}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(lines)).join("\n");
}

describe("a capture from a tuner behind a server", () => {
  it.each(ENGINES)(
    "by %s has the service of %s on disk, and its password in no process list or log",
    async (engine, kind, fake, more) => {
      const capture = captures.get(engine);
      if (capture === undefined) throw new Error(`nothing captures by ${engine}`);
      const air = receivers({ count: 1, shared: true });
      await using server = await fake(air);
      const [driver] = await openAll({ kind, id: "t", address: server.address, ...more(server) });
      if (driver === undefined) throw new Error("no driver was opened");
      await using opened = driver;
      await using session = await opened.open(ONE, signal());
      attempts += 1;
      const id = `s${attempts}.1`;
      const file = segmentFile(folder, id);
      const order = { id, source: session.source, service: ONE, file, endsBy: clock.now() + 60_000 };
      await capture.start(order);
      const watched = watch(capture, order);
      await watched.flowing();
      const lines = await commandLines();
      await capture.stop(id);
      expect((await watched.end).cause).toBe("asked");
      if (engine === "ffmpeg") expect(lines).toContain(file);
      for (const secret of [USER.password, encodeURIComponent(USER.password)]) {
        expect(lines).not.toContain(secret);
        expect(await readFile(logFile(file), "utf8").catch(() => "")).not.toContain(secret);
      }
      await using inspection = openInspection(file, ONE);
      const found = await inspection.advance(signal());
      expect(found).toMatchObject({
        continuityErrors: 0,
        transportStreamId: ONE.tsid,
        originalNetworkId: ONE.onid,
      });
      expect(found.payloadPackets).toBeGreaterThan(0);
    },
  );
});
