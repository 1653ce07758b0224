import { createHash, randomBytes } from "node:crypto";
import * as nodeFs from "node:fs/promises";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { UsedPart } from "../../../src/recorder/capture/join.ts";
import { parseNameTemplate } from "../../../src/recorder/capture/name-template.ts";
import type { PublishOrder } from "../../../src/recorder/capture/publish.ts";
import {
  createRecordingFiles,
  type RecordingFiles,
  type RecordingFilesOptions,
} from "../../../src/recorder/capture/recording-files.ts";
import { memoryDisk, NO_MOUNT } from "../../memory-disk.ts";

const NEWS = { title: "News", channel: "ABC TV", start: Date.UTC(2026, 10, 20, 9, 30), timerId: "17" };
const NAME = "News - ABC TV - 2026-11-20T0930Z.ts";
const signal = new AbortController().signal;

let folder: string;
let shelf: RecordingFiles;

function shelfOf(options: Partial<RecordingFilesOptions> = {}): RecordingFiles {
  return createRecordingFiles({
    folder,
    template: parseNameTemplate("{title} - {channel} - {start}", "UTC"),
    ownership: { fileMode: 0o640, folderMode: 0o750 },
    ...options,
  });
}

function reserve(recordingId: string, on = shelf) {
  return on.reserve({ ...NEWS, recordingId });
}

