import type { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Recording } from "../../../src/model/recording.ts";
import type { Snapshot } from "../../../src/model/snapshot.ts";
import { Events } from "../../../src/recorder/api/events.ts";
import { API_LIMITS } from "../../../src/recorder/api/limits.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

const EMPTY = {
  at: 0,
  version: "test",
  startedAt: 0,
  guide: { signInNeeded: false, reportsWaiting: 0 },
  clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
  tuners: [],
  recordings: [],
  plan: { placements: [], conflicts: [], groups: [] },
} satisfies Snapshot;

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events sent to a listener since the last look. */
function told(listener: Readable | undefined): readonly Told[] {
  const text = String(listener?.read() ?? "");
  return text.split("\n\n").flatMap((block) => {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s)));
    return fields["data"] === undefined
      ? []
      : [
          {
            id: String(fields["id"]),
            event: String(fields["event"]),
            data: JSON.parse(String(fields["data"])),
          },
        ];
  });
}

function station() {
  const clock = createVirtualClock(1_000_000);
  const state = { snapshot: EMPTY as Snapshot };
  const events = new Events({
    picture: () => ({ snapshot: { ...state.snapshot, at: clock.now() }, entries: [], jobs: [] }),
    clock,
  });
  const ended = new AbortController();
  const running = events.run(ended.signal);
  const change = async (more: Partial<Snapshot>) => {
    state.snapshot = { ...state.snapshot, ...more };
    events.touch();
    await clock.advance(API_LIMITS.eventGatherMs + 1);
  };
  const end = () => {
    ended.abort();
    return running;
  };
  return { clock, events, change, end };
}

const recording = (id: string, name: string) => ({ id, name }) as unknown as Recording;
const guide = (reportsWaiting: number) => ({ guide: { signInNeeded: false, reportsWaiting } });

function lastIdOf(events: readonly Told[]): string {
  return events.at(-1)?.id ?? "";
}

