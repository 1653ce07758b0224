import { expect, it } from "vitest";
import type { RecordingState } from "../../../../../src/model/recording.ts";
import type { Snapshot } from "../../../../../src/model/snapshot.ts";
import { HOUR } from "../../../../../src/model/time.ts";
import { statusLine } from "../../../../../src/recorder/subsystems/power/core/status-line.ts";

const EIGHT = Date.UTC(2026, 10, 21, 20);

function snapshot(recordings: readonly (readonly [string, RecordingState, number])[], more = {}): Snapshot {
  return {
    clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
    guide: { signInNeeded: false, reportsWaiting: 0 },
    recordings: recordings.map(([name, state, start]) => ({
      name,
      state,
      window: { start, stop: start + HOUR },
    })),
    ...more,
  } as unknown as Snapshot;
}

it.each([
  ["an idle recorder", snapshot([]), "recording nothing"],
  [
    "the next recording",
    snapshot([
      ["B", "planned", EIGHT + HOUR],
      ["A", "conflicted", EIGHT],
      ["C", "completed", EIGHT - HOUR],
    ]),
    "recording nothing; next “A” at 2026-11-21 20:00 UTC",
  ],
  [
    "three of many recordings",
    snapshot(["A", "B", "C", "D", "E"].map((name) => [name, "recording", EIGHT] as const)),
    "recording “A”, “B”, “C”, 2 more",
  ],
  [
    "problems first",
    snapshot([["A", "recording", EIGHT]], {
      store: { since: 0, code: "DISK_FULL", text: "" },
      guide: { signInNeeded: true, reportsWaiting: 0 },
    }),
    "ALARM: the data folder is not writable (DISK_FULL); sign-in needed: recorderd login; recording “A”",
  ],
])("the status line shows %s", (_what, given, line) => {
  expect(statusLine(given)).toBe(line);
});
