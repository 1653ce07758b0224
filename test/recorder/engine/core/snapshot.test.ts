import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../../src/model/attempt.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import type { ReceptionNow } from "../../../../src/model/snapshot.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { emptyDocument } from "../../../../src/recorder/engine/core/document.ts";
import { snapshotOf } from "../../../../src/recorder/engine/core/snapshot.ts";
import { Brain, EIGHT, tripletOf, tuner } from "../runtime/world.ts";

function recording(id: string, onChannel: number, attempts: readonly Attempt[]): Recording {
  const window = { start: EIGHT, stop: EIGHT + onChannel * MINUTE };
  return {
    id,
    timerId: id,
    name: `Show ${id}`,
    channelId: String(onChannel),
    channelName: `Channel ${onChannel}`,
    service: tripletOf(onChannel),
    event: window,
    padding: { beforeMs: 0, afterMs: 0 },
    window,
    priority: 0,
    state: "recording",
    tunerId: "a",
    withdrawn: false,
    attempts,
  };
}

function tunersWith(...recordings: readonly Recording[]) {
  return tunersWhere(recordings);
}

function tunersWhere(recordings: readonly Recording[], reception?: (id: string) => ReceptionNow | undefined) {
  const document = {
    ...emptyDocument(EIGHT),
    recordings: Object.fromEntries(recordings.map((each) => [each.id, each])),
  };
  const guide = { signInNeeded: false };
  const clock = { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} } as const;
  const brain = new Brain();
  return snapshotOf({
    document,
    tuners: [tuner("a"), tuner("b")],
    policy: brain.policy,
    preview: brain.planner.preview,
    guide,
    clock,
    at: EIGHT,
    startedAt: EIGHT,
    version: "0",
    ...(reception === undefined ? {} : { reception }),
  }).tuners;
}

const at = (seconds: number) => EIGHT + seconds * SECOND;
const running: Attempt = { number: 1, tunerId: "a", startedAt: at(0) };

describe("the tuners in the snapshot", () => {
  it("R-22 show their user, its services, and its end", () => {
    const [a, b] = tunersWith(
      recording("1", 1, [{ ...running, flowingAt: at(1) }]),
      recording("2", 2, [running]),
    );
    expect(a).toEqual({
      id: "a",
      kind: "mock",
      leases: [],
      health: [],
      state: "receiving",
      multiplex: "4112/1",
      services: ["4112/1/1", "4112/1/2"],
      recordings: ["1", "2"],
      heldUntil: EIGHT + 2 * MINUTE,
    });
    expect(b).toMatchObject({ id: "b", kind: "mock", state: "free", services: [], recordings: [] });
  });

  it("show the reported signal while in use, and none after release", () => {
    const said = (id: string) => ({ input: `frontend ${id}`, isLocked: true, at: at(3) });
    const [a, b] = tunersWhere([recording("1", 1, [running])], said);
    expect(a?.reception).toEqual({ input: "frontend a", isLocked: true, at: at(3) });
    expect(b?.reception).toBeUndefined();
  });

  it("show tuning until data arrives", () => {
    expect(tunersWith(recording("1", 1, [running]))[0]?.state).toBe("tuning");
  });

  it("show the problem of the latest attempt, until one succeeds", () => {
    const failed: Attempt = { ...running, endedAt: at(5), cause: "TUNER_NO_LOCK" };
    expect(tunersWith(recording("1", 1, [failed]))[0]?.trouble).toEqual({ code: "TUNER_NO_LOCK", at: at(5) });
    const good: Attempt = { number: 2, tunerId: "a", startedAt: at(6), flowingAt: at(7) };
    expect(tunersWith(recording("1", 1, [failed, good]))[0]?.trouble).toBeUndefined();
    const elsewhere: Attempt = { ...good, tunerId: "b" };
    expect(tunersWith(recording("1", 1, [failed, elsewhere]))[0]?.trouble?.code).toBe("TUNER_NO_LOCK");
  });

  it("show no problem for an attempt that was asked to end", () => {
    const asked: Attempt = { ...running, flowingAt: at(1), endedAt: at(5), cause: "asked" };
    expect(tunersWith(recording("1", 1, [asked]))[0]).toEqual({
      id: "a",
      kind: "mock",
      leases: [],
      health: [],
      state: "free",
      services: [],
      recordings: [],
    });
  });
});
