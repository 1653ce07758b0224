import { describe, expect, it } from "vitest";
import type { TunerDriver } from "../../../src/model/ports.ts";
import { ServiceSet } from "../../../src/model/service-set.ts";
import { canReceive } from "../../../src/model/tuner.ts";
import { Arrangement, type Offered } from "../../../src/recorder/fleet/arrange.ts";
import { NODE_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import { factsOf, offerOf } from "../../../src/recorder/fleet/offer.ts";
import { SilenceWatch } from "../../../src/recorder/fleet/silence-watch.ts";
import { TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { shareIn } from "../../../src/recorder/tune/share.ts";

const SERVICE = { onid: 1, tsid: 2, sid: 3 };
const never = new AbortController().signal;

/** A tuner whose source names the node that opened it. */
function offered(node: string, id: string, more: Partial<Offered> = {}): Offered {
  const driver: TunerDriver = {
    facts: { id, kind: "satip", services: "any", servicesAtOnce: () => 1, warmUpMs: 0 },
    open: async () => ({
      source: { url: `http://${node}/`, programme: "single" },
      async [Symbol.asyncDispose]() {},
    }),
    async [Symbol.asyncDispose]() {},
  };
  return { node, driver, isHere: false, isDrained: false, load: () => 0, ...more };
}

function arrange(all: readonly Offered[]) {
  const conflicts: string[] = [];
  const tuners = new Arrangement((id, node) => conflicts.push(`${id} of ${node}`)).of(all);
  const open = async (at: number) => {
    const session = await tuners[at]?.driver.open(SERVICE, never);
    return { node: session?.source.url, close: () => session?.[Symbol.asyncDispose]() };
  };
  return { tuners, conflicts, open, names: tuners.map(({ driver }) => driver.facts.id) };
}

describe("the plan over the tuners of all nodes", () => {
  it("knows a node's own tuner by its node, and a shared one by its id alone", () => {
    const { names, tuners } = arrange([
      offered("one", "dvb", { isHere: true }),
      offered("one", "sat", { isHere: true, share: "x" }),
      offered("two", "dvb"),
      offered("two", "sat", { share: "x" }),
      offered("two", "cable", { share: "y" }),
    ]);
    expect(names).toEqual(["dvb@one", "sat", "dvb@two", "cable"]);
    expect(tuners.map(({ here }) => here !== undefined)).toEqual([true, true, false, false]);
    expect(tuners.map(({ driver }) => driver.facts.isElsewhere)).toEqual([undefined, undefined, true, true]);
  });

  it("leaves out a tuner that has the name of another one, and says whose", () => {
    const { names, conflicts } = arrange([
      offered("one", "sat", { isHere: true, share: "x" }),
      offered("two", "sat", { share: "y" }),
    ]);
    expect([names, conflicts]).toEqual([["sat"], ["sat of two"]]);
  });

  it("gives a shared tuner to the least busy node, of equals to the leader, and keeps it there while it is in use", async () => {
    let load = 1;
    const { open } = arrange([
      offered("one", "sat", { isHere: true, share: "x", load: () => load }),
      offered("two", "sat", { share: "x", load: () => 1 }),
      offered("three", "sat", { share: "x", load: () => 2 }),
    ]);
    const first = await open(0);
    load = 5;
    const second = await open(0);
    expect([first.node, second.node]).toEqual(["http://one/", "http://one/"]);
    await first.close();
    await first.close();
    expect((await open(0)).node).toBe("http://one/");
    await second.close();
  });

  it("goes on with another node when the one that was chosen is gone", async () => {
    const arrangement = new Arrangement(() => {});
    const two = offered("two", "sat", { share: "x" });
    const three = offered("three", "sat", { share: "x", load: () => 1 });
    const [before] = arrangement.of([two, three]);
    expect((await before?.driver.open(SERVICE, never))?.source.url).toBe("http://two/");
    const [after] = arrangement.of([three]);
    expect((await after?.driver.open(SERVICE, never))?.source.url).toBe("http://three/");
  });
});

describe("the tuners of a drained node", () => {
  it("receive nothing and refuse to open, so that nothing begins there", async () => {
    const { tuners, open } = arrange([
      offered("one", "dvb", { isHere: true }),
      offered("two", "dvb", { isDrained: true }),
    ]);
    const facts = tuners.map(({ driver }) => driver.facts);
    expect(facts.map(({ id, isDrained }) => [id, isDrained])).toEqual([
      ["dvb@one", undefined],
      ["dvb@two", true],
    ]);
    expect(facts.map((each) => canReceive(each, "1/2/3"))).toEqual([true, false]);
    await expect(open(1)).rejects.toMatchObject({ code: "TUNER_BUSY" });
  });

  it("stay usable through other nodes that have them, too, also while the drained one holds them", async () => {
    const arrangement = new Arrangement(() => {});
    const one = offered("one", "sat", { isHere: true, share: "x" });
    const two = offered("two", "sat", { share: "x", load: () => 1 });
    const [before] = arrangement.of([one, two]);
    const held = await before?.driver.open(SERVICE, never);
    expect([held?.source.url, arrangement.sessionsOn("one")]).toEqual(["http://one/", 1]);
    const [after] = arrangement.of([{ ...one, isDrained: true }, two]);
    expect(after?.driver.facts).toMatchObject({ id: "sat", services: "any", isElsewhere: true });
    expect((await after?.driver.open(SERVICE, never))?.source.url).toBe("http://two/");
    await held?.[Symbol.asyncDispose]();
    expect([arrangement.sessionsOn("one"), arrangement.sessionsOn("two")]).toEqual([0, 1]);
  });
});

describe("a tuner of the network", () => {
  const share = (keys: object, id: string) => shareIn([TunerConfig.parse(keys)])(id);
  const server = { kind: "tvheadend", id: "tvh", address: "http://192.0.2.5:9981" };

  it("is the same on nodes with equal entries, also each of its count", () => {
    expect(share(server, "tvh")).toBe(share({ ...server }, "tvh"));
    expect(share(server, "tvh#2")).toBe(share({ ...server }, "tvh#2"));
    expect(share(server, "tvh#2")).not.toBe(share(server, "tvh"));
    expect(share(server, "tvh")).not.toBe(share({ ...server, address: "http://192.0.2.6:9981" }, "tvh"));
  });

  it("is a node's own if only its machine reaches it", () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]"])
      expect(share({ ...server, address: `http://${host}:9981` }, "tvh")).toBeUndefined();
    expect(share({ kind: "dvb", id: "f", adapter: 0, channelList: "/l" }, "f")).toBeUndefined();
  });
});

