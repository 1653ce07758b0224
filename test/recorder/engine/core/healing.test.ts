import { describe, expect, it } from "vitest";
import type { InspectedEvidence, PayloadFindings } from "../../../../src/model/evidence.ts";
import type { Programme } from "../../../../src/model/programme.ts";
import type { Airing } from "../../../../src/model/repeat.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/model/time.ts";
import type { DaemonDocument } from "../../../../src/recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../../../../src/recorder/engine/runtime/document-format.ts";
import { repeatQueries } from "../../../../src/recorder/engine/runtime/repeat-queries.ts";
import { Brain, EIGHT, timer, tuner, WHOLE } from "../runtime/world.ts";

const EPISODE: Programme = { subtitle: "Hammerbarn", seriesId: "77" };
const AGAIN = EIGHT + 2 * DAY;
const REPEAT = { start: AGAIN, stop: AGAIN + 30 * MINUTE };

const AIRING: Airing = {
  showId: "s9",
  channelId: "5",
  title: "Show 1",
  event: REPEAT,
  programme: EPISODE,
};

const HALF: PayloadFindings = { ...WHOLE, eventCoveredMs: 10 * MINUTE };
const SCARRED: PayloadFindings = { ...WHOLE, continuityErrors: 900 };
const SOUND: PayloadFindings = { ...WHOLE, file: "/recordings/Again.ts" };

/** Books by itself. */
function daemon(tuners = [tuner("a")]): Brain {
  const brain = new Brain({ tuners });
  brain.policy = { ...brain.policy, repeats: "book" };
  return brain;
}

function hear(brain: Brain, ...airings: readonly Airing[]): Brain {
  const recordingIds = Object.keys(brain.document.recordings);
  return brain.take({ kind: "airings-fetched", recordingIds, channelIds: ["5"], airings });
}

/** Records timer `id` to its end, with what is found on disk then. */
function recorded(brain: Brain, id: string, evidence: InspectedEvidence): Brain {
  const { window } = brain.of(id);
  brain.at(window.start).flowing(id);
  const found = { ...evidence, firstAt: window.start, lastAt: window.stop };
  return brain
    .at(window.stop + MINUTE)
    .ended(id)
    .closed(id, found);
}

/** Timer 1 was recorded so, and its repeat is known. */
function lost(evidence: InspectedEvidence, brain = daemon()): Brain {
  brain.fetch(timer("1"));
  brain.take({ kind: "programmes-fetched", programmes: { s1: EPISODE } });
  recorded(brain, "1", evidence);
  return hear(brain, AIRING);
}

const bookedAs = (id: string) => timer(id, { showId: "s9", onChannel: 5, event: REPEAT });
const orders = (brain: Brain) =>
  brain.ordered().flatMap((command) => {
    if (command.kind === "book-repeat") return [`book ${command.showId}`];
    return command.kind === "cancel-timer" ? [`cancel ${command.timerId}`] : [];
  });
const healing = (brain: Brain, id = "1") => brain.of(id).healing;

/** The service took the order, and lists it. */
function booked(brain: Brain): Brain {
  const { id } = brain.of("1");
  brain.take({ kind: "repeat-booked", recordingId: id, showId: "s9", timerId: "9" });
  return brain.fetch(timer("1", { state: "failed" }), bookedAs("9"));
}

function afterCrash(brain: Brain): Brain {
  const { now, past } = DOCUMENT_FORMAT.split(brain.document);
  const found = Object.entries(past).map(([name, values]) => [name, new Map(values)] as const);
  brain.document = DOCUMENT_FORMAT.parse(
    JSON.parse(JSON.stringify(now)) as DaemonDocument,
    Object.fromEntries(found),
  );
  brain.ordered();
  return brain.take({ kind: "started", running: new Set() }).fetch(...Object.values(brain.document.timers));
}

