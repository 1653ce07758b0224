import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { createBackup } from "../../src/backup/create.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { LibraryDocument } from "../../src/model/library.ts";
import { type DaemonDocument, emptyDocument } from "../../src/recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../../src/recorder/engine/runtime/document-format.ts";
import { openDocumentStore } from "../../src/recorder/store/document-store.ts";
import { emptyLibrary, LIBRARY_FORMAT } from "../../src/recorder/subsystems/library/core/document.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { memoryDisk, NO_MOUNT } from "../memory-disk.ts";

const parts = { clock: systemClock(), signal: new AbortController().signal };

interface State {
  readonly library?: LibraryDocument;
  readonly document?: DaemonDocument;
}

/** A backup of a recorder with this state; its configuration names this data folder. */
async function backupFor(
  folder: string,
  data: string,
  { library = emptyLibrary(), document = emptyDocument(0) }: State = {},
): Promise<string> {
  const configFile = join(folder, "recorderd.yaml");
  const config = {
    guide: { url: "https://guide.example", regionId: 1 },
    recordings: { folder: join(folder, "recordings") },
    tuners: [{ kind: "file", id: "try", path: join(folder, "a.ts") }],
    data: { folder: data },
  };
  await writeFile(configFile, stringify(config));
  const file = join(folder, "backup.tar.gz");
  const none = join(folder, "none");
  await mkdir(none);
  await using store = await openDocumentStore({
    file: join(none, "library.json"),
    ...LIBRARY_FORMAT,
    empty: emptyLibrary,
  });
  await store.commit(library);
  await using documents = await openDocumentStore({
    file: join(none, "document.json"),
    ...DOCUMENT_FORMAT,
    empty: () => emptyDocument(0),
  });
  await documents.commit(document);
  const order = { file, configFile, dataFolder: none, guideFolder: join(folder, "no-guide") };
  await createBackup(
    { ...order, secretsFile: join(none, "secrets.yaml"), withSecrets: false, version: "1" },
    parts,
  );
  return file;
}

function entryOf(file: string) {
  return { file, made: [] };
}

describe("a restore", () => {
  it("names each folder outside those of the configuration in which the recorder may delete recordings", async () => {
    await using folder = await temporaryFolder();
    const recordings = join(folder.path, "recordings");
    const entries = {
      r1: entryOf(join(recordings, "Salt Road", "1.ts")),
      r2: entryOf(`${recordings}/../photos/1.ts`),
      r3: { ...entryOf("/srv/tv/1.ts"), made: ["/srv/tv/old/1.mkv", "/home/me/1.mkv"] },
      r4: { ...entryOf("/srv/other/1.ts"), imported: { from: "tvheadend", id: "1" } },
    };
    const library = { ...emptyLibrary(), entries } as unknown as LibraryDocument;
    const recordingsOf = Object.entries({ a: "/srv/music/1.ts", b: join(recordings, "2.ts"), c: 7 }).map(
      ([id, of]) => [id, { id, state: "completed", timerId: id, attempts: [], evidence: { file: of } }],
    );
    const document = {
      ...emptyDocument(0),
      recordings: Object.fromEntries(recordingsOf),
    } as unknown as DaemonDocument;
    const file = await backupFor(folder.path, join(folder.path, "home"), { library, document });
    const order = {
      file,
      configFile: join(folder.path, "restored.yaml"),
      guideFolder: join(folder.path, "no-guide"),
      replaces: false,
    };
    const { brings } = await restoreBackup(order, parts);
    expect(brings.folders[0]).toBe(recordings);
    expect(brings.folders.slice(1).toSorted()).toEqual(
      ["/home/me", "/srv/music", "/srv/tv", join(folder.path, "photos")].toSorted(),
    );
  });
});

interface Manifest {
  readonly files: Readonly<Record<string, string>>;
}

/** Writes a backup anew, as it may be written by hand. @param change of the unpacked content; gets the manifest, and returns it */
async function rewritten(
  file: string,
  change: (folder: string, stored: Manifest) => Promise<object>,
): Promise<void> {
  const folder = `${file}.content`;
  await mkdir(folder);
  execFileSync("tar", ["-xzf", file, "-C", folder]);
  const manifest = join(folder, "backup.json");
  const stored = JSON.parse(await readFile(manifest, "utf8")) as Manifest;
  await writeFile(manifest, JSON.stringify(await change(folder, stored)));
  execFileSync("tar", ["-czf", file, "--format=gnu", "-C", folder, "."]);
}

