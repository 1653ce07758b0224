import { describe, expect, it } from "vitest";
import { RecorderdError } from "../../../../src/model/errors.ts";
import type { Use } from "../../../../src/model/lease.ts";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { snapshotOf } from "../../../../src/recorder/engine/core/snapshot.ts";
import { bookOfferedRepeat } from "../../../../src/recorder/engine/runtime/repeat-offer.ts";
import { setTimerOverride } from "../../../../src/recorder/engine/runtime/timer-override.ts";
import { runtimeOf } from "./runtime-world.ts";
import { Brain, EIGHT, timer, tripletOf, tuner } from "./world.ts";

const AGAIN = EIGHT + 2 * DAY;
const EPISODE = { subtitle: "Hammerbarn", seriesId: "77" };

/** Timer 2 has no tuner, and the guide knows a repeat of it. */
function withRepeat(): Brain {
  const brain = new Brain({ tuners: [tuner("a")] });
  brain.policy = { ...brain.policy, priorities: [{ match: { title: "Show 1" }, priority: 70 }] };
  brain.fetch(timer("1"), timer("2", { onChannel: 3 }));
  brain.take({ kind: "programmes-fetched", programmes: { s2: EPISODE } });
  const event = { start: AGAIN, stop: AGAIN + 30 * MINUTE };
  return brain.take({
    kind: "airings-fetched",
    recordingIds: [brain.of("2").id],
    channelIds: ["5"],
    airings: [{ showId: "s9", channelId: "5", title: "Show 2", event, programme: EPISODE }],
  });
}

/** The results of requests: answers, or the codes and texts of refusals. */
function outcomes(requests: readonly Promise<unknown>[]): Promise<unknown[]> {
  return Promise.all(
    requests.map((request) =>
      request.catch((error: unknown) => {
        if (error instanceof RecorderdError) return { code: error.code, text: error.message };
        throw error;
      }),
    ),
  );
}

describe("simultaneous requests", () => {
  it("for one timer each get its state after their own change", async () => {
    await using world = runtimeOf(new Brain().fetch(timer("1")));
    world.start();
    await world.clock.advance(SECOND);
    const { runtime, document } = world;
    const set = (priority: number | null) =>
      setTimerOverride("1", { priority }, { document, engine: runtime.engine });
    const told = outcomes([set(80), set(90), set(null)]);
    await world.clock.advance(5 * SECOND);
    expect((await told).map((recording) => (recording as { priority: number }).priority)).toEqual([
      80, 90, 50,
    ]);
  });

  /** Two people ask for the repeat of timer 2, and the service takes a while for each request. */
  async function twoRepeats(book: () => Promise<undefined>) {
    const asked = { book: 0, cancel: 0 };
    const brain = withRepeat();
    await using world = runtimeOf(brain, {
      orders: {
        book: async (_order, signal) => {
          asked.book += 1;
          await world.clock.sleep(SECOND, signal);
          return book();
        },
        cancel: async (_timerId, signal) => {
          asked.cancel += 1;
          await world.clock.sleep(SECOND, signal);
        },
      },
    });
    world.start();
    await world.clock.advance(SECOND);
    const { runtime, document, clock } = world;
    const snapshot = () =>
      snapshotOf({
        document: document(),
        tuners: brain.tuners,
        policy: brain.policy,
        preview: brain.planner.preview,
        guide: { signInNeeded: false },
        clock: runtime.clockStatus,
        at: clock.now(),
        startedAt: EIGHT,
        version: "1",
      });
    const request = () => bookOfferedRepeat("2", { snapshot, engine: runtime.engine });
    const told = outcomes([request(), request()]);
    await clock.advance(10 * SECOND);
    return { told: await told, asked };
  }

  it("for the repeat of one timer both get the answer of a single booking", async () => {
    const { told, asked } = await twoRepeats(async () => undefined);
    expect(told).toMatchObject([{ showId: "s9" }, { showId: "s9" }]);
    expect(asked).toEqual({ book: 1, cancel: 1 });
  });

  it("for a repeat that the service refuses both get the reason", async () => {
    const refusal = new RecorderdError("GUIDE_UNAVAILABLE", "The service is away.");
    const { told } = await twoRepeats(() => Promise.reject(refusal));
    const why = { code: "GUIDE_UNAVAILABLE", text: expect.stringMatching(/away.*repeats the request/) };
    expect(told).toEqual([why, why]);
  });

  it.each<[Use]>([["view"], ["probe"]])(
    "for the last tuner: one %s gets it, the other is refused at once",
    async (use) => {
      await using world = runtimeOf(new Brain({ tuners: [tuner("a")] }));
      world.start();
      await world.clock.advance(SECOND);
      const { desk, signal } = world.runtime;
      const take = (n: number) => desk.take({ use, service: tripletOf(n), forMs: MINUTE }, signal);
      const sinceMs = world.clock.monotonicMs();
      const told = outcomes([take(1), take(3)]);
      await world.clock.advance(5 * SECOND);
      expect(await told).toMatchObject([{ tunerId: "a" }, { code: "TUNER_BUSY" }]);
      expect(Object.keys(world.document().leases)).toEqual([`${use} 1`]);
      expect(world.clock.monotonicMs() - sinceMs).toBeLessThan(MODEL_LIMITS.tuneMs);
    },
  );
});

describe("a request to an engine", () => {
  const lease = (world: ReturnType<typeof runtimeOf>) =>
    world.runtime.desk.take(
      { use: "view", service: tripletOf(1), forMs: MINUTE },
      new AbortController().signal,
    );

  it("that does not run yet is answered once it runs", async () => {
    await using world = runtimeOf(new Brain());
    const told = outcomes([lease(world)]);
    await world.clock.advance(MODEL_LIMITS.tuneMs / 2);
    world.start();
    await world.clock.advance(5 * SECOND);
    expect(await told).toMatchObject([{ tunerId: "b" }]);
  });

  it("that misses its deadline is refused, and not carried out later", async () => {
    const brain = new Brain().fetch(timer("1"));
    await using world = runtimeOf(brain);
    const recordingId = brain.of("1").id;
    const change = { priority: 80 };
    const told = outcomes([world.runtime.engine.ask({ kind: "override-changed", recordingId, change })]);
    await world.clock.advance(MODEL_LIMITS.tuneMs);
    const why = { code: "DAEMON_NOT_READY", text: expect.stringContaining("starting") };
    expect(await told).toEqual([why]);
    world.start();
    await world.clock.advance(5 * SECOND);
    expect(world.document().recordings[recordingId]).not.toHaveProperty("own");
  });
});
