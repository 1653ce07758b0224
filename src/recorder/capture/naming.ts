import { basename, dirname, join } from "node:path";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { RecordingId } from "../../model/recording.ts";
import { stemOf, workFolder } from "./files.ts";
import { madeFolder, type ShelfFs, syncFile } from "./files-fs.ts";
import { type NameFacts, type NameTemplate, nameOf, plainName } from "./name-template.ts";
import { type Ownership, own } from "./ownership.ts";
import { unless } from "./storage.ts";

const ENDING = ".ts";
const NAMES_MAX = 1000;
/** File systems say this of names they cannot write, such as those outside their character set. */
const NAME_REFUSED = ["EINVAL", "EILSEQ", "ENAMETOOLONG"];
/** A folder cannot be made: something else has its name, or there is no room for it. */
const FOLDER_REFUSED = [...NAME_REFUSED, "ENOTDIR", "EEXIST", "ENOSPC", "EDQUOT"];

export interface ReservedName {
  /** Absolute path. */
  readonly file: string;
  /** The file system refused the full name, and this one says less. */
  readonly substituted: boolean;
}

/** Finds each recording a name that no file and no other recording of this life of the daemon has. */
export interface Naming {
  /** The same one when asked again, until it is released. */
  reserve(facts: NameFacts): Promise<ReservedName>;
  /** Keeps a name that was reserved in an earlier life. */
  hold(id: RecordingId, file: string): void;
  release(id: RecordingId): void;
  /** Makes the folders of a file, and says what the system refused to make them. */
  makeFolders(file: string): Promise<readonly string[]>;
}

export function createNaming({
  root,
  template,
  ownership,
  fs,
}: {
  readonly root: string;
  readonly template: NameTemplate;
  readonly ownership: Ownership;
  readonly fs: ShelfFs;
}): Naming {
  const held = new Map<RecordingId, ReservedName>();
  /** One reservation at a time: what is free is looked up, then taken. */
  let reserving: Promise<unknown> = Promise.resolve();

  async function reserve(facts: NameFacts): Promise<ReservedName> {
    const earlier = held.get(facts.recordingId);
    if (earlier !== undefined) return earlier;
    await fs.mkdir(workFolder(root), { mode: 0o750 }).catch(unless("EEXIST"));
    const full = join(root, ...nameOf(template, facts)) + ENDING;
    const fits = (await areWritable(full)) && (await isFolderMade(full));
    const wanted = fits ? full : join(root, plainName(facts) + ENDING);
    const reserved = { file: await freeName(wanted), substituted: !fits };
    held.set(facts.recordingId, reserved);
    return reserved;
  }

  /** Whether the file system takes these names: it is tried, since nobody else knows. */
  async function areWritable(file: string): Promise<boolean> {
    for (const name of file.slice(root.length + 1).split("/")) {
      // Like no name of a file that is at work there.
      const trial = join(workFolder(root), `~${name}`);
      try {
        await (await fs.open(trial, "w", 0o640)).close();
      } catch (error) {
        if (NAME_REFUSED.includes(systemCode(error))) return false;
        throw error;
      }
      await fs.rm(trial, { force: true });
    }
    return true;
  }

  async function isFolderMade(file: string): Promise<boolean> {
    try {
      await makeFolders(file);
      return true;
    } catch (error) {
      if (FOLDER_REFUSED.includes(systemCode(error))) return false;
      throw error;
    }
  }

  async function makeFolders(file: string): Promise<readonly string[]> {
    const complaints: string[] = [];
    const names = dirname(file)
      .slice(root.length + 1)
      .split("/")
      .filter((name) => name !== "");
    let above = root;
    for (const name of names) {
      const folder = join(above, name);
      if (await madeFolder(folder, fs, ownership.folderMode)) {
        complaints.push(...(await own(folder, { ownership, mode: ownership.folderMode, fs })));
        await syncFile(above, fs);
      }
      above = folder;
    }
    return complaints;
  }

  async function freeName(wanted: string): Promise<string> {
    const others = [...held.values()].map(({ file }) => file);
    const inFolder = await fs.readdir(dirname(wanted));
    // NTFS and SMB do not tell upper from lower case. What lies beside a recording has its name too, with another ending.
    const taken = new Set([...others, ...inFolder.map((name) => join(dirname(wanted), name))].map(keyOf));
    const free = variants(wanted).find((file) => !taken.has(keyOf(file)));
    if (free === undefined) throw noneFree(wanted);
    return free;
  }

  return {
    reserve(facts) {
      const reserved = reserving.then(() => reserve(facts));
      reserving = reserved.catch(() => {});
      return reserved;
    },
    hold: (id, file) => {
      if (!held.has(id)) held.set(id, { file, substituted: false });
    },
    release: (id) => {
      held.delete(id);
    },
    makeFolders,
  };
}

function keyOf(file: string): string {
  return join(dirname(file), stemOf(file)).toLowerCase();
}

/** `News.ts`, `News (2).ts`, and so on. */
export function variants(file: string): readonly string[] {
  const stem = join(dirname(file), basename(file, ENDING));
  return Array.from({ length: NAMES_MAX }, (_, index) =>
    index === 0 ? file : `${stem} (${index + 1})${ENDING}`,
  );
}

export function noneFree(file: string): RecorderdError {
  const message = `There are ${NAMES_MAX} files named ${file} already: move some of them away.`;
  return new RecorderdError("WRITE_FAILED", message, { file });
}

/** Remembers on the disk itself that a recording goes by another name than the one it was promised: by an empty file's name. */
export async function noteVariant(
  { id, number, work }: { readonly id: RecordingId; readonly number: number; readonly work: string },
  fs: ShelfFs,
): Promise<void> {
  await (await fs.open(join(work, `${id}.${number}.name`), "w", 0o640)).close();
  await syncFile(work, fs);
}

/** The number of the variant that was noted last; 1 where none was. */
export async function notedVariant(id: RecordingId, work: string, fs: ShelfFs): Promise<number> {
  const entries = await fs.readdir(work).catch((error: unknown) => {
    unless("ENOENT")(error);
    return [];
  });
  const numbers = entries.map((entry) => Number(entry.match(noteOf(id))?.[1] ?? 1));
  return Math.max(1, ...numbers);
}

function noteOf(id: RecordingId): RegExp {
  return new RegExp(`^${id}\\.(\\d+)\\.name$`);
}
