import { describe, expect, it } from "vitest";
import { decisionsOf } from "../../src/dashboard/decisions.ts";
import type { View } from "../../src/dashboard/state/view.ts";
import type { Lack, Placement, Proof, Remedy } from "../../src/model/plan.ts";
import type { Recording } from "../../src/model/recording.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";

const EIGHT = Date.UTC(2026, 10, 20, 20, 0, 0);

function recording(id: string, hours = 0, more: Partial<Recording> = {}): Recording {
  const event = { start: EIGHT + hours * HOUR, stop: EIGHT + (hours + 1) * HOUR };
  return {
    ...{ id, timerId: `timer ${id}`, name: id, channelName: "One", state: "conflicted", attempts: [] },
    event,
    window: { start: event.start - 10 * MINUTE, stop: event.stop + 20 * MINUTE },
    ...more,
  } as unknown as Recording;
}

interface Conflicting {
  readonly recordings: readonly Recording[];
  readonly lacks: Readonly<Record<string, readonly Remedy[]>>;
  readonly placements?: readonly Placement[];
  readonly groups?: readonly (readonly string[])[];
}

function decisionsIn({ recordings, lacks, placements = [], groups }: Conflicting) {
  const all = recordings.map(({ id }) => id);
  const view = {
    recordings: new Map(recordings.map((one) => [one.id, one])),
    placements: new Map(placements.map((one) => [one.recordingId, one])),
    conflicts: new Map(
      Object.entries(lacks).map(([recordingId, remedies]): [string, Lack] => [
        recordingId,
        { recordingId, holders: [{ recordingId: "News", tunerId: "sat-1" }], remedies },
      ]),
    ),
    groups: new Map(
      (groups ?? [all]).map((recordingIds, at) => [String(at), { recordingIds } as unknown as Proof]),
    ),
  } satisfies Pick<View, "recordings" | "placements" | "conflicts" | "groups">;
  return decisionsOf(view);
}

const withdraw = (recordingId: string, other: string): Remedy => ({ kind: "withdraw", recordingId, other });
const raise = (recordingId: string, loses: readonly string[], partly?: readonly string[]): Remedy => ({
  ...{ kind: "raise-priority", recordingId, to: 60, loses },
  ...(partly === undefined ? {} : { partly }),
});
const repeat = (recordingId: string) =>
  ({ kind: "repeat", recordingId, repeat: { showId: "9" } }) as unknown as Remedy;
const addTuner = (recordingId: string): Remedy => ({ kind: "add-tuner", recordingId, like: "sat-1" });

const NEWS = recording("News", 0, { state: "planned" } as Partial<Recording>);

describe("decisions", () => {
  it("come in order of time, with the choices that the planner has tried, the gentlest first", () => {
    const decisions = decisionsIn({
      recordings: [NEWS, recording("Late", 5), recording("Tatort")],
      lacks: {
        Late: [addTuner("Late")],
        Tatort: [withdraw("Tatort", "News"), raise("Tatort", ["News", "Late"], ["Late"]), repeat("Tatort")],
      },
    });
    expect(
      decisions.map(({ recordings: [first], choices }) => [first?.name, ...choices.map((c) => c.kind)]),
    ).toEqual([["Tatort", "repeat", "priority", "cancel"], ["Late"]]);
    const [, priority] = decisions[0]?.choices ?? [];
    expect(priority).toMatchObject({ to: 60, lost: [{ id: "News" }], partly: [{ id: "Late" }] });
    expect(decisions[1]?.hint).toEqual(addTuner("Late"));
  });

  it("are one where cancelling the same recording saves both", () => {
    const lacks = { Tatort: [withdraw("Tatort", "News")], Film: [withdraw("Film", "News"), repeat("Film")] };
    const recordings = [NEWS, recording("Tatort"), recording("Film", 0.5)];
    const [only, ...more] = decisionsIn({ recordings, lacks });
    expect(more).toEqual([]);
    expect(only?.recordings.map(({ id }) => id)).toEqual(["Tatort", "Film"]);
    expect(only?.choices.map(({ kind }) => kind)).toEqual(["repeat", "cancel"]);
    expect(only?.choices[1]).toMatchObject({ recordings: [{ id: "Tatort" }, { id: "Film" }] });
    expect(only?.span).toEqual({ start: EIGHT, stop: EIGHT + 1.5 * HOUR });
    // In another group, at another time, or by another recording they are two.
    expect(decisionsIn({ recordings, lacks, groups: [["Tatort"], ["Film"]] })).toHaveLength(2);
    expect(
      decisionsIn({ recordings: [NEWS, recording("Tatort"), recording("Film", 3)], lacks }),
    ).toHaveLength(2);
    const others = { ...lacks, Film: [withdraw("Film", "Tatort")] };
    expect(decisionsIn({ recordings, lacks: others })).toHaveLength(2);
  });

  it("offer no second button for the same cost, and none whose cost has no name", () => {
    const recordings = [NEWS, recording("Tatort")];
    const same = { Tatort: [withdraw("Tatort", "News"), raise("Tatort", ["News"])] };
    expect(decisionsIn({ recordings, lacks: same })[0]?.choices.map(({ kind }) => kind)).toEqual([
      "priority",
    ]);
    const unknown = { Tatort: [raise("Tatort", ["of another version"])] };
    expect(decisionsIn({ recordings, lacks: unknown })[0]?.choices).toEqual([]);
  });

  it("are settled, and last, when somebody has given the others priority", () => {
    const chosen = recording("News", 0, {
      state: "planned",
      override: { priority: 60 },
    } as Partial<Recording>);
    const decisions = decisionsIn({
      recordings: [chosen, recording("Tatort"), recording("Film", 4)],
      lacks: { Tatort: [withdraw("Tatort", "News"), raise("Tatort", ["News"])], Film: [repeat("Film")] },
    });
    expect(decisions.map(({ id, isSettled }) => [id, isSettled])).toEqual([
      ["Film", false],
      ["Tatort", true],
    ]);
  });

  it("are not asked about a beginning that is past", () => {
    const late = recording("Tatort", 0, { state: "recording" } as Partial<Recording>);
    const placed: Placement = {
      ...{ kind: "placed", recordingId: "Tatort", tunerId: "sat-1", span: late.window, seamMs: 0 },
      begin: late.event.start,
    };
    const lacks = { Tatort: [] };
    expect(decisionsIn({ recordings: [NEWS, late], lacks, placements: [placed] })).toEqual([]);
    const later = { ...placed, begin: late.event.start + 5 * MINUTE };
    const [decision] = decisionsIn({ recordings: [NEWS, late], lacks, placements: [later] });
    expect(decision?.kind).toBe("partly");
  });
});
