import { expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { HOUR, MINUTE } from "../../../../src/model/time.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import type { Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import { type ActParts, createActs } from "../../../../src/recorder/engine/runtime/acts.ts";
import { RUNTIME_LIMITS } from "../../../../src/recorder/engine/runtime/limits.ts";
import { TunerReleases } from "../../../../src/recorder/engine/runtime/tuner-releases.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { inState } from "../../../model/recordings.ts";
import { Brain, EIGHT, timer, tripletOf, WHOLE } from "./world.ts";

it("R-32 the sidecars of a recording are written once for orders that meet, and retried while its disk is missing", async () => {
  const clock = createVirtualClock(EIGHT);
  const planned = new Brain().fetch(timer("1")).of("1");
  const due = inState(planned, "completed", { evidence: WHOLE, sidecarDue: true });
  let recording: Recording = due;
  const posted: Occurrence[] = [];
  const written: number[] = [];
  let awayUntil = EIGHT + 2.5 * ENGINE_LIMITS.retryMsMax;
  const ended = new AbortController();
  const parts: Pick<ActParts, "closing" | "recording" | "post" | "clock" | "log" | "onBug"> = {
    closing: {
      trust: () => {},
      inspect: () => Promise.reject(new Error("not ordered")),
      publish: () => Promise.reject(new Error("not ordered")),
      async annotate(asked) {
        written.push(clock.now() - EIGHT);
        if (clock.now() < awayUntil) throw new RecorderdError("STORAGE_OFFLINE", "The disk is not there.");
        return { kind: "annotated", recording: asked };
      },
    },
    recording: () => recording,
    post: async (occurrence) => void posted.push(occurrence),
    clock,
    log: silentLog,
    onBug: (error) => {
      throw error;
    },
  };
  const act = createActs(parts as ActParts, ended.signal);
  act({ kind: "annotate", recordingId: due.id });
  act({ kind: "annotate", recordingId: due.id });
  await clock.advanceTo(EIGHT + 10 * ENGINE_LIMITS.retryMsMax);
  expect(written).toEqual([0, 1, 2, 3].map((tries) => tries * ENGINE_LIMITS.retryMsMax));
  expect(posted).toEqual([{ kind: "annotated", recording: due }]);

  recording = { ...due };
  awayUntil = Number.POSITIVE_INFINITY;
  act({ kind: "annotate", recordingId: due.id });
  await clock.advanceTo(EIGHT + 11 * ENGINE_LIMITS.retryMsMax);
  ended.abort();
  await clock.advanceTo(EIGHT + 20 * ENGINE_LIMITS.retryMsMax);
  expect(written.length).toBeLessThan(8);
  expect(posted).toHaveLength(1);
});

it.each([
  ["adopt", []],
  ["attempt", ["r1.2"]],
] as const)(
  "R-04 the engine trusts only captures observed from their start: after the command %s it trusts %j",
  async (kind, expected) => {
    const trusted: string[] = [];
    const done: string[] = [];
    const parts = {
      capture: { watch: async () => ({ cause: "asked", text: "Stopped on request." }) },
      closing: { trust: (id: string) => void trusted.push(id) },
      drivers: new Map(),
      segmentFile: (id: string) => id,
      post: async ({ kind: occurred }: Occurrence) => void done.push(occurred),
      log: silentLog,
    };
    const act = createActs(parts as unknown as ActParts, new AbortController().signal);
    const about = { recordingId: "r1", attempt: 2, service: tripletOf(1) };
    act(
      kind === "adopt" ? { kind, ...about } : { kind, ...about, tunerId: "gone", channelName: "", endsBy: 0 },
    );
    await expect.poll(() => done).toEqual(["attempt-ended"]);
    expect(trusted).toEqual(expected);
  },
);

it.each([
  ["ends", RUNTIME_LIMITS.evictMs / 2],
  ["does not end", Number.POSITIVE_INFINITY],
])(
  "R-22 tuners are opened after an unknown capture, which may read them: one that %s",
  async (_, takesMs) => {
    const clock = createVirtualClock(EIGHT);
    const ended = new AbortController();
    const opened: number[] = [];
    const driver = {
      async open() {
        opened.push(clock.now() - EIGHT);
        throw new RecorderdError("TUNER_NO_LOCK", "No signal.");
      },
    };
    const parts = {
      capture: {
        stop: () =>
          takesMs === Number.POSITIVE_INFINITY ? new Promise(() => {}) : clock.sleep(takesMs, ended.signal),
      },
      closing: { trust: () => {} },
      drivers: new Map([["dvb1", driver]]),
      releases: new TunerReleases(clock),
      post: async () => {},
      segmentFile: (id: string) => id,
      ...{ clock, log: silentLog },
    };
    const act = createActs(parts as unknown as ActParts, ended.signal);
    const order = { recordingId: "r1", service: tripletOf(1), channelName: "", endsBy: EIGHT + HOUR };
    act({ kind: "end-stray", attemptId: "r42.1" });
    act({ kind: "attempt", attempt: 1, tunerId: "dvb1", ...order });
    await clock.advance(MINUTE);
    act({ kind: "attempt", attempt: 2, tunerId: "dvb1", ...order });
    await clock.advance(MINUTE);
    expect(opened).toEqual([Math.min(takesMs, RUNTIME_LIMITS.evictMs), MINUTE]);
  },
);
