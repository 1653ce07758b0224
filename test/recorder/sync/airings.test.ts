import { describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import { MODEL_LIMITS } from "../../../src/model/limits.ts";
import type { Airing, AiringOrder } from "../../../src/model/repeat.ts";
import { HOUR, MINUTE } from "../../../src/model/time.ts";
import { fetchAirings, NOWHERE_LOOKED, type RepeatQueries } from "../../../src/recorder/sync/airings.ts";
import { SYNC_LIMITS } from "../../../src/recorder/sync/limits.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { EIGHT } from "../engine/runtime/world.ts";

const EVENT = { start: EIGHT, stop: EIGHT + 30 * MINUTE };
const WANT = {
  recordingId: "r1",
  showId: "s1",
  channelId: "7",
  title: "Bluey",
  programme: { subtitle: "Hammerbarn" },
  event: EVENT,
};
const MANY = Array.from({ length: MODEL_LIMITS.programmeChannels + 10 }, (_, at) => String(at + 1));

class Asking {
  wants: RepeatQueries = { wants: [], channelIds: MANY };
  readonly asked: (readonly string[])[] = [];
  readonly found: Airing[] = [];
  readonly clock = createVirtualClock(EIGHT - 8 * HOUR);
  answer: (order: AiringOrder) => readonly Airing[] = () => [];
  #memory = NOWHERE_LOOKED;

  async ask(): Promise<void> {
    const account = {
      airings: async (order: AiringOrder) => {
        this.asked.push(order.channelIds);
        return this.answer(order).filter(order.isWanted);
      },
    };
    this.#memory = await fetchAirings(
      {
        account,
        wants: () => this.wants,
        onAirings: async ({ airings }) => void this.found.push(...airings),
        clock: this.clock,
        chance: () => 0.5,
        log: silentLog,
      },
      this.#memory,
      new AbortController().signal,
    );
  }
}

describe("the search for repeats", () => {
  it("sends no request without need", async () => {
    const asking = new Asking();
    await asking.ask();
    expect(asking.asked).toEqual([]);
  });

  it("sends one request at a time, the show's own channel first, until all channels are searched, and again hours later", async () => {
    const asking = new Asking();
    asking.wants = { wants: [WANT], channelIds: MANY };
    for (let times = 0; times < 4; times += 1) await asking.ask();
    expect(asking.asked.map(({ length }) => length)).toEqual([MODEL_LIMITS.programmeChannels, 10]);
    expect(asking.asked[0]?.[0]).toBe("7");
    expect(new Set(asking.asked.flat())).toEqual(new Set(MANY));
    await asking.clock.advance(SYNC_LIMITS.repeatsRefreshMs);
    await asking.ask();
    expect(asking.asked).toHaveLength(3);
  });

  it("accepts only the same episode by the guide's own id, and no shorter one", async () => {
    const asking = new Asking();
    asking.wants = { wants: [WANT], channelIds: ["7"] };
    const airing = (showId: string, more: Partial<Airing> = {}): Airing => {
      const event = { start: EIGHT + 24 * HOUR, stop: EIGHT + 24 * HOUR + 30 * MINUTE };
      return { showId, channelId: "7", title: "Bluey", programme: WANT.programme, event, ...more };
    };
    asking.answer = () => [
      airing("s1"),
      airing("same", { title: "BLUEY " }),
      airing("other episode", { programme: { subtitle: "Camping" } }),
      airing("another season", { programme: { subtitle: "Hammerbarn", season: 9 } }),
      airing("nothing said", { programme: {} }),
      airing("cut", { event: { start: EIGHT, stop: EIGHT + 20 * MINUTE } }),
    ];
    await asking.ask();
    // The season of the wanted one is not told: it says nothing against.
    expect(asking.found.map(({ showId }) => showId)).toEqual(["same", "another season"]);
  });

  it("pauses after a failure, and polls a service without such a list once a day", async () => {
    const asking = new Asking();
    asking.wants = { wants: [WANT], channelIds: ["7"] };
    asking.answer = () => {
      throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such list.");
    };
    await asking.ask();
    await asking.clock.advance(6 * HOUR);
    await asking.ask();
    expect(asking.asked).toHaveLength(1);
    await asking.clock.advance(SYNC_LIMITS.programmeRefusedMs);
    await asking.ask();
    expect(asking.asked).toHaveLength(2);
  });
});
