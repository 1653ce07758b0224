import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TunerDriver } from "../../../src/model/ports.ts";
import { usualMeaning } from "../../../src/recorder/tune/server-tuners.ts";
import { outOfPatience } from "../../patience.ts";
import { ELSEWHERE, type FakeServer, ONE, receivers, USER } from "./fakes/air.ts";
import { fakeEnigma2 } from "./fakes/enigma2.ts";
import { fakeHdhomerun } from "./fakes/hdhomerun.ts";
import { fakeMirakurun } from "./fakes/mirakurun.ts";
import { fakeTvheadend } from "./fakes/tvheadend.ts";
import { keepsServerContract, openAll } from "./server-contract.ts";

const signal = outOfPatience;
const air = () => receivers({ count: 1, shared: true });

keepsServerContract({
  kind: "hdhomerun",
  fake: fakeHdhomerun,
  config: ({ address }) => ({ kind: "hdhomerun", id: "t", address, originalNetworkId: ONE.onid }),
  shares: false,
  tuners: 2,
  hasPasswords: false,
  reception: { input: "tuner1", strengthPercent: 95, qualityPercent: 78, errorFreePercent: 100 },
});
keepsServerContract({
  kind: "tvheadend",
  fake: fakeTvheadend,
  config: ({ address }) => ({ kind: "tvheadend", id: "t", address }),
  shares: true,
  hasPasswords: true,
  reception: {
    input: "Frontend #1",
    users: 1,
    uncorrectedBlocks: 3,
    strengthDbm: -45.6,
    qualityPercent: 80,
  },
});
keepsServerContract({
  kind: "enigma2",
  fake: (air, options) => fakeEnigma2(air, { ...options, onScreen: () => air.uses().at(-1)?.[0]?.service }),
  config: ({ address, port }) => ({ kind: "enigma2", id: "t", address, streamPort: port }),
  shares: true,
  tuners: 2,
  hasPasswords: true,
  reception: { input: "Tuner B", strengthPercent: 66, qualityPercent: 81, snrDb: 14.25 },
});
keepsServerContract({
  kind: "mirakurun",
  fake: (air, options) => fakeMirakurun(air, { ...options, tuners: 2 }),
  config: ({ address }) => ({ kind: "mirakurun", id: "t", address }),
  shares: true,
  tuners: 2,
  hasPasswords: false,
  reception: { input: "T1", users: 1 },
});

describe("a server that refuses a stream", () => {
  it.each([
    [404, "TUNER_SERVICE_UNKNOWN"],
    [410, "TUNER_SERVICE_UNKNOWN"],
    [503, "TUNER_IN_USE"],
    [400, "STREAM_NO_DATA"],
    [500, "STREAM_NO_DATA"],
    [502, "STREAM_NO_DATA"],
  ])("R-20 with %i can be reached: %s", (status, code) => {
    const meaning = usualMeaning({ kind: "refused", status, headers: {} });
    expect(meaning?.code).toBe(code);
    if (code === "STREAM_NO_DATA") expect(meaning?.text).toContain(`answers ${status}`);
  });
});

describe("an hdhomerun tuner", () => {
  it("finds services of any network by default, and only of the configured one otherwise", async () => {
    await using server = await fakeHdhomerun(air());
    const [any] = await openAll({ kind: "hdhomerun", id: "t", address: server.address });
    const [own] = await openAll({
      kind: "hdhomerun",
      id: "t",
      address: server.address,
      originalNetworkId: 4112,
    });
    const has = (key: string) =>
      [any, own].map((driver) => driver?.facts.services !== "any" && driver?.facts.services.has(key));
    expect(has("4112/545/1056")).toEqual([true, true]);
    expect(has("9/545/1056")).toEqual([true, false]);
    expect(has("4112/545/9")).toEqual([false, false]);
  });

  it("R-44 skips a channel with an invalid address: one wrong lineup entry affects no other", async () => {
    await using server = await fakeHdhomerun(air());
    const [driver] = await openAll({ kind: "hdhomerun", id: "t", address: server.address });
    const broken = { onid: 4112, tsid: 545, sid: 10 };
    const refused = await driver?.open(broken, signal()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "TUNER_SERVICE_UNKNOWN" });
  });
});

describe("a channel of an hdhomerun that is protected against copying", () => {
  it("is not offered: the device never streams it", async () => {
    await using server = await fakeHdhomerun(air());
    const [driver] = await openAll({ kind: "hdhomerun", id: "t", address: server.address });
    const { services = "any" } = driver?.facts ?? {};
    expect(services !== "any" && services.has("4112/545/11")).toBe(false);
  });

  it("is refused with that reason, as the device has no users", async () => {
    await using server = await fakeHdhomerun(air(), { trouble: "forbidden" });
    const [driver] = await openAll({ kind: "hdhomerun", id: "t", address: server.address });
    await using session = await driver?.open(ONE, signal());
    const refusal = await session?.explain?.(signal());
    expect(refusal?.message).toMatch(/protected against copying/);
    expect(refusal?.message).not.toMatch(/user/);
  });
});