/** Has the backup this text in one of its parts, with the sum of that text. */
async function withPart(file: string, part: string, text: string): Promise<void> {
  await rewritten(file, async (folder, stored) => {
    await writeFile(join(folder, part), text);
    return { ...stored, files: { ...stored.files, [part]: createHash("sha256").update(text).digest("hex") } };
  });
}

it.each([
  ["recorder/document.json", "{", "STORE_DAMAGED", "its part recorder/document.json is damaged."],
  ["recorderd.yaml", "guide: [", "CONFIG_INVALID", "recorderd.yaml"],
])("a restore names %s as a part of the backup if it cannot be read", async (part, text, code, said) => {
  await using folder = await temporaryFolder();
  const file = await backupFor(folder.path, join(folder.path, "home"));
  await withPart(file, part, text);
  const configFile = join(folder.path, "restored.yaml");
  const order = { file, configFile, guideFolder: join(folder.path, "no-guide"), replaces: false };
  const failure: unknown = await restoreBackup(order, parts).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code, facts: { file } });
  const { message } = failure as Error;
  expect(message.startsWith(`${file} cannot be used: ${said}`)).toBe(true);
  expect(message.endsWith("Nothing was changed.")).toBe(true);
  expect(message).not.toContain("recorderd-restore-");
});

it("a restore refuses a time that no calendar has before it changes anything", async () => {
  await using folder = await temporaryFolder();
  const home = join(folder.path, "home");
  const file = await backupFor(folder.path, home);
  await rewritten(file, async (_folder, stored) => ({ ...stored, at: 1e300 }));
  const configFile = join(folder.path, "restored.yaml");
  const order = { file, configFile, guideFolder: join(folder.path, "no-guide"), replaces: false };
  await expect(restoreBackup(order, parts)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  await expect(readFile(configFile)).rejects.toMatchObject({ code: "ENOENT" });
});

it("a restore that does not fit on the disk of the data changes nothing, not the configuration either", async (context) => {
  await using folder = await temporaryFolder();
  const home = join(folder.path, "home");
  await mkdir(home);
  await using disk = memoryDisk(home, "128k");
  if (disk === undefined) return context.skip(NO_MOUNT);
  const entries = Object.fromEntries(
    Array.from({ length: 4000 }, (_, index) => [`r${index}`, entryOf(`/srv/tv/${index}.ts`)]),
  );
  const library = { ...emptyLibrary(), entries } as unknown as LibraryDocument;
  const file = await backupFor(folder.path, home, { library });
  const configFile = join(folder.path, "restored.yaml");
  await writeFile(configFile, "as: it was");
  const order = { file, configFile, guideFolder: join(folder.path, "no-guide"), replaces: true };
  await expect(restoreBackup(order, parts)).rejects.toMatchObject({ code: "WRITE_FAILED" });
  expect(await readFile(configFile, "utf8")).toBe("as: it was");
  expect((await readdir(home)).filter((name) => name.endsWith(".json") || name === ".restore")).toEqual([]);
});

describe("a restore that may replace everything", () => {
  const THEIRS = [
    "ledger/2025/accounts",
    "document.json/photo.jpg",
    "ledger/accounts.dat",
    "secrets.yaml/key",
  ];

  it.each(THEIRS)("removes nothing that only has a name of ours, such as %s", async (name) => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "home");
    const theirs = join(home, name);
    await mkdir(dirname(theirs), { recursive: true });
    await writeFile(theirs, "theirs");
    const file = await backupFor(folder.path, home);
    const configFile = join(folder.path, "restored.yaml");
    const order = { file, configFile, guideFolder: join(folder.path, "no-guide"), replaces: true };
    await expect(restoreBackup(order, parts)).rejects.toMatchObject({
      code: "FILE_NOT_OURS",
      message: expect.stringContaining(`${join(home, name.split("/")[0] ?? "")} is not of a recorder`),
    });
    expect(await readFile(theirs, "utf8")).toBe("theirs");
    await expect(readFile(configFile)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("leaves damaged files of others, and removes its own", async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "home");
    await mkdir(join(home, "photos.damaged"), { recursive: true });
    await writeFile(join(home, "document.json.damaged"), "");
    const file = await backupFor(folder.path, home);
    const configFile = join(folder.path, "restored.yaml");
    await restoreBackup(
      { file, configFile, guideFolder: join(folder.path, "no-guide"), replaces: true },
      parts,
    );
    const left = await readdir(home);
    expect(left).toContain("photos.damaged");
    expect(left).not.toContain("document.json.damaged");
  });
});
