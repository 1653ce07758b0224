import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { findMarked, signalProcess } from "../../../src/kit/process/marked-process.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { CaptureOrder, TunerDriver } from "../../../src/model/ports.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { GuideSections } from "../../../src/mpeg-ts/tables/broadcast-guide.ts";
import { GuideTables } from "../../../src/mpeg-ts/tables/guide-tables.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { TUNE_LIMITS } from "../../../src/recorder/tune/limits.ts";
import { openTuners, TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { inLong } from "../../lane.ts";
import { outOfPatience } from "../../patience.ts";
import { SHORT, watch } from "../capture/capture-contract.ts";
import { keepsTunerDriverContract } from "./driver-contract.ts";
import { type MultiplexAir, multiplexAir } from "./fakes/multiplex-air.ts";
import { readGroup, readGroupUntil } from "./read-group.ts";

const SERVICES = [1056, 1057, 1058, 1059].map((sid): Triplet => ({ onid: 4112, tsid: 545, sid }));
const [ONE, TWO, THREE, FOUR] = SERVICES as [Triplet, Triplet, Triplet, Triplet];
/** In the list, and not on the air. */
const GONE: Triplet = { onid: 4112, tsid: 545, sid: 1100 };
const MOVED: Triplet = { onid: 12_802, tsid: 928, sid: 1056 };

const clock = systemClock();
const signal = outOfPatience;
let folder = "";
let channelList = "";
let lives = 0;
/** Sets apart what belongs to one life, or one attempt. */
function another(what: string): string {
  lives += 1;
  return `${what}${lives}`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-dvblast-"));
  channelList = join(folder, "channels.conf");
  const lines = [...SERVICES, GONE, MOVED].map(
    ({ onid, tsid, sid }) => `S${sid}:226500:B7C34D0G16I999M64S0T8Y0:T:0:1:2:0:0:${sid}:${onid}:${tsid}:0`,
  );
  await writeFile(channelList, lines.join("\n"));
});
afterAll(async () => {
  await endTuners(folder);
  await rm(folder, { recursive: true, force: true });
});

/** The processes of the tuners whose data lies there, or below. */
async function tuners(owner: string) {
  return (await findMarked("RECORDERD_TUNER")).filter(({ mark }) => mark.startsWith(owner));
}

async function endTuners(owner: string): Promise<void> {
  for (const process of await tuners(owner)) await signalProcess(process, "SIGKILL");
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const patience = signal();
  while (!(await holds())) await clock.sleep(50, patience);
}

/** A life of the daemon: two with one owner are one daemon, before and after a restart. */
async function openTuner(
  air: Pick<MultiplexAir, "url">,
  {
    owner = join(folder, another("life")),
    lockMs = 30_000,
    unreadMs = 60_000,
    list = channelList,
  }: {
    readonly owner?: string;
    readonly lockMs?: number;
    readonly unreadMs?: number;
    readonly list?: string;
  } = {},
): Promise<TunerDriver> {
  const config = TunerConfig.parse({ kind: "dvb", id: "t", stream: air.url, channelList: list });
  const [driver] = await openTuners([config], {
    clock,
    log: silentLog,
    folder: owner,
    credentials: () => undefined,
    limits: { ...TUNE_LIMITS, lockMs, tablesMs: 30_000, unreadMs },
  });
  if (driver === undefined) throw new Error("no driver was opened");
  return driver;
}

keepsTunerDriverContract({
  name: "dvb (dvblast)",
  config: () => ({ kind: "dvb", id: "t", stream: "udp://192.0.2.1:5004", channelList: "/srv/channels.conf" }),
  services: [ONE, TWO],
  read: readGroup,
  build: async () => {
    const air = await multiplexAir(SERVICES);
    const owner = join(folder, another("contract"));
    const driver = await openTuner(air, { owner });
    return {
      get facts() {
        return driver.facts;
      },
      open: (service, ending) => driver.open(service, ending),
      async [Symbol.asyncDispose]() {
        await driver[Symbol.asyncDispose]();
        await endTuners(owner);
        await air[Symbol.asyncDispose]();
      },
    };
  },
});

