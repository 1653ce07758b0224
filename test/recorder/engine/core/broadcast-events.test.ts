import { describe, expect, it } from "vitest";
import type { BroadcastEvent } from "../../../../src/model/inspection.ts";
import { isTerminal } from "../../../../src/model/recording.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { Brain, EIGHT, timer, tripletOf, tuner, WHOLE } from "../runtime/world.ts";

const AFTER = 2 * MINUTE;
const ORDERED_STOP = EIGHT + 30 * MINUTE + AFTER;
const SHOW = 4711;
const NEXT = 4712;

function event(eventId: number, change: Partial<BroadcastEvent> = {}): BroadcastEvent {
  const start = eventId === SHOW ? EIGHT : EIGHT + 30 * MINUTE;
  return {
    service: tripletOf(1),
    which: "present",
    eventId,
    start,
    durationMs: 30 * MINUTE,
    runningStatus: 4,
    title: "Show",
    text: "",
    ...change,
  };
}

function seen(brain: Brain, ...events: readonly BroadcastEvent[]): Brain {
  const { id, attempts } = brain.of("1");
  return brain.take({ kind: "events-seen", recordingId: id, attempt: attempts.length, events });
}

/** Records timer 1 since before its event; `follow` as configured. */
function recording({ follow = {}, brain = new Brain() } = {}): Brain {
  Object.assign(brain.policy.follow, { extendMs: HOUR, endEarly: false, ...follow });
  brain.fetch(timer("1"));
  brain.at(EIGHT - MINUTE - 2 * SECOND).flowing("1");
  brain.now = EIGHT - 30 * SECOND;
  return brain;
}

const stopOf = (brain: Brain, timerId = "1") => brain.of(timerId).window.stop;

