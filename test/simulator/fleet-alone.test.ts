import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { coveredMs, lengthMs } from "../../src/model/window.ts";
import { spansOf } from "../../src/simulator/fleet/fleet-world.ts";
import { HOUSEHOLD, openFleetWorld } from "../../src/simulator/fleet/open-fleet-world.ts";
import { channelsOf } from "../../src/simulator/weeks/setting.ts";

const START = Date.UTC(2026, 10, 2, 17);
const CHANNELS_OF_MULTIPLEX = 3;
/** On four multiplexes: one more than the leader can receive, with the tuner that all share. */
const CHANNELS = channelsOf(4 * CHANNELS_OF_MULTIPLEX);
const EVENT = { start: START + 20 * MINUTE, stop: START + 40 * MINUTE };

/** Three nodes, five minutes before their recordings begin. */
async function evening(seed: number) {
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const world = openFleetWorld(
    { ...HOUSEHOLD, channels: CHANNELS, seed, nodes: 3, start: START },
    over.signal,
  );
  const { guide, nodes } = world;
  for (const node of nodes) node.start();
  await world.advanceTo(START + MINUTE);
  for (let channel = 1; channel <= CHANNELS.length; channel += CHANNELS_OF_MULTIPLEX)
    guide.book({ timerId: `${1000 + channel}`, name: `Show ${channel}`, channel, event: EVENT });
  await world.advanceTo(EVENT.start - 5 * MINUTE);
  const leader = nodes.find(({ leads }) => leads);
  if (leader === undefined) throw new Error("nobody leads");
  /** Share of the event on disk, by the tuner that was planned. */
  const planned = Object.values(world.document.recordings).map(({ id, tunerId = "" }) => ({ id, tunerId }));
  const shares = () =>
    planned.map(({ id, tunerId }) => ({
      isLeaders: tunerId.endsWith(`@${leader.name}`),
      share: coveredMs(EVENT, spansOf(world, id)) / lengthMs(EVENT),
      state: world.document.recordings[id]?.state,
    }));
  return {
    ...{ world, leader, shares },
    [Symbol.dispose]() {
      over.abort();
      for (const node of nodes) node.losePower();
    },
  };
}

describe("a node without a leader", () => {
  it.each([1, 2, 3])(
    "seed %i: records its part of the plan while leader and database are dead",
    async (seed) => {
      using here = await evening(seed);
      const { world, leader, shares } = here;
      world.database.goDown();
      leader.losePower();
      await world.advanceTo(EVENT.stop + 5 * MINUTE);
      expect(shares().filter(({ isLeaders }) => !isLeaders).length).toBeGreaterThan(0);
      const running = world.nodes.flatMap(({ machine }) => [...machine.captures.running.keys()]);
      expect(running).toEqual([]);
      world.database.comeBack();
      leader.start();
      await world.advanceTo(EVENT.stop + 15 * MINUTE);
      expect(world.laws.violation).toBeUndefined();
      for (const each of shares())
        if (!each.isLeaders) expect(each).toEqual({ isLeaders: false, share: 1, state: "completed" });
    },
  );

  it("is the one that led, if it starts again without the database", async () => {
    using here = await evening(4);
    const { world, leader, shares } = here;
    world.database.goDown();
    leader.die();
    await world.advanceTo(EVENT.start - 4 * MINUTE);
    leader.start();
    await world.advanceTo(EVENT.stop + 5 * MINUTE);
    world.database.comeBack();
    await world.advanceTo(EVENT.stop + 15 * MINUTE);
    expect(world.laws.violation).toBeUndefined();
    expect(shares().some(({ isLeaders }) => isLeaders)).toBe(true);
    for (const each of shares()) expect(each).toMatchObject({ share: 1, state: "completed" });
  });

  it("hands over to a leader that comes in mid-recording, without a gap", async () => {
    using here = await evening(5);
    const { world, leader, shares } = here;
    world.database.goDown();
    leader.losePower();
    await world.advanceTo(EVENT.start + 5 * MINUTE);
    world.database.comeBack();
    await world.advanceTo(EVENT.stop + 10 * MINUTE);
    leader.start();
    await world.advanceTo(EVENT.stop + 15 * MINUTE);
    expect(world.laws.violation).toBeUndefined();
    for (const each of shares())
      if (!each.isLeaders) expect(each).toEqual({ isLeaders: false, share: 1, state: "completed" });
  });

  it("is taken up by the leader that it was cut off from", async () => {
    using here = await evening(6);
    const { world, leader, shares } = here;
    const others = world.nodes.filter((node) => node !== leader);
    for (const { name } of others) world.wire.cut(leader.name, name);
    for (const node of others) node.way = "cut";
    await world.advanceTo(EVENT.start + 5 * MINUTE);
    const alone = others.flatMap(({ machine }) => [...machine.captures.running.keys()]);
    expect(alone.length).toBeGreaterThan(0);
    for (const { name } of others) world.wire.heal(leader.name, name);
    for (const node of others) node.way = "open";
    await world.advanceTo(EVENT.stop + 10 * MINUTE);
    const { recordings, strays } = world.document;
    expect(world.laws.violation).toBeUndefined();
    const known = Object.values(recordings).flatMap(({ id, attempts }) =>
      attempts.map(({ number }) => `${id}.${number}`),
    );
    expect(known).toEqual(expect.arrayContaining(alone));
    expect(strays).toEqual([]);
    for (const each of shares()) expect(each).toMatchObject({ share: 1, state: "completed" });
  });

  it("stops at the planned end, and begins nothing while a leader is there", async () => {
    using here = await evening(7);
    const { world } = here;
    await world.advanceTo(EVENT.start + MINUTE);
    const ids = [...world.all.keys()];
    expect(ids.filter((id) => !id.endsWith(".1"))).toEqual([]);
    await world.advanceTo(EVENT.stop + 10 * MINUTE + SECOND);
    expect(world.laws.violation).toBeUndefined();
  });
});