/** Packets of one PID. */
function packetsOf(bytes: Buffer, pid: number): Buffer {
  const packets: Buffer[] = [];
  for (let at = 0; at + 188 <= bytes.length; at += 188) {
    if ((bytes.readUInt16BE(at + 1) & 0x1fff) === pid) packets.push(bytes.subarray(at, at + 188));
  }
  return Buffer.concat(packets);
}

describe("a dvb tuner", () => {
  const capture = createCapture({
    owner: join(tmpdir(), `dvblast-${process.pid}`),
    limits: SHORT,
    ffmpegPath: "ffmpeg",
    clock,
    log: silentLog,
    openInspection,
  });

  it("delivers an unknown multiplex as a whole, with the services found on it", async () => {
    await using air = await multiplexAir(SERVICES);
    const list = join(folder, "frequencies.conf");
    await writeFile(list, "T 226500000 7MHz\n");
    await using driver = await openTuner(air, { list });
    const [unknown] = driver.facts.unknown ?? [];
    if (unknown === undefined) throw new Error("it tells of no multiplex");
    const tables = new GuideTables();
    {
      await using session = await driver.open(unknown, signal());
      const sections = new GuideSections((pid, section) => tables.section(pid, section));
      await readGroupUntil(session.source.url, (bytes) => {
        sections.push(bytes);
        return tables.ownServices().length === SERVICES.length;
      });
    }
    const sids = tables.ownServices().map(({ triplet }) => triplet.sid);
    expect(sids.toSorted()).toEqual(SERVICES.map(({ sid }) => sid).toSorted());
    expect(await driver.learn?.(unknown, tables.ownServices())).toBe(true);
    expect(driver.facts.unknown).toEqual([]);
    await using session = await driver.open(ONE, signal());
    expect((await readGroup(session.source.url)).length).toBeGreaterThan(0);
  });

  async function record(driver: TunerDriver, service: Triplet) {
    const session = await driver.open(service, signal());
    const id = `${another("a")}.1`;
    const file = segmentFile(folder, id);
    const order: CaptureOrder = { id, source: session.source, service, file, endsBy: clock.now() + 120_000 };
    await capture.start(order);
    const watched = watch(capture, order);
    await watched.flowing();
    return {
      file,
      session,
      async grows(bytes = 10_000) {
        const before = (await readFile(file)).length;
        await until(async () => (await readFile(file)).length > before + bytes);
      },
      async stop(): Promise<Buffer> {
        await capture.stop(id);
        await watched.end;
        await session[Symbol.asyncDispose]();
        return readFile(file);
      },
    };
  }

  inLong(
    "R-22 R-23 delivers four services at once, and others that come and go leave them byte-identical",
    async () => {
      await using air = await multiplexAir(SERVICES);
      const owner = join(folder, "four");
      await using driver = await openTuner(air, { owner });
      const first = await record(driver, ONE);
      const second = await record(driver, TWO);
      await first.grows();
      const third = await record(driver, THREE);
      const fourth = await record(driver, FOUR);
      expect((await tuners(owner)).filter(({ isGroupLeader }) => isGroupLeader)).toHaveLength(1);
      await fourth.grows();
      const files = [[TWO, await second.stop()] as const];
      await first.grows();
      const again = await record(driver, TWO);
      await again.grows();
      for (const [service, each] of [
        [TWO, again],
        [THREE, third],
        [FOUR, fourth],
        [ONE, first],
      ] as const) {
        files.push([service, await each.stop()]);
      }
      for (const [service, bytes] of files) {
        const picture = packetsOf(bytes, air.pictureOf(service));
        expect(picture.length).toBeGreaterThan(188 * 10);
        // Every packet of it as it was sent, none missing, none twice.
        expect(air.sent(air.pictureOf(service)).includes(picture)).toBe(true);
        for (const other of SERVICES.filter((each) => each !== service)) {
          expect(packetsOf(bytes, air.pictureOf(other))).toHaveLength(0);
        }
      }
      await using inspection = openInspection(first.file, ONE);
      const found = await inspection.advance(signal());
      expect(found.services.map(({ triplet, name }) => [triplet, name])).toEqual([[ONE, "Service 1056"]]);
      expect(found.continuityErrors).toBe(0);
    },
  );

  it("R-24 delivers one service to two recordings at once", async () => {
    await using air = await multiplexAir(SERVICES);
    const owner = join(folder, "same");
    await using driver = await openTuner(air, { owner });
    const first = await record(driver, ONE);
    const second = await record(driver, ONE);
    await first.stop();
    await second.grows();
    const bytes = packetsOf(await second.stop(), air.pictureOf(ONE));
    expect(air.sent(air.pictureOf(ONE)).includes(bytes)).toBe(true);
  });

  it("R-34 continues for its recordings while the daemon is away, and the restarted daemon uses it again", async () => {
    await using air = await multiplexAir(SERVICES);
    const owner = join(folder, "lives");
    const before = await openTuner(air, { owner });
    const first = await record(before, ONE);
    const [guard] = (await tuners(owner)).filter(({ isGroupLeader }) => isGroupLeader);
    await before[Symbol.asyncDispose]();

    await using after = await openTuner(air, { owner });
    const second = await record(after, TWO);
    await first.grows();
    await second.grows();
    const now = (await tuners(owner)).filter(({ isGroupLeader }) => isGroupLeader);
    expect(now.map(({ pid }) => pid)).toEqual([guard?.pid]);
    const picture = packetsOf(await first.stop(), air.pictureOf(ONE));
    expect(air.sent(air.pictureOf(ONE)).includes(picture)).toBe(true);
    await second.stop();
  });

  inLong("R-21 ends by itself after a while without readers", async () => {
    await using air = await multiplexAir(SERVICES);
    const owner = join(folder, "idle");
    await using driver = await openTuner(air, { owner, unreadMs: 2000 });
    const recording = await record(driver, ONE);
    expect(await tuners(owner)).not.toEqual([]);
    await recording.stop();
    await until(async () => (await tuners(owner)).length === 0);
  });

  inLong("restarts after its process was killed", async () => {
    await using air = await multiplexAir(SERVICES);
    const owner = join(folder, "killed");
    await using driver = await openTuner(air, { owner });
    const first = await record(driver, ONE);
    expect(await first.session.explain?.(signal())).toBeUndefined();
    await endTuners(owner);
    await until(async () => (await tuners(owner)).length === 0);
    expect(await first.session.explain?.(signal())).toMatchObject({ code: "TUNER_UNREACHABLE" });
    await using _again = await driver.open(ONE, signal());
    // It reads at the same address: what was recorded goes on behind the gap.
    await first.grows();
    await first.stop();
  });

  it.each([
    [GONE, "multiplex 4112/545 has no service 1100"],
    [MOVED, "4112/545 is received there instead of 12802/928"],
  ])("refuses %j, which is not on the air, and releases the tuner", async (service, text) => {
    await using air = await multiplexAir(SERVICES);
    const owner = join(folder, `refused${service.sid}`);
    await using driver = await openTuner(air, { owner });
    const refused = driver.open(service, signal());
    await expect(refused).rejects.toMatchObject({
      code: "TUNER_SERVICE_UNKNOWN",
      message: expect.stringContaining(text),
    });
    expect(await tuners(owner)).toEqual([]);
  });

  it("reports no lock without a signal, and releases the tuner", async () => {
    await using air = await multiplexAir(SERVICES);
    air.fallSilent();
    const owner = join(folder, "silent");
    await using driver = await openTuner(air, { owner, lockMs: 1000 });
    await expect(driver.open(ONE, signal())).rejects.toMatchObject({ code: "TUNER_NO_LOCK" });
    expect(await tuners(owner)).toEqual([]);
  });

  it("reports a missing card", async () => {
    const config = TunerConfig.parse({ kind: "dvb", id: "card", adapter: 255, channelList });
    const parts = { clock, log: silentLog, folder: join(folder, "card"), credentials: () => undefined };
    const [driver] = await openTuners([config], parts);
    await expect(driver?.open(ONE, signal())).rejects.toMatchObject({
      code: "TUNER_UNREACHABLE",
      message: expect.stringContaining("there is no such device"),
    });
  });
});