describe("R-41 EIT present/following", () => {
  it("changes nothing while it agrees with the guide", () => {
    const brain = seen(recording(), event(SHOW, { which: "following" }), event(1, { start: EIGHT - HOUR }));
    brain.now = EIGHT + SECOND;
    seen(brain, event(SHOW), event(NEXT, { which: "following" }));
    expect(stopOf(brain)).toBe(ORDERED_STOP);
    brain.now = EIGHT + 30 * MINUTE;
    seen(brain, event(NEXT));
    expect(stopOf(brain)).toBe(ORDERED_STOP);
    expect(brain.at(ORDERED_STOP + SECOND).of("1").state).toBe("closing");
  });

  it("lets a recording end in time if its event passed unobserved", () => {
    const brain = seen(recording(), event(SHOW, { which: "following" }), event(1, { start: EIGHT - HOUR }));
    brain.now = EIGHT + 31 * MINUTE;
    seen(brain, event(NEXT));
    expect(stopOf(brain)).toBe(Math.max(ORDERED_STOP, brain.now + AFTER));
    brain.at(brain.now + AFTER + SECOND);
    expect(brain.of("1").state).toBe("closing");
  });

  it("extends a recording while an event inserted before it still runs", () => {
    const brain = seen(recording(), event(SHOW, { which: "following" }), event(1, { start: EIGHT - HOUR }));
    brain.now = EIGHT + 5 * MINUTE;
    seen(brain, event(2, { start: EIGHT }), event(3, { which: "following", start: EIGHT + 10 * MINUTE }));
    expect(brain.at(ORDERED_STOP + MINUTE).of("1").state).toBe("recording");
    seen(brain, event(SHOW, { start: EIGHT + 33 * MINUTE }));
    expect(stopOf(brain)).toBe(EIGHT + 63 * MINUTE + AFTER);
  });

  it("extends a recording at once if the event is announced to be longer", () => {
    const brain = seen(recording(), event(SHOW, { durationMs: 40 * MINUTE }));
    expect(stopOf(brain)).toBe(ORDERED_STOP + 10 * MINUTE);
    expect(brain.of("1").event.stop).toBe(EIGHT + 30 * MINUTE);
  });

  it("extends a recording while the event overruns, plus its padding", () => {
    const brain = seen(recording(), event(SHOW));
    for (let now = ORDERED_STOP; now < ORDERED_STOP + 10 * MINUTE; now += 20 * SECOND) {
      expect(brain.at(now + SECOND).of("1").state).toBe("recording");
    }
    brain.now = ORDERED_STOP + 10 * MINUTE;
    seen(brain, event(NEXT));
    expect(stopOf(brain)).toBe(ORDERED_STOP + 10 * MINUTE + AFTER);
    brain.at(ORDERED_STOP + 10 * MINUTE + AFTER + SECOND);
    expect(brain.of("1").state).toBe("closing");
  });

  it("extends no recording without reception, except by its last state", () => {
    const inside = seen(recording(), event(SHOW));
    inside.at(EIGHT + 29 * MINUTE).ended("1", "STORAGE_OFFLINE");
    expect(inside.at(ORDERED_STOP + SECOND).of("1").state).toBe("closing");

    const beyond = seen(recording(), event(SHOW));
    for (let now = ORDERED_STOP; now <= ORDERED_STOP + 5 * MINUTE; now += 20 * SECOND) beyond.at(now);
    beyond.ended("1", "STORAGE_OFFLINE");
    expect(stopOf(beyond)).toBe(ORDERED_STOP + 6 * MINUTE);
    expect(isTerminal(beyond.at(ORDERED_STOP + 6 * MINUTE - SECOND).of("1").state)).toBe(false);
    expect(beyond.at(ORDERED_STOP + 6 * MINUTE + SECOND).of("1").state).toBe("closing");
  });

  it("extends a recording whose event has not begun by its end", () => {
    const brain = seen(recording(), event(SHOW, { which: "following" }));
    expect(brain.at(ORDERED_STOP + SECOND).of("1").state).toBe("recording");
  });

  it("extends a recording by an hour at most, and not at all if configured so", () => {
    const long = seen(seen(recording(), event(SHOW)), event(SHOW, { durationMs: 5 * HOUR }));
    expect(stopOf(long)).toBe(ORDERED_STOP + HOUR);
    expect(long.at(ORDERED_STOP + HOUR + SECOND).of("1").state).toBe("closing");
    const never = seen(recording({ follow: { extendMs: 0 } }), event(SHOW));
    seen(never, event(SHOW, { durationMs: 5 * HOUR }));
    expect(stopOf(never)).toBe(ORDERED_STOP);
  });

  it("never ends a recording early by default", () => {
    const brain = seen(recording(), event(SHOW));
    brain.now = EIGHT + 10 * MINUTE;
    seen(brain, event(NEXT));
    expect(stopOf(brain)).toBe(ORDERED_STOP);
  });

  it("ends a recording early if configured, and completeness follows the broadcast times", () => {
    const brain = seen(recording({ follow: { endEarly: true } }), event(SHOW));
    brain.now = EIGHT + 10 * MINUTE;
    seen(brain, event(NEXT));
    expect(stopOf(brain)).toBe(EIGHT + 10 * MINUTE + AFTER);
    brain.at(EIGHT + 12 * MINUTE + SECOND).ended("1");
    const eventMs = 10 * MINUTE;
    brain.closed("1", { ...WHOLE, eventMs, eventCoveredMs: eventMs, lastAt: EIGHT + 12 * MINUTE });
    expect(brain.of("1").state).toBe("completed");
  });

  it("does not end a recording early if the event continues under another id", () => {
    const brain = seen(recording({ follow: { endEarly: true } }), event(SHOW));
    brain.now = EIGHT + 10 * MINUTE;
    seen(brain, event(NEXT, { start: EIGHT }));
    expect(stopOf(brain)).toBe(ORDERED_STOP);
    brain.now = EIGHT + 20 * MINUTE;
    seen(brain, event(3, { start: EIGHT + 20 * MINUTE }));
    expect(stopOf(brain)).toBe(EIGHT + 20 * MINUTE + AFTER);
  });

  it("ends a recording if the surrounding event continues: a film with news in its middle", () => {
    const film = event(3, { start: EIGHT - HOUR, durationMs: 3 * HOUR });
    const brain = seen(recording(), event(SHOW));
    brain.now = EIGHT + 10 * MINUTE;
    seen(brain, film);
    brain.at(ORDERED_STOP - SECOND);
    expect(brain.of("1").state).toBe("recording");
    expect(brain.at(ORDERED_STOP + SECOND).of("1").state).toBe("closing");
  });

  it("continues a recording if the previous event returns briefly", () => {
    const brain = seen(recording(), event(SHOW));
    seen(brain, event(3, { start: EIGHT - HOUR, durationMs: HOUR }));
    seen(brain, event(SHOW, { durationMs: 50 * MINUTE }));
    expect(stopOf(brain)).toBe(EIGHT + 50 * MINUTE + AFTER);
  });

  it("R-04 completes no recording without payload: an event that ended before its planned start", () => {
    const brain = recording({ follow: { endEarly: true } });
    seen(brain, event(SHOW, { start: EIGHT - 10 * MINUTE, durationMs: 25 * MINUTE }));
    seen(brain, event(NEXT, { start: EIGHT - MINUTE }));
    brain.now = EIGHT - 10 * SECOND;
    seen(brain, event(3, { start: EIGHT + SECOND }));
    brain.at(EIGHT + AFTER).ended("1");
    brain.closed("1", {
      ...WHOLE,
      eventMs: 0,
      eventCoveredMs: 0,
      firstAt: EIGHT - MINUTE,
      lastAt: EIGHT + AFTER,
    });
    expect(brain.of("1").state).toBe("partial");
  });

  it("is ignored if none of its events is the ordered one", () => {
    const brain = seen(recording(), event(7, { start: EIGHT - 2 * HOUR, durationMs: 6 * HOUR }));
    expect(brain.of("1").followed).toBeUndefined();
    seen(brain, event(SHOW, { service: tripletOf(2), durationMs: HOUR }));
    expect(brain.of("1").followed).toBeUndefined();
  });

  it("causes no write if repeated", () => {
    const brain = seen(recording(), event(SHOW));
    const before = brain.document;
    expect(seen(brain, event(SHOW)).document).toBe(before);
  });

  it("takes no tuner from a recording that was promised it earlier or later", () => {
    const brain = recording({ brain: new Brain({ tuners: [tuner("a")] }) });
    const start = EIGHT + 40 * MINUTE;
    const other = timer("2", { onChannel: 3, event: { start, stop: start + 30 * MINUTE } });
    seen(brain, event(SHOW, { durationMs: HOUR }));
    expect(stopOf(brain)).toBe(ORDERED_STOP + 30 * MINUTE);
    brain.fetch(timer("1"), other);
    // A minute of padding and two seconds of warm-up.
    expect(stopOf(brain)).toBe(start - MINUTE - 2 * SECOND);
    expect(brain.of("2")).toMatchObject({ state: "planned", tunerId: "a" });
    brain.at(stopOf(brain) + SECOND).ended("1");
    expect(brain.of("2").state).toBe("tuning");
  });

  it("yields at once to a late booking whose event runs", () => {
    const brain = seen(
      recording({ brain: new Brain({ tuners: [tuner("a")] }) }),
      event(SHOW, { durationMs: HOUR }),
    );
    brain.at(EIGHT + 35 * MINUTE);
    expect(brain.of("1").state).toBe("recording");
    const late = { start: EIGHT + 20 * MINUTE, stop: EIGHT + 50 * MINUTE };
    brain.fetch(timer("1"), timer("2", { onChannel: 3, event: late }));
    expect(stopOf(brain)).toBe(ORDERED_STOP);
    brain.at(brain.now + SECOND).ended("1");
    expect(brain.of("2")).toMatchObject({ state: "tuning", tunerId: "a" });
  });

  it("leaves another recording its tuner if there are two, or if both share one", () => {
    const start = EIGHT + 40 * MINUTE;
    for (const onChannel of [2, 3]) {
      const tuners = onChannel === 2 ? [tuner("a")] : [tuner("a"), tuner("b")];
      const brain = recording({ brain: new Brain({ tuners }) });
      brain.fetch(timer("1"), timer("2", { onChannel, event: { start, stop: start + 30 * MINUTE } }));
      seen(brain, event(SHOW, { durationMs: HOUR }));
      expect(stopOf(brain)).toBe(ORDERED_STOP + 30 * MINUTE);
      expect(brain.of("2").state).toBe("planned");
    }
  });

  it("R-18 does not override a later change of the guide", () => {
    const brain = seen(recording(), event(SHOW));
    brain.now = EIGHT + 5 * MINUTE;
    brain.fetch(timer("1", { event: { start: EIGHT, stop: EIGHT + 50 * MINUTE } }));
    expect(stopOf(brain)).toBe(EIGHT + 50 * MINUTE + AFTER);
    const { document } = brain;
    brain.fetch(timer("1", { event: { start: EIGHT, stop: EIGHT + 50 * MINUTE } }));
    expect(brain.document).toBe(document);
  });
});