describe("a lost recording", () => {
  it.each([
    ["in part", HALF],
    ["with more errors than the limit", SCARRED],
  ])("is booked at its repeat if it was recorded %s, with the reason", (_how, evidence) => {
    const brain = lost(evidence);
    expect(orders(brain)).toEqual(["book s9"]);
    booked(brain);
    expect(healing(brain)).toMatchObject({ step: "booked", recordingId: brain.of("9").id });
    expect(brain.of("9").heals).toBe(brain.of("1").id);
    expect(brain.of("1").reported?.message).toContain(
      "Its repeat on Sun 22 Nov 20:00 on Channel 5 is booked.",
    );
    expect(healing(brain)?.text).toMatch(/^(Recorded in part|Damaged) \(.+\): its repeat on Sun 22 Nov/);
    expect(orders(brain)).toEqual([]);
  });

  it("is only reported if booking is not configured, and ignored if it is good", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    expect(orders(lost(HALF, brain))).toEqual([]);
    expect(orders(lost({ ...WHOLE, continuityErrors: 1 }))).toEqual([]);
  });

  it("is not booked again if a user deleted it", () => {
    const brain = daemon();
    brain.fetch(timer("1"));
    brain.take({ kind: "programmes-fetched", programmes: { s1: EPISODE } });
    recorded(brain, "1", HALF);
    brain.take({ kind: "deleted", recordingId: brain.of("1").id });
    expect(repeatQueries(brain.document, brain.world).wants).toEqual([]);
    expect(orders(hear(brain, AIRING))).toEqual([]);
  });

  it("is not booked if another recording would lose, but then at the next repeat", () => {
    const brain = daemon();
    brain.fetch(timer("1"), timer("2", { onChannel: 1, event: REPEAT }));
    brain.take({ kind: "programmes-fetched", programmes: { s1: EPISODE } });
    recorded(brain, "1", HALF);
    expect(orders(hear(brain, AIRING))).toEqual([]);
    const later = { start: AGAIN + DAY, stop: AGAIN + DAY + 30 * MINUTE };
    expect(orders(hear(brain, AIRING, { ...AIRING, showId: "s10", event: later }))).toEqual(["book s10"]);
  });

  it("is not booked if the account has already booked the episode", () => {
    const brain = daemon();
    brain.fetch(
      timer("1"),
      timer("2", {
        name: "Show 1",
        onChannel: 3,
        event: { start: AGAIN + DAY, stop: AGAIN + DAY + 30 * MINUTE },
      }),
    );
    brain.take({ kind: "programmes-fetched", programmes: { s1: EPISODE, s2: EPISODE } });
    recorded(brain, "1", HALF);
    expect(orders(hear(brain, AIRING))).toEqual([]);
  });

  it("is healed once its repeat was recorded completely, and says so", () => {
    const brain = recorded(booked(lost(HALF)), "9", SOUND);
    expect(healing(brain)).toMatchObject({ step: "healed" });
    expect(brain.of("1").reported?.message).toContain(
      "It was recorded whole on Sun 22 Nov 20:00 on Channel 5.",
    );
    expect(orders(brain)).toEqual(["book s9"]);
  });

  it("R-17 is booked again only at another broadcast, and three times at most", () => {
    const brain = lost(HALF);
    expect(orders(brain)).toEqual(["book s9"]);
    recorded(booked(brain), "9", SCARRED);
    const all = [AIRING];
    for (const [days, id] of [
      [3, "10"],
      [4, "11"],
      [5, "12"],
    ] as const) {
      const start = EIGHT + days * DAY;
      all.push({ ...AIRING, showId: `s${id}`, event: { start, stop: start + 30 * MINUTE } });
    }
    hear(brain, ...all);
    const seen: string[] = [];
    for (const id of ["10", "11"]) {
      seen.push(...orders(brain));
      const event = all.find(({ showId }) => showId === `s${id}`)?.event ?? REPEAT;
      brain.take({ kind: "repeat-booked", recordingId: brain.of("1").id, showId: `s${id}`, timerId: id });
      brain.fetch(timer("1", { state: "failed" }), timer(id, { onChannel: 5, event }));
      recorded(brain, id, HALF);
    }
    expect([...seen, ...orders(brain)]).toEqual(["book s10", "book s11"]);
    expect(healing(brain)).toMatchObject({ step: "given-up", tried: ["s9", "s10", "s11"] });
    // The first recording states the queries for the episode: its repeats make none themselves.
    expect(repeatQueries(brain.document, brain.world).wants).toEqual([]);
  });

  it("is abandoned if a user cancels its repeat, or if the service no longer lists it", () => {
    const brain = booked(lost(HALF));
    orders(brain);
    brain.fetch(timer("1", { state: "failed" }), { ...bookedAs("9"), action: "forget" });
    expect(healing(brain)).toMatchObject({ step: "given-up", isFinal: true });
    hear(brain, { ...AIRING, showId: "s10" });
    expect(orders(brain)).toEqual([]);
    const unlisted = lost(HALF);
    unlisted.take({ kind: "repeat-booked", recordingId: unlisted.of("1").id, showId: "s9", timerId: "9" });
    unlisted.at(unlisted.now + HOUR);
    expect(healing(unlisted)).toMatchObject({ step: "given-up", isFinal: true });
  });

  it("is requested again after a failure, but not if the service has no such show", () => {
    const brain = lost(HALF);
    orders(brain);
    const about = { kind: "repeat-failed", recordingId: brain.of("1").id, text: "No.", afterMs: 0 } as const;
    brain.take({ ...about, code: "GUIDE_UNREACHABLE" });
    expect(orders(brain)).toEqual([]);
    expect(orders(brain.at(brain.now + 5000))).toEqual(["book s9"]);
    brain.take({ ...about, code: "GUIDE_TIMEOUT", afterMs: MINUTE });
    expect(orders(brain.at(brain.now + 30_000))).toEqual([]);
    expect(orders(brain.at(brain.now + 30_000))).toEqual(["book s9"]);
    brain.take({ ...about, code: "GUIDE_NOT_FOUND" });
    expect(healing(brain)).toMatchObject({ step: "given-up", trouble: { code: "GUIDE_NOT_FOUND" } });
    expect(orders(brain.at(brain.now + HOUR))).toEqual([]);
  });

  it("R-36 is requested no later after the clock was set back", () => {
    const brain = lost(HALF);
    orders(brain);
    const about = { kind: "repeat-failed", recordingId: brain.of("1").id, text: "No.", afterMs: 0 } as const;
    brain.take({ ...about, code: "GUIDE_UNREACHABLE" });
    expect(orders(brain.at(brain.now - 30 * DAY))).toEqual(["book s9"]);
  });

  it("R-34 is requested again after a restart at any step", () => {
    const brain = lost(HALF);
    orders(brain);
    expect(orders(afterCrash(brain))).toEqual(["book s9"]);
    // The order was accepted and its answer lost: the list of timers shows it.
    brain.fetch(timer("1", { state: "failed" }), bookedAs("9"));
    expect(healing(brain)).toMatchObject({ step: "booked", recordingId: brain.of("9").id });
    expect(orders(afterCrash(brain))).toEqual([]);
    recorded(brain, "9", SOUND);
    expect(healing(afterCrash(brain))).toMatchObject({ step: "healed" });
  });
});

