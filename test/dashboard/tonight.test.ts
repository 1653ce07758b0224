import { describe, expect, it } from "vitest";
import {
  endShown,
  isUndisturbed,
  leadOf,
  lostOf,
  morningAfter,
  newOf,
  nextOf,
  runningOf,
  shareOver,
} from "../../src/dashboard/tonight.ts";
import type { Attempt } from "../../src/model/attempt.ts";
import type { LibraryEntry } from "../../src/model/library.ts";
import type { Recording } from "../../src/model/recording.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";

const NOW = Date.parse("2026-11-24T19:00:00Z");

function recording(id: string, more: Partial<Recording>): Recording {
  const event = { start: NOW + HOUR, stop: NOW + 2 * HOUR };
  const one = { id, state: "planned", event, window: event, attempts: [], withdrawn: false, ...more };
  return one as unknown as Recording;
}

function entry(recordingId: string, more: Partial<LibraryEntry> = {}): LibraryEntry {
  const event = { start: NOW - 2 * HOUR, stop: NOW - HOUR };
  const one = { recordingId, state: "completed", event, endedAt: NOW - HOUR, bytes: 3e9, watched: false };
  return { ...one, ...more } as unknown as LibraryEntry;
}

const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);

describe("tonight", () => {
  it.each([
    ["in the evening", "2026-11-24T19:00:00Z", "Europe/Berlin", "2026-11-25T05:00:00Z"],
    ["after midnight", "2026-11-24T23:30:00Z", "Europe/Berlin", "2026-11-26T05:00:00Z"],
    ["elsewhere", "2026-11-24T19:00:00Z", "Asia/Tokyo", "2026-11-25T21:00:00Z"],
    ["before the night of 23 hours", "2026-03-28T20:00:00Z", "Europe/Berlin", "2026-03-29T04:00:00Z"],
    ["before the night of 25 hours", "2026-10-24T20:00:00Z", "Europe/Berlin", "2026-10-25T05:00:00Z"],
  ])("ends at six in the morning of the reader's next day, %s", (_when, now, zone, morning) => {
    expect(new Date(morningAfter(Date.parse(now), zone)).toISOString()).toBe(new Date(morning).toISOString());
  });

  it("lists what runs, and what comes until the morning, the soonest first", () => {
    const at = (hours: number) => ({ start: NOW + hours * HOUR, stop: NOW + (hours + 1) * HOUR });
    const all = [
      recording("late", { event: at(5) }),
      recording("tomorrow", { event: at(20) }),
      recording("soon", { event: at(1), state: "conflicted" } as Partial<Recording>),
      recording("running", { state: "waiting" } as Partial<Recording>),
      recording("over", { state: "completed" } as Partial<Recording>),
    ];
    expect(idsOf(runningOf(all))).toEqual(["running"]);
    expect(idsOf(nextOf(all, NOW + 10 * HOUR))).toEqual(["soon", "late"]);
  });

  it("lists for a day what was not recorded, and nothing that somebody cancelled", () => {
    const ended = (id: string, state: string, more: object = {}) =>
      recording(id, { state, endedAt: NOW - HOUR, ...more } as Partial<Recording>);
    const all = [
      ended("missed", "missed"),
      ended("failed", "failed"),
      ended("long ago", "missed", { endedAt: NOW - 25 * HOUR }),
      ended("cancelled", "cancelled"),
      ended("withdrawn", "failed", { withdrawn: true }),
      ended("on the shelf", "partial"),
    ];
    expect(idsOf(lostOf(all, NOW)).sort()).toEqual(["failed", "missed"]);
  });

  it("begins with a sentence on what is planned", () => {
    const planned = recording("1", {});
    const conflicted = recording("2", { state: "conflicted" } as Partial<Recording>);
    expect(leadOf({ running: [], next: [] })).toEqual({ kind: "nothing" });
    expect(leadOf({ running: [planned], next: [] })).toEqual({ kind: "only-running", count: 1 });
    expect(leadOf({ running: [planned], next: [planned] })).toEqual({ kind: "all", count: 2 });
    expect(leadOf({ running: [planned], next: [planned, conflicted] })).toEqual({
      kind: "some",
      planned: 2,
      count: 3,
    });
    const late = { start: NOW + 2 * HOUR, stop: NOW + 3 * HOUR };
    const partly = recording("partly", {
      event: { start: NOW, stop: late.stop },
      trim: { span: late, text: "" },
    });
    expect(leadOf({ running: [], next: [partly] })).toEqual({ kind: "some", planned: 0, count: 1 });
  });

  it("shows new recordings, the latest first, without those that were seen or are gone", () => {
    const all = [
      entry("older", { endedAt: NOW - 3 * HOUR }),
      entry("newer"),
      entry("watched", { watched: true }),
      entry("deleted", { deleted: { at: NOW, actor: "person", reason: "", done: true } }),
      entry("gone", { goneSince: NOW }),
      entry("finished"),
    ];
    const fresh = newOf(all, (id) => id === "finished");
    expect(fresh.map(({ recordingId }) => recordingId)).toEqual(["newer", "older"]);
  });

  it("says how far an event is, when its recording ends, and whether an attempt failed", () => {
    const event = { start: NOW - HOUR, stop: NOW + HOUR };
    const running = recording("1", { event, window: { ...event, stop: event.stop + 5 * MINUTE } });
    expect([
      shareOver(event, NOW),
      shareOver(event, NOW + 9 * HOUR),
      shareOver(event, NOW - 9 * HOUR),
    ]).toEqual([0.5, 1, 0]);
    expect(endShown(running, NOW)).toBe(event.stop);
    expect(endShown(running, event.stop)).toBe(event.stop + 5 * MINUTE);
    const attempt = (cause?: Attempt["cause"]) => ({ number: 1, cause }) as Attempt;
    expect(isUndisturbed({ ...running, attempts: [attempt()] })).toBe(true);
    expect(isUndisturbed({ ...running, attempts: [attempt("STREAM_NO_DATA"), attempt()] })).toBe(false);
  });
});
