import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GuideServer, openGuideServer } from "../../../src/guide-server/server.ts";
import { NO_COST } from "../../../src/kit/http/password.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { DAY, HOUR, MINUTE } from "../../../src/model/time.ts";
import { createVirtualClock, type VirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { IS_LONG } from "../../lane.ts";
import type { FieldBox } from "./field-box.ts";
import { Daily, EMAIL, guideOf, Household, NOW, PASSWORD, type Place, titleOf } from "./household.ts";

const POLL_MS = 15 * MINUTE;
const DAYS = 7;

async function household(place: Omit<Place, "baseUrl">) {
  const dataFolder = await mkdtemp(join(tmpdir(), "recorderd-field-box-"));
  const clock = createVirtualClock(NOW);
  const server = await openGuideServer({
    dataFolder,
    clock,
    log: silentLog,
    allowSignUp: true,
    passwordCost: NO_COST,
  });
  await server.seed(guideOf([0, 1]));
  const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
  const home = new Household(server, { ...place, baseUrl });
  return {
    ...{ home, server, clock },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

interface World {
  readonly home: Household;
  readonly server: GuideServer;
  readonly clock: VirtualClock;
}

async function liveThroughWeek({ home, server, clock }: World): Promise<void> {
  const daily = new Daily(home);
  for (let poll = 0; poll < (DAYS * DAY) / POLL_MS; poll += 1) {
    const [day, hour] = [Math.floor((poll * POLL_MS) / DAY), ((poll * POLL_MS) % DAY) / HOUR];
    if (hour === 0) await server.seed(guideOf([day + 2]));
    if (Number.isInteger(hour)) await daily.at(day, hour);
    for (const box of [home.one, home.two]) {
      box.tick(clock.now());
      await box.look();
    }
    if (hour === 12.5 && day === 0) await expectRunning(home);
    await clock.advance(POLL_MS);
  }
}

/** The boxes have since reported these as pending. */
async function expectRunning(home: Household): Promise<void> {
  const running = (await home.timers()).filter(({ state }) => state === "running");
  const names = running.map(({ name }) => name).sort();
  expect(names).toEqual([titleOf(0, 0, 12), titleOf(1, 0, 12), titleOf(2, 0, 12), titleOf(2, 0, 12)]);
}

/** The timers that the boxes list: device, name, state. */
function expectedTimers({ one, two, wanted, lost }: Household) {
  const of = (box: FieldBox, names: readonly string[], state: string) =>
    names.map((name) => [box.deviceId, name, "record", state]);
  return [
    ...[one, two].flatMap((box) => of(box, wanted.get(box) ?? [], "completed")),
    ...of(two, lost, "failed"),
  ].sort();
}

const NO_MAC = "00:00:00:00:00:00";
const PLACES = [
  { types: [22, 30], uids: ["02:00:00:00:00:01", "02:00:00:00:00:02"] },
  { types: [38, 4711], uids: [NO_MAC, NO_MAC] },
  { types: [31, 36], uids: ["02:00:00:00:00:01", "02:00:00:00:00:02"] },
  { types: [22, 22], uids: [NO_MAC, NO_MAC] },
] as const;

describe("two set-top boxes in one household", () => {
  it.runIf(IS_LONG).each(PLACES)(
    "work for a week, each with its own timers and forgets: types $types, $uids",
    async (place) => {
      await using world = await household(place);
      const { home } = world;
      await home.setUp();
      await liveThroughWeek(world);
      const { one, two } = home;
      expect(one.deviceId).not.toBe(two.deviceId);
      for (const box of [one, two]) {
        expect([...box.recorded].sort()).toEqual([...(home.wanted.get(box) ?? [])].sort());
        expect([...box.forgotten].sort()).toEqual([...(home.withdrawn.get(box) ?? [])].sort());
        expect(box.foreign).toEqual([]);
      }
      const timers = (await home.timers()).map((t) => [t.device_id, t.name, t.action, t.state]);
      expect(timers.sort()).toEqual(expectedTimers(home));
      expect((await world.server.boxLogs(EMAIL)).map(({ text }) => text)).toEqual(["set up", "set up"]);
      // Nothing but its own start, once it is online again, makes a box load the guide as a whole.
      expect([one.wholeLoads, two.wholeLoads]).toEqual([2, 1]);
      // Setting up is one refusal for each; nothing else was refused in the whole week.
      expect([one.shown.length, two.shown.length]).toEqual([1, 1]);
    },
  );

  it("load the whole guide once, and then only changes", async () => {
    await using world = await household({ types: [22, 30], uids: ["A1", "A2"] });
    const { home, clock } = world;
    await home.setUp();
    for (let poll = 0; poll < DAY / POLL_MS; poll += 1) {
      for (const box of [home.one, home.two]) await box.look();
      await clock.advance(POLL_MS);
    }
    expect([home.one.wholeLoads, home.two.wholeLoads]).toEqual([1, 1]);
  });

  it("are recognised when they sign in again, with and without a MAC address", async () => {
    for (const uids of [
      ["A1", "A2"],
      [NO_MAC, NO_MAC],
    ] as const) {
      await using world = await household({ types: [22, 22], uids });
      const { one, two } = world.home;
      await world.home.setUp();
      const before = [one.deviceId, two.deviceId];
      await one.signOut();
      expect(await one.signIn(EMAIL, PASSWORD)).toBe(true);
      expect([one.deviceId, two.deviceId]).toEqual(before);
    }
  });
});
