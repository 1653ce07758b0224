import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { Turns } from "../../../../src/kit/time/turns.ts";
import { type Attempt, attemptId } from "../../../../src/model/attempt.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { MINUTE } from "../../../../src/model/time.ts";
import { attemptNoteFile, copyMark, logFile, segmentFile } from "../../../../src/recorder/capture/files.ts";
import { Collector } from "../../../../src/recorder/fleet/files/collector.ts";
import { requestPath } from "../../../../src/recorder/fleet/files/held-file.ts";
import { type PartHolder, waitForParts } from "../../../../src/recorder/fleet/files/missing-parts.ts";
import { NODE_LIMITS } from "../../../../src/recorder/fleet/limits.ts";
import { ATTEMPT, LOG, segmentWith, type TwoDisks, twoDisks } from "./two-disks.ts";

const never = new AbortController().signal;
const NOTHING = { running: [], ended: [], notes: {} };

function collectorOf({ source, hereFolder, drop }: TwoDisks, turns = new Map<string, Turns>()): Collector {
  return new Collector({
    ...{ node: "attic", source, turns, clock: systemClock(), log: LOG },
    segmentFile: (id) => segmentFile(hereFolder, id),
    drop: (id) => drop(requestPath({ kind: "segment", id })),
  });
}

async function isThere(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

it("a segment comes with its log and its note, and the node need not keep it", async () => {
  await using disks = await twoDisks();
  const { here, there, running } = disks;
  running.add(ATTEMPT);
  const content = await segmentWith(there, 100_000);
  const collector = collectorOf(disks);
  await collector.greeted({ running: [ATTEMPT], ended: [], notes: { [ATTEMPT]: "note" } });
  expect(await readFile(attemptNoteFile(here), "utf8")).toBe("note");
  running.delete(ATTEMPT);
  await collector.arrived(ATTEMPT);
  expect((await readFile(here)).equals(content)).toBe(true);
  expect(await readFile(logFile(here), "utf8")).toBe("the log\n");
  expect([await isThere(there), await isThere(logFile(there))]).toEqual([false, false]);
});

it("segments that have ended come when the leader knows which ones it needs, and others stay on the node", async () => {
  await using disks = await twoDisks();
  const other = "r2.1";
  await segmentWith(disks.there, 1000);
  await segmentWith(segmentFile(disks.thereFolder, other), 1000);
  const collector = collectorOf(disks);
  await collector.greeted({ ...NOTHING, ended: [ATTEMPT, other] });
  await collector.arrived(ATTEMPT);
  expect(disks.asked).toEqual([]);
  collector.begin((id) => id === ATTEMPT);
  await collector.arrived(ATTEMPT);
  expect(await isThere(disks.here)).toBe(true);
  expect(await isThere(segmentFile(disks.hereFolder, other))).toBe(false);
  expect(await isThere(segmentFile(disks.thereFolder, other))).toBe(true);
});

it("of two nodes with one segment, the longer one is here in the end, and neither keeps it", async () => {
  await using origin = await twoDisks();
  const content = await segmentWith(origin.there, 3_000_000);
  await using deputy = await twoDisks();
  await writeFile(deputy.there, content.subarray(0, 1_000_000));
  const turns = new Map<string, Turns>();
  const both = [origin, deputy].map((disks) =>
    collectorOf({ ...disks, hereFolder: origin.hereFolder }, turns),
  );
  for (const collector of both) {
    await collector.greeted({ ...NOTHING, ended: [ATTEMPT] });
    collector.begin(() => true);
  }
  for (const collector of both) await collector.arrived(ATTEMPT);
  expect((await readFile(origin.here)).equals(content)).toBe(true);
  expect([await isThere(origin.there), await isThere(deputy.there)]).toEqual([false, false]);
});

it("a segment that cannot be written here stays on the node", async () => {
  await using disks = await twoDisks();
  await segmentWith(disks.there, 1000);
  await symlink("/dev/full", disks.here);
  await writeFile(copyMark(disks.here), "attic\n");
  const collector = collectorOf(disks);
  await collector.greeted({ ...NOTHING, ended: [ATTEMPT] });
  collector.begin(() => true);
  await expect(collector.arrived(ATTEMPT)).rejects.toMatchObject({ code: "WRITE_FAILED" });
  expect(await isThere(disks.there)).toBe(true);
  collector.broken();
});

function recording(flowed: readonly boolean[], endedAgoMs = 0) {
  const attempts = flowed.map((flows, index) => ({
    number: index + 1,
    ...(flows ? { flowingAt: 1 } : {}),
    ...{ tunerId: "sim", startedAt: 0 },
  })) as readonly Attempt[];
  const window = { start: 0, stop: Date.now() - endedAgoMs };
  return { id: "r1", attempts, window } as Pick<Recording, "id" | "attempts" | "window">;
}

async function waited(
  { hereFolder }: TwoDisks,
  { id, attempts, window }: ReturnType<typeof recording>,
  holders: readonly PartHolder[],
): Promise<string> {
  const parts = {
    segmentFile: (attempt: string) => segmentFile(hereFolder, attempt),
    holders: () => holders,
    now: () => Date.now(),
  };
  return await waitForParts({ id, attempts, window }, parts, never).then(
    () => "all here",
    (error: Error) => error.message,
  );
}

const AWAY = { name: "attic", keeps: true } as const;
const EMPTY = { name: "attic", keeps: false } as const;

it("a recording waits for a node that is away and has a part of it", async () => {
  await using disks = await twoDisks();
  expect(await waited(disks, recording([true]), [AWAY])).toContain("attic");
  expect(await waited(disks, recording([true]), [EMPTY])).toBe("all here");
  expect(await waited(disks, recording([false]), [AWAY])).toBe("all here");
  await segmentWith(segmentFile(disks.hereFolder, attemptId("r1", 1)), 10);
  expect(await waited(disks, recording([true]), [AWAY])).toBe("all here");
  expect(await waited(disks, recording([true, true]), [AWAY])).toContain("attic");
});

it("a recording waits only for a while for the rest of a part, and not for a node that is forgotten", async () => {
  await using disks = await twoDisks();
  const part = segmentFile(disks.hereFolder, attemptId("r1", 1));
  await segmentWith(part, 10);
  await writeFile(copyMark(part), "attic\n");
  expect(await waited(disks, recording([true]), [EMPTY])).toContain("attic");
  expect(await waited(disks, recording([true], NODE_LIMITS.restMs + MINUTE), [EMPTY])).toBe("all here");
  expect(dirname(part)).toContain("cellar");
  expect(await waited(disks, recording([true]), [])).toBe("all here");
});
