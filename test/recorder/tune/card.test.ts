import { execFile } from "node:child_process";
import { chmod, chown, mkdtemp, open, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { findMarked, type MarkedProcess, signalProcess } from "../../../src/kit/process/marked-process.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import { isTerminal, type Recording } from "../../../src/model/recording.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { SECOND } from "../../../src/model/time.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { openTuners, TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { Recorder } from "../../main-job/recorder.ts";
import { outOfPatience } from "../../patience.ts";
import { type CardWorld, cardWorld } from "./card-world.ts";
import { keepsTunerDriverContract } from "./driver-contract.ts";
import { readGroup } from "./read-group.ts";

/**
 * The kernel's own virtual DVB card (vidtv), in the virtual machine of `npm run test:dvb`: a real /dev/dvb, of which the real
 * dvblast receives 474 MHz and one radio service. Everything takes ten times as long there as it would on the machine itself.
 */
const isThere = process.env["VIRTUAL_DVB_CARD"] !== undefined;

const RADIO: Triplet = { onid: 65_348, tsid: 16_513, sid: 2176 };
const GONE: Triplet = { ...RADIO, sid: 2177 };
const ELSEWHERE: Triplet = { onid: 1, tsid: 2, sid: 2176 };
const OFF_AIR: Triplet = { onid: 1, tsid: 3, sid: 4 };
const FRONTEND = "/dev/dvb/adapter0/frontend0";

const clock = systemClock();
const signal = outOfPatience;
let channelList = "";
let world: CardWorld;
let recorder: Recorder;

describe.skipIf(!isThere)("a dvb tuner on a virtual card (needs the machine of npm run test:dvb)", () => {
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-card-"));
    await chmod(folder, 0o755);
    channelList = join(folder, "dvbv5.conf");
    const section = ({ onid, tsid, sid }: Triplet, frequencyHz: number) => `[Service ${sid}]
      SERVICE_ID = ${sid}
      NETWORK_ID = ${onid}
      TRANSPORT_ID = ${tsid}
      FREQUENCY = ${frequencyHz}
      BANDWIDTH_HZ = 8000000
      DELIVERY_SYSTEM = DVBT
      `;
    await writeFile(
      channelList,
      [
        section(RADIO, 474_000_000),
        section(GONE, 474_000_000),
        section(ELSEWHERE, 474_000_000),
        section(OFF_AIR, 600_000_000),
      ].join("\n"),
    );
    world = await cardWorld(folder, RADIO);
    const tuners = [{ ...config(), warmUpMs: 45_000 }];
    // ffmpeg starts sooner than another Node.js, where processors are emulated.
    const more = { capture: { engine: "ffmpeg" } };
    recorder = await Recorder.install({ folder, home: world.home, tuners, more });
    // It takes a minute to come up here, and holds no card before there is something to record.
    recorder.launch();
  }, 120_000);

  const config = () => ({ kind: "dvb", id: "card", channelList });

  async function openCard(folder = `/tmp/owner-${clock.monotonicMs()}`): Promise<TunerDriver> {
    const parts = { clock, log: silentLog, folder, credentials: () => undefined };
    const [driver] = await openTuners([TunerConfig.parse(config())], parts);
    if (driver === undefined) throw new Error("no driver was opened");
    return driver;
  }

  async function tuners(): Promise<readonly MarkedProcess[]> {
    return findMarked("RECORDERD_TUNER");
  }

  /** Waits for the tuner processes to go; under emulation a killed process may take its time. */
  async function untilGone(): Promise<void> {
    while ((await tuners()).length > 0) await clock.sleep(50, signal());
  }

  /** So that the next test finds the card free. */
  async function endTuners(): Promise<void> {
    for (const each of await tuners()) await signalProcess(each, "SIGKILL");
    await untilGone();
  }

  keepsTunerDriverContract({
    name: "dvb (card)",
    config: () => ({ kind: "dvb", id: "t", adapter: 0, channelList: "/srv/channels.conf" }),
    services: [RADIO],
    read: readGroup,
    build: async () => {
      const driver = await openCard();
      return {
        facts: driver.facts,
        open: (service, ending) => driver.open(service, ending),
        async [Symbol.asyncDispose]() {
          await driver[Symbol.asyncDispose]();
          await endTuners();
        },
      };
    },
  });

  it("is busy while another program holds the frontend", async () => {
    const held = await open(FRONTEND, "r+");
    try {
      const driver = await openCard();
      await expect(driver.open(RADIO, signal())).rejects.toMatchObject({ code: "TUNER_IN_USE" });
      await untilGone();
    } finally {
      await held.close();
    }
    const driver = await openCard();
    await using session = await driver.open(RADIO, signal());
    expect((await readGroup(session.source.url)).length).toBeGreaterThan(0);
    await endTuners();
  });

  it("is busy with another multiplex while one is read, and accepts it afterwards", async () => {
    const driver = await openCard();
    const session = await driver.open(RADIO, signal());
    await expect(driver.open(OFF_AIR, signal())).rejects.toMatchObject({ code: "TUNER_BUSY" });
    expect((await readGroup(session.source.url)).length).toBeGreaterThan(0);
    await session[Symbol.asyncDispose]();
    await expect(driver.open(OFF_AIR, signal())).rejects.toMatchObject({ code: "TUNER_NO_LOCK" });
    await untilGone();
  });

  it.each([
    [GONE, "multiplex 65348/16513 has no service 2177"],
    [ELSEWHERE, "65348/16513 is received there instead of 1/2"],
  ])("does not record another service of the multiplex in place of %j", async (service, text) => {
    const driver = await openCard();
    const refused = driver.open(service, signal());
    await expect(refused).rejects.toMatchObject({
      code: "TUNER_SERVICE_UNKNOWN",
      message: expect.stringContaining(text),
    });
    await untilGone();
  });

  it("restarts after its process was killed", async () => {
    const driver = await openCard();
    await using _first = await driver.open(RADIO, signal());
    await endTuners();
    await using again = await driver.open(RADIO, signal());
    expect((await readGroup(again.source.url)).length).toBeGreaterThan(0);
    await endTuners();
  });

  describe("the daemon", () => {
    const isDone = ({ state }: Recording) => isTerminal(state);
    const inTime = (ms: number) => Math.ceil((clock.now() + ms) / 1000) * 1000;

    beforeAll(async () => {
      while ((await recorder.snapshot())?.guide.lastGoodAt === undefined) await clock.sleep(1000, signal());
      // Reads its hundred libraries through the virtual machine's file system once, before it matters.
      await promisify(execFile)("ffmpeg", ["-version"]);
    }, 300_000);
    afterAll(async () => {
      await recorder.stop();
      await world[Symbol.asyncDispose]();
      await endTuners();
    });

    it("records the card's service by its triplet, and the file is whole", async ({ annotate }) => {
      const start = inTime(60_000);
      const timerId = await world.book({ title: "On the card", start, durationMs: 20 * SECOND });
      const { state, evidence, attempts } = await recorder.until(timerId, isDone, 240_000);
      await annotate(JSON.stringify({ attempts, evidence }));
      expect(state).toBe("completed");
      expect(evidence).toMatchObject({ segments: 1, continuityErrors: 0, transportErrors: 0, gaps: [] });
      await using inspection = openInspection(evidence?.file ?? "", RADIO);
      const found = await inspection.advance(signal());
      expect(found.services.map(({ triplet }) => triplet)).toEqual([RADIO]);
    }, 300_000);

    it("tunes again after the tuner process is killed, and continues after the gap", async ({ annotate }) => {
      const start = inTime(35_000);
      const timerId = await world.book({ title: "Killed", start, durationMs: 60 * SECOND });
      await recorder.until(timerId, ({ state }) => state === "recording", 120_000);
      await clock.sleep(Math.max(0, start + 5 * SECOND - clock.now()), signal());
      for (const each of await tuners()) await signalProcess(each, "SIGKILL");
      const { evidence, attempts } = await recorder.until(timerId, isDone, 240_000);
      await annotate(JSON.stringify({ attempts, evidence }));
      expect(attempts.length).toBeGreaterThanOrEqual(2);
      expect(attempts[0]?.cause).toBe("STREAM_STALLED");
      expect(evidence?.segments).toBeGreaterThanOrEqual(2);
      expect(evidence?.gaps.length).toBeGreaterThanOrEqual(1);
    }, 400_000);
  });

  it("names the required group if the card may not be opened", async () => {
    const group = (await readFile("/etc/group", "utf8"))
      .split("\n")
      .find((line) => line.startsWith("video:"));
    await chown(FRONTEND, 0, Number(group?.split(":")[2] ?? 0));
    await chmod(FRONTEND, 0o660);
    const folder = await mkdtemp(join(tmpdir(), "recorderd-nobody-"));
    await chmod(folder, 0o777);
    // From here on this process runs as user nobody: this is the last test of the file.
    process.setgroups?.([]);
    process.setgid?.(65_534);
    process.setuid?.(65_534);
    const driver = await openCard(folder);
    await expect(driver.open(RADIO, signal())).rejects.toMatchObject({
      code: "TUNER_FORBIDDEN",
      message: expect.stringContaining("group video"),
    });
  });
});