async function publish(order: PublishOrder, on = shelf): Promise<string | undefined> {
  return (await on.publish(order, signal))?.file;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-shelf-"));
  await mkdir(join(folder, ".recorderd"));
  shelf = shelfOf();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(attemptId: string, content: string): Promise<string> {
  const segment = shelf.segmentFile(attemptId);
  await writeFile(segment, content);
  await writeFile(`${segment}.log`, "said");
  return segment;
}

/** The files on the shelf, by path. */
async function contents(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = files.map(
    async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

describe("a file name", () => {
  it("is the same on every request", async () => {
    const first = await reserve("r1");
    expect(first).toEqual({ file: join(folder, NAME), substituted: false });
    expect(await reserve("r1", shelfOf())).toEqual(first);
  });

  it("R-33 is never given to two recordings, even simultaneous ones", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const names = await Promise.all(ids.map((id) => reserve(id)));
    expect(new Set(names.map(({ file }) => file.toLowerCase())).size).toBe(20);
    expect(names[1]?.file).toBe(join(folder, "News - ABC TV - 2026-11-20T0930Z (2).ts"));
  });

  it("differs from all others by more than case", async () => {
    await writeFile(join(folder, NAME.toUpperCase()), "other");
    expect((await reserve("r1")).file).toBe(join(folder, "News - ABC TV - 2026-11-20T0930Z (2).ts"));
  });

  it("R-33 is plain if the file system refuses the full one", async () => {
    const ascii = {
      ...nodeFs,
      open: (path: string, flags: string, mode?: number) =>
        path.includes("世") ? Promise.reject(systemError("EILSEQ")) : nodeFs.open(path, flags, mode),
    };
    const reserved = await shelfOf({ fs: ascii as typeof nodeFs }).reserve({
      ...NEWS,
      recordingId: "r1",
      title: "世界",
    });
    expect(reserved).toEqual({ file: join(folder, "Recording - 2026-11-20T0930Z.ts"), substituted: true });
  });

  it("R-32 is refused with STORAGE_OFFLINE while the folder is missing", async () => {
    const offline = shelfOf({ folder: join(folder, "not-mounted") });
    await expect(reserve("r1", offline)).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
  });
});

describe("publishing", () => {
  it("gives a single segment its name and leaves no other file", async () => {
    const { file } = await reserve("r1");
    const segments = [await write("r1.1", "payload")];
    expect(await publish({ recordingId: "r1", segments, file })).toBe(file);
    expect(await contents()).toEqual({ [NAME]: "payload" });
  });

  it("R-28 joins segments in order, and drops empty and missing ones", async () => {
    const { file } = await reserve("r1");
    const segments = [
      await write("r1.1", "one "),
      await write("r1.2", ""),
      shelf.segmentFile("r1.3"),
      await write("r1.10", "two"),
    ];
    await shelf.publish({ recordingId: "r1", segments, file }, signal);
    expect(await contents()).toEqual({ [NAME]: "one two" });
  });

  it("keeps the time of the last byte", async () => {
    const { file } = await reserve("r1");
    const segments = [await write("r1.1", "one "), await write("r1.2", "two")];
    await utimes(segments[1] ?? "", 1_700_000_000, 1_700_000_000);
    await shelf.publish({ recordingId: "r1", segments, file }, signal);
    expect((await stat(file)).mtimeMs).toBe(1_700_000_000_000);
  });

  it("R-05 leaves no file for a recording without payload", async () => {
    const segments = [await write("r1.1", ""), await write("r1.2", "garbage")];
    expect(await publish({ recordingId: "r1", segments })).toBeUndefined();
    expect(await contents()).toEqual({});
  });

  it("R-05 leaves no file if all segments are empty", async () => {
    const { file } = await reserve("r1");
    const segments = [await write("r1.1", "")];
    expect(await publish({ recordingId: "r1", segments, file })).toBeUndefined();
    expect(await contents()).toEqual({});
  });

  it("works without any recorded data", async () => {
    await rm(join(folder, ".recorderd"), { recursive: true });
    const segments = [shelf.segmentFile("r1.1")];
    expect(await publish({ recordingId: "r1", segments })).toBeUndefined();
  });

  it("R-29 never overwrites a foreign file under its name", async () => {
    const { file } = await reserve("r1");
    await writeFile(file, "somebody's");
    const segments = [await write("r1.1", "payload")];
    const published = await publish({ recordingId: "r1", segments, file });
    expect(published).toBe(join(folder, "News - ABC TV - 2026-11-20T0930Z (2).ts"));
    await shelf.release("r1");
    expect(await contents()).toEqual({
      [NAME]: "somebody's",
      "News - ABC TV - 2026-11-20T0930Z (2).ts": "payload",
    });
  });

  it("puts the new name on the disk before it removes the old one, in case of a power loss", async () => {
    const calls: string[] = [];
    const fs = {
      ...nodeFs,
      open: async (path: string, flags: string, mode?: number) => {
        const handle = await nodeFs.open(path, flags, mode);
        const sync = handle.sync.bind(handle);
        handle.sync = async () => {
          await sync();
          calls.push(`sync ${path}`);
        };
        return handle;
      },
      link: async (from: string, to: string) => {
        await nodeFs.link(from, to);
        calls.push(`link ${to}`);
      },
      rm: async (path: string, options?: { readonly force?: boolean }) => {
        await nodeFs.rm(path, options);
        calls.push(`rm ${path}`);
      },
    };
    const { file } = await reserve("r1");
    const segments = [await write("r1.1", "payload")];
    await publish({ recordingId: "r1", segments, file }, shelfOf({ fs: fs as typeof nodeFs }));
    const after = calls.slice(calls.indexOf(`link ${file}`));
    expect(after.slice(0, 3)).toEqual([
      `link ${file}`,
      `sync ${folder}`,
      `rm ${join(folder, ".recorderd", "r1.whole")}`,
    ]);
  });

  it("R-32 waits while the disk is missing, and continues once it is back", async () => {
    const { file } = await reserve("r1");
    const segments = [await write("r1.1", "payload")];
    await nodeFs.rename(folder, `${folder}-away`);
    await mkdir(folder);
    await expect(shelf.publish({ recordingId: "r1", segments, file }, signal)).rejects.toMatchObject({
      code: "STORAGE_OFFLINE",
    });
    await rm(folder, { recursive: true });
    await nodeFs.rename(`${folder}-away`, folder);
    expect(await publish({ recordingId: "r1", segments, file })).toBe(file);
    expect(await contents()).toEqual({ [NAME]: "payload" });
  });

  it("stops between two portions on an abort, and loses nothing", async () => {
    const { file } = await reserve("r1");
    const segments = [await write("r1.1", "one "), await write("r1.2", "two")];
    const calledOff = AbortSignal.abort(new Error("called off"));
    await expect(shelf.publish({ recordingId: "r1", segments, file }, calledOff)).rejects.toThrow(
      "called off",
    );
    await shelf.publish({ recordingId: "r1", segments, file }, signal);
    expect(await contents()).toEqual({ [NAME]: "one two" });
  });
});

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: "test" });
}

