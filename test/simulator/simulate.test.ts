import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { silentLog } from "../../src/kit/log.ts";
import { type Clock, systemClock, whenAtBy } from "../../src/kit/time/clock.ts";
import { type DurationMs, SECOND } from "../../src/model/time.ts";
import { simulate } from "../../src/simulator/simulate.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { shareClip } from "./air.ts";

const REAL = systemClock();

/** The system's clock, which can skip time: like a machine on which something takes long. */
function skippingClock(): Clock & { skip(ms: DurationMs): void } {
  let skippedMs = 0;
  const now = () => REAL.now() + skippedMs;
  return {
    ...REAL,
    now,
    monotonicMs: () => REAL.monotonicMs() + skippedMs,
    whenAt: whenAtBy({ now, after: REAL.after }),
    skip: (ms) => {
      skippedMs += ms;
    },
  };
}

/** Simulates until `onLine` aborts. */
async function simulated(
  folder: string,
  clock: Clock,
  onLine: (line: string, end: () => void) => void,
): Promise<void> {
  const over = new AbortController();
  const options = { folder, seconds: 1, channels: 1, recordings: 1, wire: "json" } as const;
  const progress = (line: string) => onLine(line, () => over.abort(new Error("seen enough")));
  await simulate(options, { clock, log: silentLog, signal: over.signal, progress }).catch((error) => {
    if (error !== over.signal.reason) throw error;
  });
}

it("a simulation says what it prepares before it does, because that takes long on a busy machine", async () => {
  await using folder = await temporaryFolder();
  const seen: unknown[] = [];
  await simulated(folder.path, REAL, (line, end) => {
    seen.push([line.split(" ", 1)[0], readdirSync(folder.path).sort()]);
    end();
  });
  expect(seen[0]).toEqual(["preparing", ["daemon", "recordings"]]);
});

it("a simulated show begins later if the recorder took long to start", async () => {
  await using folder = await temporaryFolder();
  await shareClip(folder.path);
  const clock = skippingClock();
  const startMs = 40 * SECOND;
  let leadMs = 0;
  await simulated(folder.path, clock, (line, end) => {
    if (line.startsWith("recorder ")) clock.skip(startMs);
    const [, hours, minutes, seconds = 0] = /(\d\d):(\d\d)(?::(\d\d))? UTC/.exec(line) ?? [];
    if (hours === undefined) return;
    const now = new Date(clock.now());
    const at = new Date(now).setUTCHours(Number(hours), Number(minutes), Number(seconds), 0);
    leadMs = (at - now.getTime() + 86_400_000) % 86_400_000;
    end();
  });
  // The preparation of a recording may take as long again.
  expect(leadMs).toBeGreaterThan(startMs);
});
