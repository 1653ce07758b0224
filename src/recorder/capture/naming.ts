import { basename, dirname, join } from "node:path";
import { systemCode } from "../../kit/machine/system-code.ts";
import { Turns } from "../../kit/time/turns.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { RecordingId } from "../../model/recording.ts";
import { stemOf, workFolder } from "./files.ts";
import { madeFolder, type RecordingFs, syncFile } from "./files-fs.ts";
import { type NameFacts, type NameTemplate, nameOf, plainName } from "./name-template.ts";
import { applyOwnership, type Ownership } from "./ownership.ts";
import { ignoring } from "./storage.ts";

const ENDING = ".ts";
const NAMES_MAX = 1000;
/** Errors of file systems for names that they cannot write, such as those outside their character set. */
const NAME_REFUSED = ["EINVAL", "EILSEQ", "ENAMETOOLONG"];
/** Errors for a folder that cannot be created: its name is taken, or there is no room. */
const FOLDER_REFUSED = [...NAME_REFUSED, "ENOTDIR", "EEXIST", "ENOSPC", "EDQUOT"];

export interface ReservedName {
  /** Absolute path. */
  readonly file: string;
  /** The file system refused the full name; this is a simpler one. */
  readonly substituted: boolean;
}

/** Gives each recording a name that no file and no other recording since the daemon's start has. */
export interface Naming {
  /** Returns the same name until it is released. */
  reserve(facts: NameFacts): Promise<ReservedName>;
  /** Reserves a name from an earlier run. */
  restore(id: RecordingId, file: string): void;
  release(id: RecordingId): void;
  /** Creates the folders of a file. @returns what the system refused, in sentences */
  makeFolders(file: string): Promise<readonly string[]>;
}

export function createNaming({
  root,
  template,
  ownership,
  fs,
  elsewhere = () => [],
}: {
  readonly root: string;
  readonly template: NameTemplate;
  readonly ownership: Ownership;
  readonly fs: RecordingFs;
  readonly elsewhere?: (() => readonly string[]) | undefined;
}): Naming {
  const reservedNames = new Map<RecordingId, ReservedName>();
  /** Serializes reservations: a free name is looked up, then taken. */
  const reservations = new Turns();

  async function reserve(facts: NameFacts): Promise<ReservedName> {
    const earlier = reservedNames.get(facts.recordingId);
    if (earlier !== undefined) return earlier;
    await fs.mkdir(workFolder(root), { mode: 0o750 }).catch(ignoring("EEXIST"));
    const full = join(root, ...nameOf(template, facts)) + ENDING;
    const fits = (await areWritable(full)) && (await isFolderMade(full));
    const wanted = fits ? full : join(root, plainName(facts) + ENDING);
    const reserved = { file: await freeName(wanted), substituted: !fits };
    reservedNames.set(facts.recordingId, reserved);
    return reserved;
  }

  /** Tries whether the file system accepts these names; there is no other way to know. */
  async function areWritable(file: string): Promise<boolean> {
    for (const name of file.slice(root.length + 1).split("/")) {
      // Differs from every name in use there.
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
        complaints.push(...(await applyOwnership(folder, { ownership, mode: ownership.folderMode, fs })));
        await syncFile(above, fs);
      }
      above = folder;
    }
    return complaints;
  }

  async function freeName(wanted: string): Promise<string> {
    const others = [...[...reservedNames.values()].map(({ file }) => file), ...elsewhere()];
    const inFolder = await fs.readdir(dirname(wanted));
    // NTFS and SMB ignore case. Sidecars share the recording's name, with another ending.
    const taken = new Set([...others, ...inFolder.map((name) => join(dirname(wanted), name))].map(keyOf));
    const free = variants(wanted).find((file) => !taken.has(keyOf(file)));
    if (free === undefined) throw noFreeName(wanted);
    return free;
  }

  return {
    reserve: (facts) => reservations.run(() => reserve(facts)),
    restore: (id, file) => {
      if (!reservedNames.has(id)) reservedNames.set(id, { file, substituted: false });
    },
    release: (id) => {
      reservedNames.delete(id);
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

export function noFreeName(file: string): RecorderdError {
  const message = `There are already ${NAMES_MAX} files named ${file}: move some of them away.`;
  return new RecorderdError("WRITE_FAILED", message, { file });
}

/** Stores durably, in the name of an empty file, that a recording got another name than the reserved one. */
export async function storeVariant(
  { id, number, work }: { readonly id: RecordingId; readonly number: number; readonly work: string },
  fs: RecordingFs,
): Promise<void> {
  await (await fs.open(join(work, `${id}.${number}.name`), "w", 0o640)).close();
  await syncFile(work, fs);
}

/** The number of the last stored variant; 1 if there is none. */
export async function storedVariant(id: RecordingId, work: string, fs: RecordingFs): Promise<number> {
  const entries = await fs.readdir(work).catch((error: unknown) => {
    ignoring("ENOENT")(error);
    return [];
  });
  const numbers = entries.map((entry) => Number(entry.match(noteOf(id))?.[1] ?? 1));
  return Math.max(1, ...numbers);
}

function noteOf(id: RecordingId): RegExp {
  return new RegExp(`^${id}\\.(\\d+)\\.name$`);
}
