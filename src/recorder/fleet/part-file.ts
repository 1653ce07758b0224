import { join } from "node:path";
import { z } from "zod";
import { DurableFile } from "../../kit/files/durable-file.ts";
import type { Log } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import { PartRecording } from "./node-protocol.ts";

/** This node's part of the plan, for the time without a leader. */
export interface PartStore {
  readonly current: readonly PartRecording[];
  /** Never rejects: a node that cannot store its part carries it out until it ends. */
  keep(recordings: readonly PartRecording[]): Promise<void>;
}

const Part = z.array(PartRecording);

/** The part in a data folder. An unreadable one counts as none: the leader sends it again. */
export async function openPartFile(dataFolder: string, log: Log): Promise<PartStore> {
  const file = new DurableFile({ file: join(dataFolder, "part.json"), keepsPrevious: false });
  const failed = (error: unknown) => {
    if (!(error instanceof RecorderdError)) throw error;
    log.warn("the part of the plan for the time without a leader cannot be kept", { text: error.message });
  };
  const stored = await file.read((text) => Part.parse(JSON.parse(text))).catch(failed);
  let current: readonly PartRecording[] = stored?.value ?? [];
  return {
    get current() {
      return current;
    },
    keep: async (recordings) => {
      current = recordings;
      await file.replace(JSON.stringify(recordings)).catch(failed);
    },
  };
}