describe("a recording in conflict", () => {
  /** One tuner, two events at once on two multiplexes; that of timer 1 has a repeat. */
  function torn(repeats: "offer" | "book" = "book", event = REPEAT): Brain {
    const brain = daemon();
    brain.policy = { ...brain.policy, repeats, priorities: [{ match: { title: "Show 2" }, priority: 90 }] };
    brain.fetch(timer("1"), timer("2", { onChannel: 3 }));
    brain.take({ kind: "programmes-fetched", programmes: { s1: EPISODE } });
    return hear(brain, { ...AIRING, event });
  }

  function listed(brain: Brain, event = REPEAT): Brain {
    brain.take({ kind: "repeat-booked", recordingId: brain.of("1").id, showId: "s9", timerId: "9" });
    return brain.fetch(timer("1"), timer("2", { onChannel: 3 }), { ...bookedAs("9"), event });
  }

  it("is booked at its repeat, and may still be recorded itself", () => {
    const brain = torn();
    expect(brain.of("1").state).toBe("conflicted");
    expect(orders(brain)).toEqual(["book s9"]);
    listed(brain);
    expect(brain.of("1")).toMatchObject({ state: "conflicted", healing: { step: "booked" } });
    expect(brain.of("1").reported?.message).toContain("is booked.");
    // The other one is withdrawn: it is recorded itself, and the repeat is needless.
    brain.fetch(timer("1"), { ...timer("2", { onChannel: 3 }), action: "forget" }, bookedAs("9"));
    recorded(brain, "1", WHOLE);
    expect(orders(brain)).toEqual(["cancel 9"]);
    expect(orders(afterCrash(brain))).toEqual(["cancel 9"]);
    brain.take({ kind: "timer-cancelled", recordingId: brain.of("1").id, timerId: "9" });
    expect([healing(brain)?.step, brain.of("9").state]).toEqual(["needless", "cancelled"]);
  });

  it("is cancelled if an earlier repeat was recorded whole", () => {
    const event = { start: EIGHT - 50 * MINUTE, stop: EIGHT - 20 * MINUTE };
    const brain = listed(torn("book", event), event);
    orders(brain);
    recorded(brain, "9", SOUND);
    expect(orders(brain)).toEqual(["cancel 1"]);
    expect(orders(afterCrash(brain))).toEqual(["cancel 1"]);
    brain.take({ kind: "timer-cancelled", recordingId: brain.of("1").id, timerId: "1" });
    expect([healing(brain)?.step, brain.of("1").state]).toEqual(["healed", "cancelled"]);
  });

  it("moves on request to its booked repeat, which is then independent", () => {
    const brain = listed(torn());
    const { id, healing: known } = brain.of("1");
    if (known === undefined) throw new Error("nothing was booked");
    orders(brain);
    brain.take({ kind: "repeat-asked", recordingId: id, repeat: known.repeat });
    expect(orders(brain)).toEqual(["cancel 1"]);
    brain.take({ kind: "timer-cancelled", recordingId: id, timerId: "1" });
    expect([healing(brain)?.step, brain.of("1").state]).toEqual(["moved", "cancelled"]);
    expect(brain.of("9").heals).toBeUndefined();
  });

  it("moves to its repeat on request, even with a crash between the two bookings", () => {
    const brain = torn("offer");
    expect(orders(brain)).toEqual([]);
    const { id, repeats = [] } = brain.of("1");
    const [repeat] = repeats;
    if (repeat === undefined) throw new Error("no repeat");
    brain.take({ kind: "repeat-asked", recordingId: id, repeat });
    expect(orders(brain)).toEqual(["book s9"]);
    expect(orders(afterCrash(brain))).toEqual(["book s9"]);
    brain.take({ kind: "repeat-booked", recordingId: id, showId: "s9", timerId: "9" });
    expect(orders(brain)).toEqual(["cancel 1"]);
    expect(orders(afterCrash(brain))).toEqual(["cancel 1"]);
    brain.take({ kind: "timer-cancelled", recordingId: id, timerId: "1" });
    expect(brain.of("1")).toMatchObject({ state: "cancelled", healing: { step: "moved" } });
    expect(orders(afterCrash(brain))).toEqual([]);
  });
});
