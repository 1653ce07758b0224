import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LedgerFact } from "../../../../src/model/ledger.ts";
import { RECORDING_MOVES } from "../../../../src/model/recording.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { decide } from "../../../../src/recorder/engine/core/decide.ts";
import type { Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import { explain } from "../../../../src/recorder/report/core/why.ts";
import { fc } from "../../../properties.ts";
import { Brain, EIGHT, receiving, timer, tuner, WHOLE } from "../../engine/runtime/world.ts";

const UTC = { timeZone: "UTC" };
const START = EIGHT - MINUTE;
const STOP = EIGHT + 32 * MINUTE;

/** A brain that keeps a ledger of all that it decides. */
class Diary extends Brain {
  readonly ledger: LedgerFact[] = [];

  override take(occurrence: Occurrence): this {
    // The field is there from the first call on, which the constructor of a Brain makes.
    if (this.ledger !== undefined) this.ledger.push(...decide(this.document, occurrence, this.world).facts);
    return super.take(occurrence);
  }

  why(): readonly string[] {
    return explain(this.ledger, UTC).lines.map(({ text }) => text);
  }

  get verdict(): string | undefined {
    return explain(this.ledger, UTC).verdict;
  }
}

const sentence = (fact: string, facts: LedgerFact["facts"]) =>
  explain([{ at: EIGHT, fact, ...(facts === undefined ? {} : { facts }) }], UTC).lines[0]?.text;

describe("R-10 why", () => {
  it("describes a successful recording from timer to report", () => {
    const diary = new Diary().fetch(timer("1")).delivered().at(START).flowing("1").delivered();
    diary
      .at(STOP + SECOND)
      .ended("1")
      .closed("1", { ...WHOLE, gaps: [{ start: EIGHT, stop: EIGHT + SECOND }] });
    diary.delivered();
    expect(diary.why()).toEqual([
      "ordered: “Show 1” on Channel 1, 20:00–20:30",
      "planned on tuner a",
      "reported waiting to the service: “Scheduled on tuner a, 19:59–20:32.”",
      `requested tuner a (attempt ${diary.of("1").id}.1)`,
      "the first payload is on disk: recording on tuner a",
      "reported running to the service: “Recording on tuner a since 19:59.”",
      "its time is over: closing",
      `attempt ${diary.of("1").id}.1 was stopped`,
      "completed",
      "on disk, good: 29 min 59 s of the event's 30 min, 1000000 bytes, 0 continuity errors, in /recordings/Show.ts",
      "missing on disk: 20:00–20:00:01",
      "reported completed to the service: “Recorded, good: 99.9 % of the event, 1.0 MB, missing 20:00–20:00:01.”",
    ]);
    expect(diary.verdict).toContain("Recorded, good: 99.9 %");
  });

  it("names the rule that ordered the timer, and tells a changed rule from a moved event", () => {
    const rule = { id: 3, priority: 60 };
    const moved = { start: EIGHT + MINUTE, stop: EIGHT + 31 * MINUTE };
    const diary = new Diary()
      .fetch(timer("1", { rule }))
      .fetch(timer("1", { rule: { ...rule, priority: 70 } }))
      .fetch(timer("1", { event: moved }));
    expect(diary.why()).toEqual([
      "ordered by rule 3: “Show 1” on Channel 1, 20:00–20:30",
      "planned on tuner a",
      "rule 3 has changed: its priority is 70",
      "it no longer belongs to a rule: its priority is 50",
      "the service changed the timer: the event is now 20:01–20:31",
    ]);
    expect(diary.ledger.find(({ fact }) => fact === "ordered")?.facts).toMatchObject({ rule: 3 });
  });

  it("names every tried tuner, and the reason of each failure", () => {
    const diary = new Diary()
      .fetch(timer("1"))
      .at(START)
      .ended("1", "TUNER_NO_LOCK")
      .ended("1", "TUNER_IN_USE");
    const { id } = diary.of("1");
    expect(diary.why().slice(2)).toEqual([
      `requested tuner a (attempt ${id}.1)`,
      `attempt ${id}.1 failed: TUNER_NO_LOCK. (TUNER_NO_LOCK)`,
      `requested tuner b (attempt ${id}.2)`,
      `attempt ${id}.2 failed: TUNER_IN_USE. (TUNER_IN_USE)`,
    ]);
  });

  it("names the obstacles in a conflict", () => {
    const diary = new Diary({ tuners: [tuner("a")] })
      .fetch(timer("1"))
      .fetch(
        timer("1"),
        timer("2", { onChannel: 3, event: { start: EIGHT + MINUTE, stop: EIGHT + 30 * MINUTE } }),
      );
    diary.fetch(timer("1", { name: "Film" }), timer("2", { onChannel: 3 })).at(STOP);
    expect(diary.why().join("\n")).toContain(
      "no place in the plan: Conflict, no tuner is free: a records “Film” 19:59–20:32.",
    );
    expect(diary.why().join("\n")).toContain("its time passed without an attempt: Conflict");
  });

  it("names a change of tuner, a lost place and a withdrawal by the service", () => {
    const diary = new Diary({ tuners: [tuner("a", receiving(1)), tuner("b", receiving(1))] }).fetch(
      timer("1"),
    );
    diary.tuners.splice(0, 1);
    diary.at(EIGHT - 50 * MINUTE);
    diary.tuners.splice(0, 1);
    diary.at(EIGHT - 49 * MINUTE).fetch(timer("1", { action: "forget" }));
    expect(diary.why().slice(2)).toEqual([
      "planned on tuner b instead",
      "lost its place in the plan: No configured tuner receives Channel 1.",
      "withdrawn",
    ]);
    expect(diary.verdict).toBe("Withdrawn.");
  });

  it("names the outage that caused the miss, in the household's zone", () => {
    const diary = new Diary().fetch(timer("1")).at(EIGHT - 30 * MINUTE);
    diary.now = STOP + MINUTE;
    diary.take({ kind: "started", running: new Set() });
    diary.fetch(timer("1"));
    const { lines, verdict } = explain(diary.ledger, { timeZone: "Australia/Sydney" });
    expect(lines.map(({ text }) => text)).toContain("the recorder was off 06:30–07:33");
    expect(lines.map(({ text }) => text)).toContain(
      "the recorder started; it had been off since 06:30, and 0 captures continued",
    );
    expect(verdict).toBe("Not recorded: the recorder was off 19:30–20:33.");
  });

  it("names a new id, a moved event, an absence and an unreadable entry", () => {
    const moved = { start: EIGHT + MINUTE, stop: EIGHT + 31 * MINUTE };
    const diary = new Diary().fetch(timer("1")).fetch(timer("7", { event: moved }));
    diary.take({
      kind: "timers-fetched",
      list: { timers: [], malformed: [{ id: "7", reason: "no start" }] },
    });
    diary.take({ kind: "timers-fetched", list: { timers: [], malformed: [] }, absent: ["7"] });
    expect(diary.why().slice(2)).toEqual([
      "the service gave the event a new timer; the previous one was 1",
      "the service changed the timer: the event is now 20:01–20:31",
      "the service's entry could not be read: no start",
      "missing from several consecutive lists of the service: counted as withdrawn",
      "withdrawn",
    ]);
    expect(diary.verdict).toContain("counted as withdrawn");
  });

  it("names reports that the service refused", () => {
    const diary = new Diary().fetch(timer("1"));
    for (const code of ["GUIDE_NOT_ACCEPTABLE", "GUIDE_NOT_FOUND"] as const) {
      const { seq = 0, message = "" } = diary.document.outbox[0] ?? {};
      diary.take({ kind: "delivery", seq, message, outcome: { kind: "refused", code, text: "no." } });
    }
    expect(diary.why().slice(2)).toEqual([
      "the service does not accept the state waiting: no.",
      "the service refused “Scheduled on tuner a, 19:59–20:32.”: no. (GUIDE_NOT_FOUND)",
    ]);
  });

  it.each([
    ["adopted", {}, "the capture survived the restart of the recorder and was adopted"],
    [
      "closing-failed",
      { code: "DISK_FULL", text: "Full." },
      "the recording could not be closed and will be tried again: Full. (DISK_FULL)",
    ],
    ["shortened", { text: "Stalled." }, "recorded only in part: Stalled."],
    ["empty", {}, "nothing was recorded"],
    ["discarded", {}, "cancelled; the recorded part is kept"],
    ["refused", { text: "said elsewhere" }, undefined],
    ["interrupted", {}, undefined],
  ])("has a sentence for %s", (fact, facts, text) => {
    expect(sentence(fact, facts)).toBe(text);
  });

  it("has a sentence for every fact in the engine", async () => {
    const folder = join(import.meta.dirname, "../../../../src/recorder/engine");
    const files = await Promise.all(
      (await readdir(folder, { recursive: true }))
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFile(join(folder, name), "utf8")),
    );
    const noted = files.flatMap((text) =>
      [...text.matchAll(/\bnote\(\s*"([\w-]+)"/g)].map(([, name = ""]) => name),
    );
    const inputs = Object.values(RECORDING_MOVES).flatMap((row) => Object.keys(row));
    expect(noted.length).toBeGreaterThan(15);
    const unknown = [...noted, ...inputs].filter((name) => sentence(name, { mark: 7 }) === `${name}: mark 7`);
    expect(unknown).toEqual([]);
  });

  it("shows a fact of another version unchanged", () => {
    expect(sentence("moon-phase", { phase: "full", days: 14 })).toBe("moon-phase: phase full, days 14");
    expect(sentence("constructor", undefined)).toBe("constructor");
  });

  it("never fails, whatever a ledger contains", () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(8.7e15));
    const keys = fc.constantFrom(
      "start",
      "stop",
      "offSince",
      "eventMs",
      "eventCoveredMs",
      "text",
      "message",
      "to",
    );
    const fact = fc.record({
      at: fc.constant(EIGHT),
      fact: fc.constantFrom(
        "started",
        "ordered",
        "gap",
        "evidence",
        "expired",
        "report-made",
        "was-off",
        "__proto__",
      ),
      facts: fc.dictionary(keys, value),
    });
    fc.assert(
      fc.property(fc.array(fact), (facts) => explain(facts, UTC).lines.every(({ text }) => text !== "")),
    );
  });
});
