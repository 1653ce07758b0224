import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { promiseJobsDone } from "../../../../src/kit/time/promises.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import type { TunerDriver } from "../../../../src/model/ports.ts";
import { RUNTIME_LIMITS } from "../../../../src/recorder/engine/runtime/limits.ts";
import { TunerPool } from "../../../../src/recorder/engine/runtime/tuner-pool.ts";
import { openTuners, TunerConfig } from "../../../../src/recorder/tune/registry.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { tuner } from "./world.ts";

function driver(id: string, askAgain?: TunerDriver["askAgain"]): TunerDriver {
  return {
    facts: tuner(id),
    open: () => Promise.reject(new Error("not asked for")),
    ...(askAgain === undefined ? {} : { askAgain }),
    async [Symbol.asyncDispose]() {},
  };
}

it("a server that is unreachable at the start is polled with growing pauses, and its tuners are then listed together", async () => {
  const clock = createVirtualClock(0, promiseJobsDone);
  const asked: number[] = [];
  let isThere = false;
  const late = driver("late", async () => {
    asked.push(clock.now());
    return isThere ? [driver("late#2"), driver("late#3")] : undefined;
  });
  const pool = new TunerPool([late, driver("other")]);
  const before = pool.facts;
  let news = 0;
  const onMore = async () => {
    news += 1;
  };
  const ended = new AbortController();
  const running = pool.run({ clock, log: silentLog, onMore }, ended.signal);
  const { askAgainMsMin: first, askAgainMsMax: last } = RUNTIME_LIMITS;
  await clock.advance(7 * first);
  expect(asked).toEqual([first, 3 * first, 7 * first]);
  expect(pool.facts).toBe(before);
  isThere = true;
  await clock.advance(last);
  expect(pool.facts.map(({ id }) => id)).toEqual(["late", "late#2", "late#3", "other"]);
  expect([...pool.drivers.keys()]).toEqual(["late", "late#2", "late#3", "other"]);
  expect(news).toBe(1);
  // Nobody is late any more.
  await running;
  ended.abort();
});

it("a returning server is polled within two seconds, and a refusing one with growing pauses", async () => {
  const clock = createVirtualClock(0, promiseJobsDone);
  const asked: number[] = [];
  let isThere = false;
  const late = {
    ...driver("late", async () => {
      asked.push(clock.now());
      return asked.length > 2 ? [] : undefined;
    }),
    answers: async () => isThere,
  };
  const ended = new AbortController();
  const onMore = async () => {};
  const running = new TunerPool([late]).run({ clock, log: silentLog, onMore }, ended.signal);
  const away = 10 * RUNTIME_LIMITS.askAgainMsMax + 300;
  await clock.advance(away);
  expect(asked).toEqual([]);
  isThere = true;
  await clock.advance(4 * RUNTIME_LIMITS.askAgainMsMin);
  const [first = 0, second = 0, third = 0] = asked;
  expect(first - away).toBeLessThanOrEqual(2 * RUNTIME_LIMITS.serverLookMs);
  expect(second - first).toBe(RUNTIME_LIMITS.askAgainMsMin);
  expect(third - second).toBe(2 * RUNTIME_LIMITS.askAgainMsMin);
  await running;
  ended.abort();
});

it("a server that answers later gives its current number of tuners and services", async () => {
  let isThere = false;
  const server = createServer((request, response) => {
    if (!isThere) {
      request.socket.destroy();
      return;
    }
    const answer = request.url?.startsWith("/discover.json")
      ? { TunerCount: 3 }
      : [{ URL: "http://192.0.2.1:5004/auto/v1", TransportStreamID: "545", ProgramNumber: "1056" }];
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    const parts = { clock: systemClock(), log: silentLog, credentials: () => undefined, folder: "/nowhere" };
    const open = (count: object) =>
      openTuners([TunerConfig.parse({ kind: "hdhomerun", id: "hd", address, ...count })], parts);
    const [late] = await open({});
    const counted = await open({ count: 2 });
    const { signal } = new AbortController();
    expect(late?.facts.services).toBe("any");
    expect(counted).toHaveLength(2);
    expect(await late?.askAgain?.(signal)).toBeUndefined();
    isThere = true;
    const more = await late?.askAgain?.(signal);
    expect(more?.map(({ facts }) => facts.id)).toEqual(["hd#2", "hd#3"]);
    expect(late?.facts.services === "any" ? undefined : late?.facts.services.has("1/545/1056")).toBe(true);
    expect(await counted[0]?.askAgain?.(signal)).toEqual([]);
    for (const each of [late, ...counted]) await each?.[Symbol.asyncDispose]();
  } finally {
    server.close();
  }
});

it("other servers are polled while one is unreachable, and the tuners stay the same without changes", async () => {
  let news = false;
  const told = { ...driver("told"), lookAgain: async () => news };
  const away = {
    ...driver("away"),
    lookAgain: () => Promise.reject(new RecorderdError("TUNER_UNREACHABLE", "It is away.")),
  };
  const pool = new TunerPool([away, told]);
  const before = pool.facts;
  const { signal } = new AbortController();
  await pool.lookAgain(silentLog, signal);
  expect(pool.facts).toBe(before);
  news = true;
  const facts = { ...told.facts, warmUpMs: 7 };
  Object.assign(told, { facts });
  await pool.lookAgain(silentLog, signal);
  expect(pool.facts[1]).toBe(facts);
  expect(pool.facts.map(({ id }) => id)).toEqual(["away", "told"]);
});

it("tuners of other nodes come and go with their nodes, and only this recorder's own are opened here", () => {
  let others = ["x"];
  const pool = new TunerPool([driver("own")], (own) => [
    ...own.map((each) => ({ driver: each, here: each })),
    ...others.map((id) => ({ driver: driver(id) })),
  ]);
  const { drivers } = pool;
  expect([[...drivers.keys()], [...pool.here.keys()]]).toEqual([["own", "x"], ["own"]]);
  others = ["y", "z"];
  pool.rearrange();
  expect(pool.facts.map(({ id }) => id)).toEqual(["own", "y", "z"]);
  expect([...drivers.keys()]).toEqual(["own", "y", "z"]);
});