interface Peculiarities {
  /** It cannot link. */
  readonly linkless?: boolean;
  /** The library is on another disk than the segments. */
  readonly elsewhere?: boolean;
}

/** A file system whose process dies in step `deadly`. */
function dyingFs(deadly: number, { linkless = false, elsewhere = false }: Peculiarities) {
  const calls: string[] = [];
  const step = (call: string): void => {
    calls.push(call);
    if (calls.length >= deadly) throw new Error("the process is dead");
  };
  const crossing = (from: string, to: string) =>
    elsewhere && from.includes("/library/") !== to.includes("/library/");
  const fs = {
    ...nodeFs,
    open: async (path: string, flags: string, mode?: number) => {
      step(`open ${flags}`);
      const handle = await nodeFs.open(path, flags, mode);
      return {
        read: handle.read.bind(handle),
        stat: handle.stat.bind(handle),
        utimes: handle.utimes.bind(handle),
        close: handle.close.bind(handle),
        truncate: async (bytes: number) => {
          step("truncate");
          await handle.truncate(bytes);
        },
        writeFile: async (bytes: Uint8Array) => {
          await handle.writeFile(bytes.subarray(0, 1));
          step("write");
          await handle.writeFile(bytes.subarray(1));
        },
        sync: async () => {
          step("sync");
          await handle.sync();
        },
        [Symbol.asyncDispose]: () => handle.close(),
      };
    },
    chmod: async (path: string, bits: number) => {
      step("chmod");
      await nodeFs.chmod(path, bits);
    },
    mkdir: async (path: string, options: object) => {
      step("mkdir");
      await nodeFs.mkdir(path, options);
    },
    link: async (from: string, to: string) => {
      step("link");
      if (linkless) throw systemError("EPERM");
      await nodeFs.link(from, to);
    },
    rename: async (from: string, to: string) => {
      step("rename");
      if (crossing(from, to)) throw systemError("EXDEV");
      await nodeFs.rename(from, to);
    },
    rm: async (path: string, options: object) => {
      step("rm");
      await nodeFs.rm(path, options);
    },
  };
  return { fs: fs as unknown as typeof nodeFs, calls };
}

describe.each([
  { parts: ["alone"] },
  { parts: ["one ", "two ", "three"] },
  { parts: ["alone"], linkless: true },
  { parts: ["one ", "two"], linkless: true },
  { parts: ["one ", "two"], foreign: true },
  { parts: ["alone"], elsewhere: true },
  { parts: ["one ", "two"], elsewhere: true },
  { parts: ["alone"], elsewhere: true, foreign: true, linkless: true },
  { parts: ["alone"], torn: true },
  { parts: ["one ", "two "], torn: true },
  { parts: ["alone"], torn: true, elsewhere: true },
])(
  "after a crash in any step of publishing (%j)",
  ({ parts, foreign = false, torn = false, ...peculiarities }) => {
    it("R-29 another try gives the whole recording once, with its place and contents", async () => {
      for (let deadly = 1; ; deadly += 1) {
        await rm(folder, { recursive: true });
        await mkdir(join(folder, ".recorderd"), { recursive: true });
        await mkdir(join(folder, "library"));
        const library = peculiarities.elsewhere === true ? { library: join(folder, "library") } : {};
        const { file } = await reserve("r1", shelfOf(library));
        if (foreign) await writeFile(file, "somebody's");
        const segments: string[] = [];
        const cuts = new Map<string, UsedPart>();
        for (const [index, part] of parts.entries()) {
          const head = torn && index > 0 ? "head" : "";
          const segment = await write(`r1.${index}`, `${head}${part}${torn ? "tail" : ""}`);
          segments.push(segment);
          if (torn) cuts.set(segment, { from: head.length, bytes: part.length });
        }
        const order = { recordingId: "r1", segments, cuts, file };

        const { fs, calls } = dyingFs(deadly, peculiarities);
        const first = await shelfOf({ ...library, fs })
          .publish(order, signal)
          .catch(() => "died");
        const found = Object.values(await contents()).join("");
        const died = `after dying in ${calls.at(-1)}, step ${deadly}`;
        for (const part of parts) expect(found, died).toContain(part);

        const second = shelfOf({ ...library, fs: dyingFs(Number.POSITIVE_INFINITY, peculiarities).fs });
        const published = await second.publish(order, signal);
        await second.release("r1");
        const place = foreign ? file.replace(".ts", " (2).ts") : file;
        const all = parts.join("");
        expect(published, died).toEqual({
          file: place,
          sha256: createHash("sha256").update(all).digest("hex"),
          modifiedAt: Math.floor((await stat(place)).mtimeMs),
          complaints: [],
        });
        expect(await contents(), died).toEqual({
          [place.slice(folder.length + 1)]: all,
          ...(foreign ? { [file.slice(folder.length + 1)]: "somebody's" } : {}),
        });
        if (first !== "died") break;
      }
    });
  },
);