describe("a tvheadend tuner", () => {
  const driverOf = async (server: FakeServer, more: object = {}, as = USER) => {
    const [driver] = await openAll({ kind: "tvheadend", id: "t", address: server.address, ...more }, as);
    return driver ?? raise();
  };
  const refusalOf = async (driver: TunerDriver) => {
    await using session = await driver.open(ONE, signal());
    return await session.explain?.(signal());
  };

  it("requests the packets as broadcast, without a profile, with the weight of a recording (R-27)", async () => {
    await using server = await fakeTvheadend(air());
    await using session = await (await driverOf(server, { weight: 700 })).open(ONE, signal());
    expect(session.source.url).toMatch(
      /\/stream\/mux\/[0-9a-f]{32}\?pids=0,16,17,18,20,256,4096,512&weight=700$/,
    );
  });

  it("accepts a profile that keeps the ids, and refuses one that changes them, or is missing", async () => {
    await using server = await fakeTvheadend(air());
    await using session = await (await driverOf(server, { profile: "as-broadcast" })).open(ONE, signal());
    expect(session.source.url).toMatch(/\/stream\/service\/[0-9a-f]{32}\?profile=as-broadcast&weight=500$/);
    for (const [profile, words] of [
      ["pass", "does not keep the ids"],
      ["passs", "has no stream profile passs"],
    ] as const) {
      const refused = (await driverOf(server, { profile })).open(ONE, signal());
      await expect(refused).rejects.toMatchObject({
        code: "TUNER_SERVICE_UNKNOWN",
        message: expect.stringContaining(words),
      });
    }
  });

  it("distinguishes a missing right from a wrong password, although the answers are alike", async () => {
    await using server = await fakeTvheadend(air(), { trouble: "no rights" });
    const known = (await driverOf(server)).open(ONE, signal());
    await expect(known).rejects.toMatchObject({ code: "TUNER_FORBIDDEN" });
    const unknown = (await driverOf(server, {}, { ...USER, password: "old" })).open(ONE, signal());
    await expect(unknown).rejects.toMatchObject({ code: "TUNER_CREDENTIALS_WRONG" });
  });

  it("reports the user's stream limit, which does not count as a fault", async () => {
    await using server = await fakeTvheadend(air(), { trouble: "limit" });
    const refusal = await refusalOf(await driverOf(server));
    expect(refusal).toMatchObject({ code: "TUNER_IN_USE", message: expect.stringContaining("limit") });
  });

  it("distinguishes no reception from no free input, although the answers are alike", async () => {
    await using server = await fakeTvheadend(air(), { trouble: "no lock" });
    expect(await refusalOf(await driverOf(server))).toMatchObject({ code: "TUNER_NO_LOCK" });
    const held = air();
    held.take(ELSEWHERE, "a viewer");
    await using busy = await fakeTvheadend(held);
    expect(await refusalOf(await driverOf(busy))).toMatchObject({ code: "TUNER_IN_USE" });
  });
});

describe("a mirakurun tuner", () => {
  it("R-27 sends its priority, and rejects ambiguous services", async () => {
    await using server = await fakeMirakurun(air());
    const [driver] = await openAll({ kind: "mirakurun", id: "t", address: server.address, priority: 5 });
    await using session = (await driver?.open(ELSEWHERE, signal())) ?? raise();
    expect(session.source).toEqual({
      url: `${server.address}/api/services/1280200929/stream`.replace(
        "//",
        "//rec%40order:p%2Fw%3A%C3%BC%3F1@",
      ),
      programme: "single",
      headers: { "X-Mirakurun-Priority": "5" },
    });
    await expect(driver?.open({ onid: 1, tsid: 1, sid: 7 }, signal())).rejects.toMatchObject({
      code: "TUNER_SERVICE_UNKNOWN",
    });
  });
});

describe("an enigma2 tuner", () => {
  it("reads its services from a lamedb, if given", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-enigma2-"));
    try {
      const channelList = join(folder, "lamedb");
      const services = "services\n0420:eeee0000:0221:1010:25:0\nOne\np:\nend\n";
      await writeFile(channelList, `eDVB services /4/\ntransponders\nend\n${services}`);
      await using server = await fakeEnigma2(air());
      const [driver] = await openAll({
        kind: "enigma2",
        id: "t",
        address: server.address,
        streamPort: server.port,
        channelList,
      });
      await using session = (await driver?.open(ONE, signal())) ?? raise();
      expect(session.source.url).toContain("/1:0:19:420:221:1010:EEEE0000:0:0:0:");
      expect(server.requests.filter((request) => request.includes("getallservices"))).toEqual([]);
      await expect(driver?.open(ELSEWHERE, signal())).rejects.toMatchObject({
        code: "TUNER_SERVICE_UNKNOWN",
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

function raise(): never {
  throw new Error("no driver was opened");
}
