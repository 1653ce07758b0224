import { describe, expect, it } from "vitest";
import type { Programme } from "../../../../src/model/programme.ts";
import type { Airing } from "../../../../src/model/repeat.ts";
import { DAY, MINUTE } from "../../../../src/model/time.ts";
import { planFacts } from "../../../../src/recorder/engine/core/plan-facts.ts";
import { offeredRepeat } from "../../../../src/recorder/engine/runtime/repeat-offer.ts";
import { repeatQueries } from "../../../../src/recorder/engine/runtime/repeat-queries.ts";
import { Brain, EIGHT, timer, tuner } from "../runtime/world.ts";

const EPISODE: Programme = { subtitle: "Hammerbarn", seriesId: "77" };

/** One tuner, two events at once on two multiplexes: timer 2 has no place. */
function torn(): Brain {
  const brain = new Brain({ tuners: [tuner("a")] });
  brain.fetch(timer("1", { onChannel: 1 }), timer("2", { onChannel: 3 }));
  const loser = brain.of("1").state === "conflicted" ? "1" : "2";
  return brain.take({ kind: "programmes-fetched", programmes: { [`s${loser}`]: EPISODE } });
}

function loserOf(brain: Brain): "1" | "2" {
  return brain.of("1").state === "conflicted" ? "1" : "2";
}

function airing(brain: Brain, options: Partial<Airing> = {}): Airing {
  const start = EIGHT + 2 * DAY;
  return {
    showId: "s9",
    channelId: "5",
    title: brain.of(loserOf(brain)).name,
    event: { start, stop: start + 30 * MINUTE },
    programme: EPISODE,
    ...options,
  };
}

function hear(brain: Brain, ...airings: readonly Airing[]): Brain {
  const channelIds = ["1", "2", "3", "4", "5", "6"];
  const recordingIds = [brain.of("1").id, brain.of("2").id];
  return brain.take({ kind: "airings-fetched", recordingIds, channelIds, airings });
}

const message = (brain: Brain) => brain.of(loserOf(brain)).reported?.message;

describe("repeats of recordings in conflict", () => {
  it("are searched only during a conflict, for an identifiable episode, on received channels", () => {
    const brain = torn();
    const { wants, channelIds } = repeatQueries(brain.document, brain.world);
    expect(wants.map(({ recordingId }) => recordingId)).toEqual([brain.of(loserOf(brain)).id]);
    expect(channelIds).toEqual(["1", "2", "3", "4", "5", "6"]);
    const calm = new Brain({ tuners: [tuner("a"), tuner("b")] }).fetch(timer("1"), timer("2"));
    expect(repeatQueries(calm.document, calm.world).wants).toEqual([]);
  });

  it("are offered in the message if the plan records them whole without a loss elsewhere", () => {
    const brain = hear(torn(), airing(torn()));
    expect(message(brain)).toContain("Its repeat on Sun 22 Nov 20:00 on Channel 5 would be recorded.");
  });

  it("are not offered if they would also conflict; the next one is offered instead", () => {
    const start = EIGHT + 2 * DAY;
    const brain = torn();
    brain.fetch(
      timer("1", { onChannel: 1 }),
      timer("2", { onChannel: 3 }),
      timer("3", { event: { start, stop: start + 30 * MINUTE } }),
    );
    hear(brain, airing(brain));
    expect(message(brain)).not.toContain("repeat");
    const later = { start: start + DAY, stop: start + DAY + 30 * MINUTE };
    hear(brain, airing(brain), airing(brain, { showId: "s10", event: later }));
    expect(message(brain)).toContain("Its repeat on Mon 23 Nov 20:00 on Channel 5");
  });

  it("R-14 change nothing when reported again, and are forgotten once they began or left the guide", () => {
    const brain = torn();
    hear(brain, airing(brain));
    const { document } = brain;
    expect(hear(brain, airing(brain)).document).toBe(document);
    hear(brain);
    expect(message(brain)).not.toContain("repeat");
  });

  it("are absent if the account has already booked that broadcast", () => {
    const brain = torn();
    const start = EIGHT + 2 * DAY;
    const event = { start, stop: start + 30 * MINUTE };
    brain.fetch(timer("1"), timer("2", { onChannel: 3 }), timer("9", { onChannel: 5, event }));
    hear(brain, airing(brain));
    expect(brain.of(loserOf(brain)).repeats).toBeUndefined();
  });

  it("are available for booking only while the plan offers them", () => {
    const brain = torn();
    const loser = loserOf(brain);
    const seen = () => {
      const { recordings, health } = brain.document;
      const all = Object.values(recordings);
      return {
        recordings: all,
        plan: planFacts(recordings, { ...brain.world, preview: brain.planner.preview, health }),
      };
    };
    expect(() => offeredRepeat(loser, seen())).toThrow("offers no repeat");
    hear(brain, airing(brain));
    expect(offeredRepeat(loser, seen()).repeat).toMatchObject({ showId: "s9", channelName: "Channel 5" });
    expect(() => offeredRepeat(loser === "1" ? "2" : "1", seen())).toThrow("offers no repeat");
  });
});
