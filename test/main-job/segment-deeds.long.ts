import { createHash } from "node:crypto";
import { open, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { attemptId } from "../../src/model/attempt.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { lengthMs } from "../../src/model/window.ts";
import { segmentFile } from "../../src/recorder/capture/files.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { IS_LONG } from "../lane.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

const EVENT_MS = 16 * SECOND;
/** A shorter interval than the daemon's four seconds, so that the test waits no longer than it must. */
const LIMITS = { captureNameMs: SECOND };
/** From a deed to the end of the attempt, on a busy machine; and from there to the first packet of the next one. */
const NOTICED_MS = 5 * SECOND;
const BACK_MS = 4 * SECOND;
const clock = systemClock();

interface Deed {
  readonly what: string;
  readonly act: (file: string) => Promise<unknown>;
  /** The cause with which the attempt ends; absent: the attempt goes on. */
  readonly cause?: string;
  /** Whether the result includes the packets recorded before the deed. */
  readonly keepsBefore: boolean;
}

const DEEDS: readonly Deed[] = [
  { what: "cut to nothing", act: (file) => truncate(file), cause: "FILE_CHANGED", keepsBefore: false },
  {
    what: "cut to a half",
    act: async (file) => truncate(file, (await stat(file)).size / 2),
    cause: "FILE_CHANGED",
    keepsBefore: true,
  },
  { what: "removed", act: (file) => rm(file), cause: "WRITE_FAILED", keepsBefore: false },
  { what: "renamed", act: (file) => rename(file, `${file}.mine`), cause: "WRITE_FAILED", keepsBefore: false },
  { what: "replaced", act: putAnother, cause: "FILE_REPLACED", keepsBefore: false },
  { what: "overwritten", act: overwrite, keepsBefore: true },
];

/** Another one's, of the same length and with the payload of the same service. */
async function putAnother(file: string): Promise<void> {
  await writeFile(`${file}.theirs`, await readFile(file));
  await rename(`${file}.theirs`, file);
}

/** A hundred packets in a part that was read long ago. */
async function overwrite(file: string): Promise<void> {
  await using handle = await open(file, "r+");
  await handle.write(Buffer.alloc(188 * 100, 1), 0, 188 * 100, 188 * 1000);
}

describe.each(IS_LONG ? (["host", "ffmpeg"] as const) : (["host"] as const))(
  "a growing segment changed by another program, %s",
  (engine) => {
    const things: AsyncDisposable[] = [];
    const ends = new Map<
      string,
      { readonly recording: Recording; readonly doneAt: number; readonly segment: string }
    >();
    let recordings = "";

    beforeAll(async () => {
      const folder = await temporaryFolder();
      const home = await testWorld(folder.path, 8);
      const tuners = simTuners(home, 6, 20 * SECOND);
      const recorder = await inProcess(folder.path, home, { tuners, limits: LIMITS, capture: { engine } });
      things.push(folder, home, recorder);
      recordings = recorder.recordings;
      const start = soon() + 2 * SECOND;
      const run = async ({ what, act }: Deed, index: number) => {
        const show = { channel: index + 1, title: what, start, durationMs: EVENT_MS };
        const timerId = await home.world.book(show, home.deviceId);
        const { id } = await recorder.until(timerId, ({ state }) => state === "recording");
        const segment = segmentFile(recordings, attemptId(id, 1));
        await pause(Math.max(0, start + 6 * SECOND - clock.now()));
        await act(segment);
        const doneAt = clock.now();
        ends.set(what, {
          recording: await recorder.until(
            timerId,
            ({ state, sidecarDue }) => isTerminal(state) && sidecarDue !== true,
          ),
          doneAt,
          segment,
        });
      };
      await Promise.all(DEEDS.map(run));
    }, 120_000);
    afterAll(async () => {
      for (const each of things.toReversed()) await each[Symbol.asyncDispose]();
    });

    function endOf(what: string) {
      const end = ends.get(what);
      if (end === undefined) throw new Error(`${what} did not end`);
      return end;
    }

    it.each(DEEDS)(
      "R-06 $what: detected within seconds, and a new attempt records the rest",
      ({ what, cause, keepsBefore }) => {
        const { recording, doneAt } = endOf(what);
        const [first, second] = recording.attempts;
        if (cause === undefined) return expect(recording.attempts).toHaveLength(1);
        expect(first).toMatchObject({ cause });
        expect((first?.endedAt ?? Number.POSITIVE_INFINITY) - doneAt).toBeLessThan(NOTICED_MS);
        expect(second).toMatchObject({ cause: "asked" });
        expect((second?.flowingAt ?? Number.POSITIVE_INFINITY) - (first?.endedAt ?? 0)).toBeLessThan(BACK_MS);
        expect(recording.evidence?.kept).toEqual(keepsBefore ? [1, 2] : [2]);
        const missedMs = (recording.evidence?.eventMs ?? 0) - (recording.evidence?.eventCoveredMs ?? 0);
        expect(missedMs).toBeLessThan(NOTICED_MS + BACK_MS + (keepsBefore ? 4 : 7) * SECOND);
        expect(recording.evidence?.verdict).not.toBe("perfect");
      },
    );

    it.each(DEEDS)("R-28 $what: evidence, sidecar and file describe the same bytes", async ({ what }) => {
      const { evidence } = endOf(what).recording;
      const file = evidence?.file ?? "";
      const bytes = await readFile(file);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const sidecar = JSON.parse(await readFile(file.replace(/\.ts$/, ".json"), "utf8"));
      expect(evidence).toMatchObject({ bytes: bytes.length, sha256 });
      expect(sidecar.file).toMatchObject({ bytes: bytes.length, sha256 });
      await using inspection = openInspection(file, endOf(what).recording.service);
      const found = await inspection.advance(new AbortController().signal);
      expect([found.damagedPackets, found.junkBytes]).toEqual([
        evidence?.damagedPackets,
        evidence?.junkBytes,
      ]);
      // The packets behind the event's coverage flowed, as the file's own clock says.
      const flowedMs = found.spans.reduce((sum, span) => sum + lengthMs(span), 0);
      expect(evidence?.eventCoveredMs ?? 0).toBeLessThan(flowedMs + 500);
    });

    it("R-29 replaced: the foreign file stays in its place", async () => {
      const { segment, recording } = endOf("replaced");
      expect(recording.evidence?.foreign).toEqual([1]);
      expect((await stat(segment)).size).toBeGreaterThan(0);
    });
  },
);