describe("events", () => {
  it("begin with the full state, and then contain only changes", async () => {
    const { events, change, end } = station();
    const listener = events.listen(undefined);
    const [first, ...more] = told(listener);
    expect([first?.event, more]).toEqual(["snapshot", []]);
    expect(first?.data).toMatchObject({
      version: "test",
      recordings: [],
      entries: [],
      jobs: [],
      revision: 1,
    });
    await change({ recordings: [recording("1", "One"), recording("2", "Two")] });
    await change({ recordings: [recording("1", "One"), recording("2", "Renamed")], nextWakeAt: 5 });
    await change({ recordings: [recording("2", "Renamed")] });
    expect(told(listener).map(({ data: { at: _at, ...data } }) => data)).toEqual([
      {
        revision: 2,
        set: {},
        unset: [],
        recordings: { changed: [recording("1", "One"), recording("2", "Two")], gone: [] },
      },
      {
        revision: 3,
        set: { nextWakeAt: 5 },
        unset: [],
        recordings: { changed: [recording("2", "Renamed")], gone: [] },
      },
      { revision: 4, set: {}, unset: [], recordings: { changed: [], gone: ["1"] } },
    ]);
    await change({});
    expect(told(listener)).toEqual([]);
    await end();
  });

  it("give a returning client exactly what it missed, even if no client was connected", async () => {
    const { events, change, end } = station();
    const listener = events.listen(undefined);
    await change(guide(1));
    const seen = lastIdOf(told(listener));
    listener?.destroy();
    await change(guide(2));
    const back = told(events.listen(seen));
    expect(back.map(({ event, data }) => [event, data["set"]])).toEqual([["change", guide(2)]]);
    expect(told(events.listen(lastIdOf(back)))).toEqual([]);
    await end();
  });

  it.each(["", "1-1", "other-life", "-", "x-99999"])(
    "give the full state to a client that names %j as the last",
    async (id) => {
      const { events, end } = station();
      expect(told(events.listen(id)).map(({ event }) => event)).toEqual(["snapshot"]);
      await end();
    },
  );

  it("give the full state to a client that missed more than is stored", async () => {
    const { events, change, end } = station();
    const listener = events.listen(undefined);
    const seen = lastIdOf(told(listener));
    for (let count = 1; count <= API_LIMITS.eventsKept + 1; count += 1) await change(guide(count));
    expect(told(events.listen(seen)).map(({ event }) => event)).toEqual(["snapshot"]);
    await end();
  });

  it("drop a client that does not read, and continue for the others", async () => {
    const { events, change, end } = station();
    const [slow, quick] = [events.listen(undefined), events.listen(undefined)];
    const long = "x".repeat(API_LIMITS.eventBufferLength / 4);
    for (let count = 1; count <= 6; count += 1) {
      await change({ recordings: [recording("1", `${count} ${long}`)] });
      expect(told(quick).at(-1)?.event).toBe("change");
    }
    expect([slow?.destroyed, quick?.destroyed]).toEqual([true, false]);
    await end();
  });

  it("contain only changes of the plan: each conflict by its recording, each group by its first one", async () => {
    const { events, change, end } = station();
    const lack = (recordingId: string, tunerId: string) => ({
      recordingId,
      holders: [{ recordingId: "0", tunerId }],
      remedies: [],
    });
    const group = (recordingIds: readonly string[], provisional: boolean) =>
      ({ recordingIds, proven: "all", provisional }) as unknown as Snapshot["plan"]["groups"][number];
    const before = { conflicts: [lack("1", "a"), lack("2", "a")], groups: [group(["1"], true)] };
    const after = { conflicts: [lack("1", "b"), lack("2", "a")], groups: [group(["0", "1"], false)] };
    await change({ plan: { placements: [], ...before } });
    const listener = events.listen(undefined);
    told(listener);
    await change({ plan: { placements: [], ...after } });
    const [{ data } = { data: {} }] = told(listener);
    expect(data).toMatchObject({
      set: {},
      conflicts: { changed: [lack("1", "b")], gone: [] },
      groups: { changed: after.groups, gone: ["1"] },
    });
    expect(data).not.toHaveProperty("placements");
    await end();
  });

  it("begin with a large state in portions, followed by the changes meanwhile, once and in order", async () => {
    const { events, change, end } = station();
    const many = Array.from({ length: 4000 }, (_, at) => recording(String(at), "x".repeat(500)));
    await change({ recordings: many });
    const seen = events.listen(undefined);
    const late = events.listen(undefined);
    let text = "";
    let turns = 0;
    let isOver = false;
    const over = new Promise<void>((resolve) => {
      seen?.on("data", (piece: Buffer) => {
        text += piece.toString("utf8");
        isOver = /\n\n$/.test(text) && text.includes("event: snapshot");
        if (isOver) resolve();
      });
    });
    while (!isOver) {
      turns += 1;
      await new Promise(setImmediate);
    }
    await over;
    // Two million characters; no turn sends more than a few hundred thousand.
    expect(turns).toBeGreaterThan(4);
    await change({ nextWakeAt: 1 });
    await change({ nextWakeAt: 2 });
    const told = [];
    for await (const piece of late ?? []) {
      told.push(String(piece));
      if (told.join("").includes('"nextWakeAt":2')) break;
    }
    const all = told
      .join("")
      .split("\n\n")
      .slice(1, -1)
      .filter((one) => !one.includes("alive"));
    expect(all.map((one) => /event: (\w+)/.exec(one)?.[1])).toEqual(["snapshot", "change", "change"]);
    const [first, ...rest] = all.map((one) => JSON.parse(one.split("data: ")[1] ?? ""));
    expect(first.recordings).toEqual(many);
    expect(rest.map(({ revision, set }) => [revision - first.revision, set])).toEqual([
      [1, { nextWakeAt: 1 }],
      [2, { nextWakeAt: 2 }],
    ]);
    await end();
  });

  it("never send a client an older state after a newer one during a long query", async () => {
    const clock = createVirtualClock(1_000_000);
    let ms = 0;
    const monotonicMs = () => {
      ms += 10;
      return ms;
    };
    let nextWakeAt = 1;
    let late: Readable | undefined;
    const between = () => {
      nextWakeAt = 2;
      late = events.listen(undefined);
    };
    let looks = 0;
    const events = new Events({
      picture: () => {
        looks += 1;
        if (looks === 2) setImmediate(between);
        return { snapshot: { ...EMPTY, nextWakeAt }, entries: [], jobs: [] };
      },
      // By this clock each look takes long, and so does each turn of others.
      clock: { ...clock, monotonicMs },
    });
    const ended = new AbortController();
    const running = events.run(ended.signal);
    const early = events.listen(undefined);
    const heard: Told[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      events.touch();
      await clock.advance(API_LIMITS.eventGatherMs + 1);
      await new Promise(setImmediate);
      heard.push(...told(early), ...told(late));
    }
    expect(heard.map(({ event, data }) => [event, data["nextWakeAt"] ?? data["set"]])).toEqual([
      ["snapshot", 1],
      ["change", { nextWakeAt: 2 }],
      ["snapshot", 2],
    ]);
    ended.abort();
    await running;
  });

  it("are sent in a separate turn after a long query", async () => {
    const clock = createVirtualClock(1_000_000);
    let ms = 0;
    const picture = () => {
      ms += 10;
      return { snapshot: EMPTY, entries: [], jobs: [] };
    };
    const listener = new Events({ picture, clock: { ...clock, monotonicMs: () => ms } }).listen(undefined);
    expect(told(listener)).toEqual([]);
    await new Promise(setImmediate);
    expect(told(listener)).toMatchObject([{ event: "snapshot" }]);
  });

  it("contain a sign of life each second", async () => {
    const { clock, events, end } = station();
    const [one, other] = [events.listen(undefined), events.listen(undefined)];
    await clock.advance(1);
    for (const listener of [one, other]) String(listener?.read());
    await clock.advance(3 * API_LIMITS.eventBeatMs);
    other?.destroy();
    const heard = String(one?.read()).match(/event: alive\ndata:\n\n/g);
    expect(heard).toHaveLength(3);
    one?.destroy();
    await clock.advance(3 * API_LIMITS.eventBeatMs);
    expect(told(events.listen(undefined)).map(({ event }) => event)).toEqual(["snapshot"]);
    await end();
  });

  it("give a newcomer a place of an address that has taken them all, and that one no further place", async () => {
    const { events, end } = station();
    const greedy = Array.from({ length: API_LIMITS.eventListeners }, () =>
      events.listen(undefined, "192.0.2.1"),
    );
    expect(events.listen(undefined, "192.0.2.1")).toBeUndefined();
    const honest = [events.listen(undefined, "192.0.2.2"), events.listen(undefined, "192.0.2.3")];
    expect(honest.map((each) => each?.destroyed)).toEqual([false, false]);
    expect(greedy.filter((each) => each?.destroyed)).toEqual(greedy.slice(-2));
    await end();
  });

  it("refuse one client too many, and end with the daemon", async () => {
    const { events, end } = station();
    const all = Array.from({ length: API_LIMITS.eventListeners }, () => events.listen(undefined));
    expect(events.listen(undefined)).toBeUndefined();
    all[0]?.destroy();
    await new Promise(setImmediate);
    const next: ReturnType<Events["listen"]> = events.listen(undefined);
    expect(next).toBeDefined();
    await end();
    expect(next?.destroyed).toBe(true);
  });
});
