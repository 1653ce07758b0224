import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FoundRecorder, FoundRecording } from "../../../src/migration/found.ts";
import { MIGRATION_LIMITS } from "../../../src/migration/limits.ts";
import { decodedName } from "../../../src/migration/vdr/folder-names.ts";
import { vdrReader } from "../../../src/migration/vdr/reader.ts";
import { SECOND } from "../../../src/model/time.ts";
import { OPTIONS, readOrigin, temporaryFolder } from "../origin.ts";

const REC = "2026-11-20.20.13.1-0.rec";
const INFO = "C T-4112-545-1056 Eins\nE 7 1795202100 5400 4E 1\nT Film\nF 25\nO 0\n";

type Files = Readonly<Record<string, string | Uint8Array>>;

async function write(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function read(files: Files, prepare?: (folder: string) => Promise<void>): Promise<FoundRecorder> {
  await using folder = await temporaryFolder();
  await write(folder.path, { "channels.conf": "", ...files });
  await prepare?.(folder.path);
  return await readOrigin(vdrReader, [folder.path]);
}

/** The only recording of a folder with these files in it. */
async function one(files: Files): Promise<FoundRecording | undefined> {
  const inFolder = Object.entries(files).map(([name, content]) => [`Some_Film/${REC}/${name}`, content]);
  return (await read(Object.fromEntries(inFolder))).recordings[0];
}

async function whyNot(files: Files): Promise<string | undefined> {
  const inFolder = Object.entries(files).map(([name, content]) => [`Film/${REC}/${name}`, content]);
  return (await read(Object.fromEntries(inFolder))).leftOut[0]?.why;
}

describe("a recording of VDR", () => {
  it("has its event and texts from the file info", async () => {
    const info = `${INFO}S Part 1\nD Line one|Line two\nX 1 03 eng\n@ <x>T Not the title</x>\n`;
    expect(await one({ info, "00001.ts": "x" })).toMatchObject({
      title: "Film",
      subtitle: "Part 1",
      description: "Line one\nLine two",
      channel: { name: "Eins", triplet: { onid: 4112, tsid: 545, sid: 1056 } },
      event: { start: 1_795_202_100 * SECOND, stop: (1_795_202_100 + 5400) * SECOND },
      outcome: "ok",
    });
  });

  it("has title, time and channel from the names of its folders where info does not tell them", async () => {
    const index = Buffer.alloc(8 * 25 * 600);
    const start = Date.UTC(2026, 10, 20, 19, 13);
    expect(await one({ "00001.ts": "x", index })).toMatchObject({
      title: "Some Film",
      channel: { name: "channel 1" },
      event: { start, stop: start + 600 * SECOND },
      outcome: "unknown",
    });
    expect(await one({ info: "E 0 0 0 FF FF\nO -1\n", "00001.ts": "x", index })).toMatchObject({
      event: { start },
      outcome: "unknown",
    });
  });

  it("is damaged if VDR counted errors, or a part is missing", async () => {
    const outcome = async (files: Files) => (await one(files))?.outcome;
    expect(await outcome({ info: INFO.replace("O 0", "O 12"), "00001.ts": "x" })).toBe("damaged");
    expect(await outcome({ info: INFO, "00001.ts": "x", "00003.ts": "x" })).toBe("damaged");
    expect(await outcome({ info: INFO, "00001.ts": "x", "00002.ts": "x" })).toBe("ok");
  });

  it("has a resume position by its frame rate, of any of several VDRs", async () => {
    const files = { info: INFO.replace("F 25", "F 50"), "00001.ts": "x", index: Buffer.alloc(8 * 50 * 100) };
    expect(await one({ ...files, "resume.2": "I 2500\n" })).toMatchObject({
      isWatched: false,
      resumeSeconds: 50,
    });
    expect(await one({ ...files, resume: "I 4750\n" })).toMatchObject({ isWatched: true });
    expect((await one({ ...files, resume: "\u0001\u0002\u0003" }))?.resumeSeconds).toBeUndefined();
  });

  it("is read in ISO-8859-1 where it is not UTF-8", async () => {
    const info = Buffer.from(INFO.replace("Film", "Größe"), "latin1");
    expect((await one({ info, "00001.ts": "x" }))?.title).toBe("Größe");
  });

  it("cannot come without usable files, and says why", async () => {
    expect(await whyNot({ info: INFO })).toBe("It has no files.");
    expect(await whyNot({ info: INFO, "00001.ts": "" })).toBe("Its files are empty.");
    expect(await whyNot({ "info.vdr": INFO, "001.vdr": "x" })).toContain("not transport streams");
    const many = Array.from(
      { length: MIGRATION_LIMITS.parts + 1 },
      (_, at) => `${String(at + 1).padStart(5, "0")}.ts`,
    );
    expect(await whyNot(Object.fromEntries(many.map((name) => [name, "x"])))).toContain("more than");
  });

  it("cannot come while it is recorded; a recording that a crash ended can", async () => {
    const files = {
      [`Film/${REC}/info`]: INFO,
      [`Film/${REC}/00001.ts`]: "x",
      [`Film/${REC}/.timer`]: "1@host",
    };
    const changed = (ms: number) => async (folder: string) => {
      const at = new Date(OPTIONS.now - ms);
      await utimes(join(folder, "Film", REC, "00001.ts"), at, at);
    };
    expect((await read(files, changed(SECOND))).leftOut[0]?.why).toBe("It is being recorded.");
    expect((await read(files, changed(3600 * SECOND))).recordings).toHaveLength(1);
  });

  it("is passed over if it is deleted", async () => {
    const name = `Film/${REC.replace(".rec", ".del")}/00001.ts`;
    expect((await read({ [name]: "x" })).recordings).toEqual([]);
  });
});

describe("the video folder of VDR", () => {
  it("is read once where linked folders lead back, and not outside of the named folders", async () => {
    await using elsewhere = await temporaryFolder();
    await write(elsewhere.path, { [`Film/${REC}/00001.ts`]: "x" });
    const found = await read({ [`A/B/${REC}/00001.ts`]: "x" }, async (folder) => {
      await symlink(folder, join(folder, "A", "loop"));
      await symlink(join(folder, "A"), join(folder, "again"));
      await symlink("circle", join(folder, "circle"));
      await symlink(elsewhere.path, join(folder, "out"));
      await symlink(join(elsewhere.path, "Film", REC, "00001.ts"), join(folder, "A", "B", REC, "00002.ts"));
    });
    expect(found.recordings).toEqual([]);
    expect(found.leftOut.map(({ why }) => why)).toEqual([
      "Its file 00002.ts is outside of the folders of this import: name its folder with --recordings.",
    ]);
    expect(found.problems.map(({ what }) => what).sort()).toEqual([
      expect.stringContaining("circle cannot be read (ELOOP)"),
      expect.stringContaining("outside of the folders of this import"),
    ]);
  });

  it("reports names that are not UTF-8", async () => {
    const found = await read({}, async (folder) => {
      await mkdir(Buffer.concat([Buffer.from(`${folder}/Gr`), Buffer.from([0xf6, 0xdf]), Buffer.from("e")]));
    });
    expect(found.problems).toMatchObject([{ what: expect.stringContaining("not UTF-8") }]);
  });

  it("is refused where nothing is VDR's", async () => {
    await using folder = await temporaryFolder();
    await write(folder.path, { "notes.txt": "x" });
    await expect(readOrigin(vdrReader, [folder.path])).rejects.toThrow("is not a folder of VDR");
  });
});

describe("a name of VDR", () => {
  it.each([
    ["Some_Film", "Some Film"],
    ["Folge_1~2", "Folge 1/2"],
    ["Wer#3F_#22Ich#22", 'Wer? "Ich"'],
    ["Gr#C3#B6#C3#9Fe", "Größe"],
    ["Gr#F6#DFe", "Größe"],
    ["Teil_#1", "Teil #1"],
    ["#00#1B", "#00#1B"],
  ])("%s is %s", (name, text) => {
    expect(decodedName(name)).toBe(text);
  });
});