describe("a library on another disk", () => {
  it("gets the recording by a verified copy, and the segments are removed only then", async (context) => {
    const library = join(folder, "library");
    await mkdir(library);
    await using mounted = memoryDisk(library, "1m");
    if (mounted === undefined) return context.skip(NO_MOUNT);
    const there = shelfOf({ library });
    const { file } = await reserve("r1", there);
    const payload = randomBytes(300_000).toString("base64");
    const segments = [await write("r1.1", payload)];
    await utimes(segments[0] ?? "", 1_700_000_000, 1_700_000_000);
    const published = await there.publish({ recordingId: "r1", segments, file }, signal);
    expect(published?.sha256).toBe(createHash("sha256").update(payload).digest("hex"));
    expect(await contents()).toEqual({ [`library/${NAME}`]: payload });
    expect(await stat(file)).toMatchObject({ mtimeMs: 1_700_000_000_000, nlink: 1 });
    expect((await stat(file)).dev).not.toBe((await stat(folder)).dev);

    // The second does not fit: it stays where it was recorded until there is room.
    const more = { recordingId: "r2", segments: [await write("r2.1", payload.repeat(2))] };
    const next = { ...more, file: (await reserve("r2", there)).file };
    await expect(there.publish(next, signal)).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(await contents()).toEqual({
      [`library/${NAME}`]: payload,
      ".recorderd/r2.1.ts.part": payload.repeat(2),
      ".recorderd/r2.1.ts.part.log": "said",
    });
    await rm(file);
    expect((await there.publish(next, signal))?.file).toBe(next.file);
    expect((await contents())[next.file.slice(folder.length + 1)]).toBe(payload.repeat(2));
  });

  it("R-32 keeps segments in place while it is missing", async () => {
    const away = shelfOf({ library: join(folder, "library") });
    const segments = [await write("r1.1", "payload")];
    await expect(reserve("r1", away)).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
    const order = { recordingId: "r1", segments, file: join(folder, "library", NAME) };
    await expect(away.publish(order, signal)).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
    expect((await contents())[".recorderd/r1.1.ts.part"]).toBe("payload");
  });

  it("refuses a copy that differs when read back", async () => {
    await mkdir(join(folder, "library"));
    const { fs } = dyingFs(Number.POSITIVE_INFINITY, { elsewhere: true });
    const lying = {
      ...fs,
      open: async (path: string, flags: string, mode?: number) => {
        if (flags === "r" && path.endsWith(".joining")) await writeFile(path, "paylaod");
        return fs.open(path, flags, mode);
      },
    };
    const there = shelfOf({ library: join(folder, "library"), fs: lying as typeof nodeFs });
    const { file } = await reserve("r1", there);
    const segments = [await write("r1.1", "payload")];
    await expect(there.publish({ recordingId: "r1", segments, file }, signal)).rejects.toMatchObject({
      code: "WRITE_FAILED",
    });
    expect((await contents())[".recorderd/r1.1.ts.part"]).toBe("payload");
  });
});

