import { describe, expect, it } from "vitest";
import type { LibraryEntry } from "../../../src/model/library.ts";
import { DAY, MINUTE } from "../../../src/model/time.ts";
import {
  catchUpDays,
  finishedOnes,
  ofStation,
  recordingOf,
  type Watchable,
  watchable,
} from "../../../src/recorder/api/catch-up.ts";
import { inState } from "../../model/recordings.ts";
import { Brain, EIGHT, timer, WHOLE } from "../engine/runtime/world.ts";

const SERVICE = { onid: 1, tsid: 2, sid: 3 };
const recorded = (recordingId: string, fromMinutes: number, minutes: number): Watchable => {
  const start = EIGHT + fromMinutes * MINUTE;
  return {
    recordingId,
    name: recordingId,
    channelName: "One",
    service: SERVICE,
    event: { start, stop: start + minutes * MINUTE },
  };
};
const FILM = recorded("film", 0, 90);
const NEWS = recorded("news", 90, 15);
const at = (fromMinutes: number, minutes: number) => {
  const start = EIGHT + fromMinutes * MINUTE;
  return { start, stop: start + minutes * MINUTE };
};

describe("the recording of a programme", () => {
  it.each([
    ["the programme itself", at(0, 90), "film"],
    ["the programme with the minutes that Kodi adds", at(85, 35), "news"],
    ["any instant of the programme", { start: EIGHT + MINUTE, stop: EIGHT + MINUTE + 1000 }, "film"],
    ["the next programme, even from some minutes earlier", at(100, 60), undefined],
    ["the previous programme, even until some minutes later", at(-35, 50), undefined],
    ["a programme of another day", at(24 * 60, 90), undefined],
  ])("is the right one or none for %s", (_name, span, id) => {
    expect(recordingOf(span, [FILM, NEWS])?.recordingId).toBe(id);
  });

  it("belongs to the channel by its service or by its name", () => {
    const station = { channelId: "1", name: "One", service: SERVICE, tuners: ["a"] };
    const other = { ...FILM, service: { ...SERVICE, sid: 9 } };
    expect(ofStation([FILM, other, { ...other, channelName: "Two" }], station)).toEqual([FILM, other]);
  });

  it("determines the days of catch-up by the oldest one", () => {
    expect(catchUpDays([], EIGHT)).toBeUndefined();
    expect(catchUpDays([FILM, NEWS], EIGHT + 95 * MINUTE)).toBe(1);
    expect(catchUpDays([FILM, NEWS], EIGHT + 2 * DAY + MINUTE)).toBe(3);
  });
});

describe("recordings that can be played", () => {
  const planned = new Brain().fetch(timer("1")).of("1");
  const attempt = { number: 1, tunerId: "a", startedAt: EIGHT };
  const growing = inState(planned, "recording", { attempts: [{ ...attempt, flowingAt: EIGHT }] });

  it("have a file, or data on the disk", () => {
    const entry = { ...FILM, recordingId: "r9" } as unknown as LibraryEntry;
    const gone = [
      { ...entry, recordingId: "r7", goneSince: EIGHT },
      {
        ...entry,
        recordingId: "r8",
        deleted: { at: EIGHT, actor: "person", reason: "", done: true } as const,
      },
    ];
    const tuning = inState(planned, "tuning", { attempts: [attempt] });
    const ids = (recordings: Parameters<typeof watchable>[1]) =>
      watchable([entry, ...gone], recordings).map(({ recordingId }) => recordingId);
    expect(ids([growing])).toEqual(["r9", growing.id]);
    expect(ids([tuning, planned])).toEqual(["r9"]);
    // The library takes a recording in only after its end is committed.
    const over = { ...inState(growing, "completed", {}), evidence: { ...WHOLE, file: "/srv/One.ts" } };
    expect(ids([over])).toEqual(["r9", over.id]);
    expect(finishedOnes([entry, ...gone], [over, growing]).map(({ name }) => name)).toEqual([
      "film",
      over.name,
    ]);
    const known = { ...over, id: "r8" };
    const without = { ...inState(growing, "failed", {}), id: "r6" };
    expect(ids([known, without])).toEqual(["r9"]);
  });
});
