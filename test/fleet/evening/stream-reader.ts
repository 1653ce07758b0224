import { readFile } from "node:fs/promises";
import { type DurationMs, type EpochMs, SECOND } from "../../../src/model/time.ts";
import type { Window } from "../../../src/model/window.ts";

const PACKET_BYTES = 188;
const TICKS_PER_MS = 90;
const WRAP_MS = 2 ** 33 / TICKS_PER_MS;
/** The simulated broadcaster sends a PCR every 32 ms, and its clock is UTC. */
const STEP_MS = 32;

/** A recording as it is on the disk, read without the product's own code. */
export interface StreamFound {
  /** Parts without a break, by the broadcaster's clock. */
  readonly parts: readonly Window[];
  /** Packets of picture and sound whose number does not follow, within a part. */
  readonly lost: readonly EpochMs[];
  /** Instants that follow later ones: something is in the file twice. */
  readonly repeats: readonly EpochMs[];
  /** Bytes that are no packet. */
  readonly junkBytes: number;
}

/** @param near an instant of the recording: the clock of the stream begins again each day */
export async function readStream(
  file: string,
  { near, picture, sound }: { readonly near: EpochMs; readonly picture: number; readonly sound: number },
): Promise<StreamFound> {
  const bytes = await readFile(file);
  const parts: { start: EpochMs; stop: EpochMs }[] = [];
  const repeats: EpochMs[] = [];
  const breaks: { readonly after: number; readonly at: EpochMs }[] = [];
  const counters = new Map<number, number>();
  /** In this part: the first packet behind a hole follows none. */
  const seen = new Set<number>();
  let clocks = 0;
  let junkBytes = 0;
  /** Number of the clock before each break of parts: errors there are the gap's. */
  const seams = new Set<number>([0]);
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    if (bytes[at] !== 0x47 || at + PACKET_BYTES > bytes.length) {
      junkBytes += 1;
      at += 1 - PACKET_BYTES;
      continue;
    }
    const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
    if (pid !== picture && pid !== sound) continue;
    const control = bytes[at + 3] ?? 0;
    const last = parts.at(-1);
    if ((control & 0x10) !== 0) {
      const counter = control & 0x0f;
      const before = counters.get(pid);
      counters.set(pid, counter);
      if (before !== undefined && seen.has(pid) && counter !== ((before + 1) & 0x0f))
        breaks.push({ after: clocks, at: last?.stop ?? 0 });
      seen.add(pid);
    }
    const hasClock =
      (control & 0x20) !== 0 && (bytes[at + 4] ?? 0) > 6 && ((bytes[at + 5] ?? 0) & 0x10) !== 0;
    if (!hasClock) continue;
    const ticks = bytes.readUInt32BE(at + 6) * 2 + ((bytes[at + 10] ?? 0) >> 7);
    const now = nearest(ticks / TICKS_PER_MS, last?.stop ?? near);
    if (last !== undefined && now <= last.stop) repeats.push(now);
    if (last === undefined || now <= last.stop || now - last.stop > 1.5 * STEP_MS) {
      seams.add(clocks);
      seen.clear();
      parts.push({ start: now, stop: now });
    } else last.stop = now;
    clocks += 1;
  }
  const lost = breaks.filter(({ after }) => !seams.has(after)).map(({ at }) => at);
  return { parts, lost, repeats, junkBytes };
}

/** The instant that the clock shows, as near as possible to another one. */
function nearest(clockMs: DurationMs, near: EpochMs): EpochMs {
  return clockMs + Math.round((near - clockMs) / WRAP_MS) * WRAP_MS;
}

/** The holes of a window. */
export function holesIn({ start, stop }: Window, parts: readonly Window[]): readonly Window[] {
  const holes: Window[] = [];
  let from = start;
  for (const part of parts) {
    if (part.start - from > SECOND / 10 && from < stop)
      holes.push({ start: from, stop: Math.min(part.start, stop) });
    from = Math.max(from, part.stop);
  }
  if (stop - from > SECOND / 10) holes.push({ start: from, stop });
  return holes;
}