describe("the offer of a tuner", () => {
  it("says the same after its way over the network", () => {
    const facts = {
      ...{ id: "a", kind: "url", warmUpMs: 5 },
      services: new ServiceSet(["1/2/3", "*/4/5", "6/*/7"]),
      servicesAtOnce: (multiplex: string) => (multiplex === "1/2" ? 1 : Number.POSITIVE_INFINITY),
    };
    const found = factsOf(JSON.parse(JSON.stringify(offerOf(facts, "x"))), "a");
    const has = (key: string) => found.services !== "any" && found.services.has(key);
    expect(["1/2/3", "9/4/5", "6/9/7", "1/2/4", "9/4/6"].map(has)).toEqual([true, true, true, false, false]);
    expect([found.servicesAtOnce("1/2"), found.servicesAtOnce("4/5")]).toEqual([1, Number.POSITIVE_INFINITY]);
    const single = { ...facts, services: "any" as const, servicesAtOnce: () => 1 };
    const other = factsOf(JSON.parse(JSON.stringify(offerOf(single, undefined))), "a");
    expect([other.services, other.servicesAtOnce("8/9")]).toEqual(["any", 1]);
  });
});

describe("a silent node", () => {
  it("is lost after three seconds, but not because the leader itself was paused", () => {
    const watch = new SilenceWatch();
    watch.heard(0);
    const step = NODE_LIMITS.lookMs;
    let now = 0;
    for (; now < NODE_LIMITS.silentMs; now += step) expect(watch.isTooLong(now)).toBe(false);
    expect(watch.isTooLong(now)).toBe(true);

    watch.heard(now);
    const resumed = now + 60_000;
    expect(watch.isTooLong(resumed)).toBe(false);
    watch.heard(resumed + step);
    expect(watch.isTooLong(resumed + step)).toBe(false);
  });
});
