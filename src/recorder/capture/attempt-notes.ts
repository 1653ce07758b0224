import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readFile, writeFile } from "../../kit/files/steady-fs.ts";
import type { Log } from "../../kit/log.ts";
import type { AttemptNote, AttemptNotes } from "../../model/attempt.ts";
import { attemptNoteFile, NOTE_ENDING, segmentFile, workFolder } from "./files.ts";

const Id = z.int().min(0).max(0xffff);
const Note = z.object({
  timerId: z.string(),
  service: z.object({ onid: Id, tsid: Id, sid: Id }),
  tunerId: z.string(),
  startedAt: z.int(),
  boot: z.string().exactOptional(),
});

/** Notes beside the segments in a folder of recordings. */
export function createAttemptNotes(folder: string, log: Log): AttemptNotes {
  return {
    keep: async (attemptId, note) => {
      await writeNote(segmentFile(folder, attemptId), JSON.stringify(note), { attempt: attemptId, log });
    },
    all: async () => {
      const work = workFolder(folder);
      const names = await readdir(work).catch(() => []);
      const found = new Map<string, AttemptNote>();
      for (const name of names.filter((each) => each.endsWith(NOTE_ENDING))) {
        const note = await read(join(work, name));
        if (note !== undefined) found.set(name.slice(0, -NOTE_ENDING.length), note);
      }
      return found;
    },
  };
}

/** Writes the note beside a segment. Never rejects. */
export async function writeNote(
  segment: string,
  text: string,
  { attempt, log }: { readonly attempt: string; readonly log: Log },
): Promise<void> {
  // Nothing waits until it is on the disk: it is for a document that is older than the capture.
  await writeFile(attemptNoteFile(segment), text, { mode: 0o640 }).catch((error: unknown) => {
    log.warn("the note of an attempt cannot be written", { attempt, text: String(error) });
  });
}

/** `undefined` if it cannot be read: then nobody takes the attempt up again. */
async function read(file: string): Promise<AttemptNote | undefined> {
  try {
    return Note.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}
