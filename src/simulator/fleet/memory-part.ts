import type { PartRecording } from "../../recorder/fleet/node-protocol.ts";
import type { PartStore } from "../../recorder/fleet/part-file.ts";

/** A node's part of the plan on a simulated disk. */
export class MemoryPart implements PartStore {
  current: readonly PartRecording[] = [];

  async keep(recordings: readonly PartRecording[]): Promise<void> {
    this.current = recordings;
  }
}
