import { symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Triplet } from "../../src/model/service.ts";
import { type EpochMs, MINUTE } from "../../src/model/time.ts";
import { type Broadcaster, startBroadcaster } from "../../src/simulator/broadcaster/broadcaster.ts";
import { type Clip, loadClip } from "../../src/simulator/broadcaster/clip.ts";
import type { Schedule } from "../../src/simulator/broadcaster/present-following.ts";
import type { ScheduledEvent } from "../../src/simulator/broadcaster/tables.ts";
import { outOfPatience } from "../patience.ts";

/** Keeps the clip, which is made once for all tests of all runs. */
export const CLIP_FOLDER = resolve(import.meta.dirname, "../../node_modules/.cache/recorderd-clips");

/** Lets a program that keeps its clip in a folder use this one. */
export async function shareClip(folder: string): Promise<void> {
  await testClip();
  await symlink(CLIP_FOLDER, join(folder, "clip"));
}

export function testClip(): Promise<Clip> {
  return loadClip({ folder: CLIP_FOLDER, signal: outOfPatience() });
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

/** Puts services on the air, each named by its id, with a new event each minute. */
export async function broadcast(services: readonly Triplet[]): Promise<Broadcaster> {
  return startBroadcaster({
    services: services.map((triplet) => ({ triplet, name: `Service ${triplet.sid}` })),
    clip: await testClip(),
    schedule: everyMinute,
    clock: systemClock(),
    log: silentLog,
  });
}
