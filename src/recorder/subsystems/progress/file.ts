import { z } from "zod";
import type { Log } from "../../../kit/log.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { StateStore } from "../../store/state-store.ts";
import { verifyChecksum, withChecksum } from "../../store/summed-text.ts";
import type { Positions } from "./positions.ts";

const VERSION = 1;
const Seconds = z.number().min(0);
const Stored = z.looseObject({
  schemaVersion: z.literal(VERSION),
  viewers: z.array(
    z.object({
      viewer: z.string(),
      positions: z.array(
        z.object({
          recordingId: z.string(),
          seconds: Seconds,
          durationSeconds: Seconds,
          isFinished: z.boolean(),
          at: z.number(),
        }),
      ),
    }),
  ),
});

/** The file of the positions. */
export interface ProgressFile {
  /** A file that cannot be read counts as empty: no resume position is worth a recording. */
  read(): Promise<Positions>;
  /** @throws RecorderdError DISK_FULL or WRITE_FAILED */
  write(positions: Positions): Promise<void>;
}

export function progressFile(state: Pick<StateStore, "text">, log: Log): ProgressFile {
  const file = state.text("progress");
  return {
    read: async () => {
      try {
        return (await file.read(parsed))?.value ?? new Map();
      } catch (error) {
        if (!(error instanceof RecorderdError)) throw error;
        log.warn("the resume positions cannot be read and are dropped", { text: error.message });
        return new Map();
      }
    },
    write: (positions) => file.replace(withChecksum([textOf(positions)])),
  };
}

function textOf(positions: Positions): string {
  const viewers = [...positions].map(([viewer, own]) => ({
    viewer,
    positions: [...own].map(([recordingId, progress]) => ({ recordingId, ...progress })),
  }));
  return JSON.stringify({ schemaVersion: VERSION, viewers } satisfies z.input<typeof Stored>);
}

/** @throws Error if the text is damaged */
function parsed(text: string): Positions {
  if (!verifyChecksum(text)) throw new Error("it has no checksum");
  const { viewers } = Stored.parse(JSON.parse(text));
  return new Map(
    viewers.map(({ viewer, positions }) => [
      viewer,
      new Map(positions.map(({ recordingId, ...progress }) => [recordingId, progress])),
    ]),
  );
}
