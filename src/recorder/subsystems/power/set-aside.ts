import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DurableFile } from "../../../kit/files/durable-file.ts";
import { open } from "../../../kit/files/steady-fs.ts";
import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import {
  isSetAside,
  type SetAside,
  setAsideNow,
  starvedBy,
  WORK_KINDS,
  type Work,
  type WorkKind,
  workLine,
  workOf,
} from "../../../model/set-aside.ts";
import { type EpochMs, SECOND } from "../../../model/time.ts";

/** Work that starved the event loop in earlier runs of the daemon. */
export interface SetAsideDesk {
  readonly current: readonly SetAside[];
  isSetAside(work: Work): boolean;
}

/** Written by the watcher of the loop (kit/machine/loop-watch.ts), read at the next start. */
export function starvationNote(folder: string): string {
  return join(folder, "starved");
}

/** ECMAScript has no later instant. */
const Instant = z.int().min(0).max(8.64e15);

const Stored = z.array(
  z.object({
    kind: z.enum(Object.keys(WORK_KINDS) as [WorkKind, ...WorkKind[]]),
    subject: z.string(),
    at: Instant,
    times: z.int().min(1),
    until: Instant,
  }),
);

const NOTE_BYTES_MAX = 1024;

/**
 * Reads the list of set-aside work and adds the work that ended the earlier run. If the data folder cannot be
 * written, the note stays and is read again.
 */
export async function openSetAside(
  folder: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<SetAsideDesk> {
  const file = fileOf(folder);
  let list = await stored(file, log);
  const note = await readNote(starvationNote(folder));
  if (note !== undefined) {
    if (note.work !== undefined) list = starvedBy(list, note.work, note.at);
    const work = note.work === undefined ? "unknown" : workLine(note.work);
    const instead = note.work === undefined ? "Nothing is set aside." : WORK_KINDS[note.work.kind];
    const at = new Date(note.at).toISOString();
    log.error("work blocked the event loop in the previous run of the daemon", { at, work, instead });
    try {
      await file.replace(JSON.stringify(list));
      await rm(starvationNote(folder), { force: true });
    } catch (error) {
      log.error("the set-aside work cannot be stored", { text: String(error) });
    }
  }
  return {
    get current() {
      return list.length === 0 ? list : setAsideNow(list, clock.now());
    },
    isSetAside: (work) => list.length > 0 && isSetAside(list, work, clock.now()),
  };
}

/**
 * Reads the set-aside work for other programs than the daemon. @throws RecorderdError FILE_UNREADABLE or
 * STORE_DAMAGED
 */
export async function readSetAside(folder: string, now: EpochMs): Promise<readonly SetAside[]> {
  return setAsideNow((await fileOf(folder).read(parsed))?.value ?? [], now);
}

function fileOf(folder: string): DurableFile {
  return new DurableFile({ file: join(folder, "set-aside.json"), keepsPrevious: false });
}

function parsed(text: string): readonly SetAside[] {
  return Stored.parse(JSON.parse(text));
}

/** An unreadable list counts as empty: its work starves the loop once more, and is found again. */
async function stored(file: DurableFile, log: Log): Promise<readonly SetAside[]> {
  try {
    return (await file.read(parsed))?.value ?? [];
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    log.warn("the list of set-aside work cannot be read and is dropped", { text: error.message });
    return [];
  }
}

async function readNote(file: string): Promise<{ readonly at: number; readonly work?: Work } | undefined> {
  try {
    await using handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(NOTE_BYTES_MAX), 0, NOTE_BYTES_MAX, 0);
    const [second = "", line = ""] = buffer.toString("utf8", 0, bytesRead).split("\n");
    const work = workOf(line);
    const at = /^\d{1,11}$/.test(second) ? Number(second) * SECOND : (await handle.stat()).mtimeMs;
    return work === undefined ? { at } : { at, work };
  } catch {
    // The note is missing or unreadable: nothing is known about the earlier run.
    return undefined;
  }
}
