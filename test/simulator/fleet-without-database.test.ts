import { setMaxListeners } from "node:events";
import { expect, it } from "vitest";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { HOUSEHOLD, openFleetWorld } from "../../src/simulator/fleet/open-fleet-world.ts";

const START = Date.UTC(2026, 10, 2, 17);
const EVENT = { start: START + 10 * MINUTE, stop: START + 40 * MINUTE };

it.each([
  ["is started again before the database is back", "die", true],
  ["is not started again", "die", false],
  ["loses its power", "losePower", false],
] as const)(
  "R-34 nothing that a leader has captured without its database is lost, although it %s",
  async (_name, end, startsAgain) => {
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const world = openFleetWorld({ ...HOUSEHOLD, seed: 1, nodes: 3, start: START }, over.signal);
    const { guide, database, nodes, laws } = world;
    for (const node of nodes) node.start();
    await world.advanceTo(START + MINUTE);
    // More than the leader has tuners: other nodes record, too.
    for (const channel of [1, 2, 3, 4]) {
      const booking = { timerId: `${1000 + channel}`, name: `Show ${channel}`, channel, event: EVENT };
      guide.book(booking);
    }
    await world.advanceTo(EVENT.start - 5 * MINUTE);
    database.goDown();
    await world.advanceTo(EVENT.start + 5 * MINUTE);
    const leader = nodes.find(({ leads }) => leads);
    const before = [...world.all.values()];
    leader?.[end]();
    const isBack = EVENT.start + 6 * MINUTE;
    await world.advanceTo(isBack - 10 * SECOND);
    if (startsAgain) leader?.start();
    await world.advanceTo(isBack);
    database.comeBack();
    await world.advanceTo(EVENT.stop + 10 * MINUTE);
    const { recordings, strays } = world.document;
    over.abort();
    for (const node of nodes) node.losePower();

    expect(before.length).toBeGreaterThan(1);
    expect(laws.violation).toBeUndefined();
    expect(strays).toEqual([]);
    const outcomes = Object.values(recordings).map(({ state }) => state);
    // With its power, the leader's own captures end, a minute before the database is back.
    const ended = end === "die" ? ["completed"] : ["completed", "partial"];
    expect(ended).toEqual(expect.arrayContaining(outcomes));
    expect(outcomes).toHaveLength(4);
    const known = Object.values(recordings).flatMap(({ id, attempts }) =>
      attempts.map(({ number }) => `${id}.${number}`),
    );
    expect(known).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
  },
);
