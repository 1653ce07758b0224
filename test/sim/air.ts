import { resolve } from "node:path";
import { type EpochMs, MINUTE } from "../../src/model/time.ts";
import { type Clip, loadClip } from "../../src/sim/broadcaster/clip.ts";
import type { Schedule } from "../../src/sim/broadcaster/present-following.ts";
import type { ScheduledEvent } from "../../src/sim/broadcaster/tables.ts";

/** Made once, for all tests of all runs. */
export function testClip(): Promise<Clip> {
  const folder = resolve(import.meta.dirname, "../../node_modules/.cache/recorderd-clips");
  return loadClip({ folder, signal: AbortSignal.timeout(30_000) });
}

/** A new event each minute. */
export const everyMinute: Schedule = (_service, at) => {
  const index = Math.floor(at / MINUTE);
  return { present: minuteEvent(index), following: minuteEvent(index + 1) };
};

export function minuteEvent(index: number): ScheduledEvent {
  const start: EpochMs = index * MINUTE;
  return {
    eventId: index % 0x10000,
    start,
    durationMs: MINUTE,
    title: `Sendung ${index}: Größe`,
    text: "Was kommt\nund geht",
  };
}