describe("folders in names", () => {
  const template = parseNameTemplate("{channel}/{title}", "UTC");

  it("are created with the recording, with the configured mode", async () => {
    const nested = shelfOf({ template, ownership: { fileMode: 0o604, folderMode: 0o705 } });
    const { file } = await reserve("r1", nested);
    const segments = [await write("r1.1", "payload")];
    await nested.publish({ recordingId: "r1", segments, file }, signal);
    expect(await contents()).toEqual({ "ABC TV/News.ts": "payload" });
    expect((await stat(file)).mode & 0o777).toBe(0o604);
    expect((await stat(join(folder, "ABC TV"))).mode & 0o777).toBe(0o705);
  });

  it("R-33 give way to a plain name if another file is in their place", async () => {
    await writeFile(join(folder, "ABC TV"), "no folder");
    expect(await reserve("r1", shelfOf({ template }))).toEqual({
      file: join(folder, "Recording - 2026-11-20T0930Z.ts"),
      substituted: true,
    });
  });

  it("contain names that differ from those of other recordings' sidecars", async () => {
    await mkdir(join(folder, "ABC TV"));
    await writeFile(join(folder, "ABC TV", "News.json"), "{}");
    const { file } = await reserve("r1", shelfOf({ template }));
    expect(file).toBe(join(folder, "ABC TV", "News (2).ts"));
  });
});

describe("the owner of a recording", () => {
  it("is the configured one from the moment it is visible", async (context) => {
    if (process.getuid?.() !== 0) context.skip("giving files away needs root");
    const ownership = { uid: 4711, gid: 4712, fileMode: 0o640, folderMode: 0o750 };
    const given = shelfOf({ template: parseNameTemplate("{channel}/{title}", "UTC"), ownership });
    const { file } = await reserve("r1", given);
    const segments = [await write("r1.1", "payload")];
    const published = await given.publish({ recordingId: "r1", segments, file }, signal);
    await given.writeSidecar(file, ".json", "{}");
    expect(published?.complaints).toEqual([]);
    for (const path of [file, dirname(file), file.replace(".ts", ".json")]) {
      expect(await stat(path)).toMatchObject({ uid: 4711, gid: 4712 });
    }
  });

  it("stays unchanged if the system refuses, with a notice", async () => {
    const refusing = { ...nodeFs, chown: () => Promise.reject(systemError("EPERM")) };
    const ownership = { uid: 4711, fileMode: 0o640, folderMode: 0o750 };
    const kept = shelfOf({ ownership, fs: refusing as typeof nodeFs });
    const { file } = await reserve("r1", kept);
    const segments = [await write("r1.1", "payload")];
    const published = await kept.publish({ recordingId: "r1", segments, file }, signal);
    expect(published?.file).toBe(file);
    expect(published?.complaints).toEqual([
      expect.stringMatching(/cannot be given to 4711: \(EPERM\): check recordings\.owner\.$/),
    ]);
  });
});

describe("the sidecars of a recording", () => {
  it("are replaced as a whole, without leftovers", async () => {
    const { file } = await reserve("r1");
    await shelf.writeSidecar(file, ".json", "one");
    await shelf.writeSidecar(file, ".json", "two");
    expect(await contents()).toEqual({ [NAME.replace(".ts", ".json")]: "two" });
    expect(await shelf.readSidecar(file, ".json")).toBe("two");
    expect(await shelf.readSidecar(file, ".nfo")).toBeUndefined();
  });

  it("cannot be judged while the folder is missing: STORAGE_OFFLINE (R-32)", async () => {
    const { file } = await reserve("r1");
    expect(await shelf.has(file)).toBe(false);
    await writeFile(file, "payload");
    expect(await shelf.has(file)).toBe(true);
    await rm(folder, { recursive: true });
    await expect(shelf.has(file)).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
    await mkdir(folder);
  });

  it("R-32 are never written into the empty folder that an absent disk leaves", async () => {
    const { file } = await reserve("r1");
    await rm(folder, { recursive: true });
    await mkdir(folder);
    for (const write of [
      () => shelf.writeSidecar(file, ".json", "{}"),
      () => shelf.keepNote("r1", "found"),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it("have a note until the recording is done", async () => {
    await shelf.keepNote("r1", "found");
    expect(await shelfOf().readNote("r1")).toBe("found");
    await shelf.release("r1");
    expect(await shelf.readNote("r1")).toBeUndefined();
    expect(await contents()).toEqual({});
  });
});
