import { mkdir, readFile, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyMark } from "../../../../src/recorder/capture/files.ts";
import { copyHeld, whoHasRest } from "../../../../src/recorder/fleet/files/file-copy.ts";
import { fileAtPath, requestPath } from "../../../../src/recorder/fleet/files/held-file.ts";
import { ATTEMPT, grow, segmentWith, type TwoDisks, twoDisks } from "./two-disks.ts";

const never = new AbortController().signal;
const BYTES = 3_000_000;

function orderOf({ source, here: file }: Pick<TwoDisks, "source" | "here">) {
  return { source, node: "attic", held: { kind: "segment", id: ATTEMPT }, file } as const;
}

it("a segment comes whole, with its time, while its capture still writes it", async () => {
  await using disks = await twoDisks();
  const { here, there, running } = disks;
  running.add(ATTEMPT);
  const first = await segmentWith(there, BYTES);
  const copying = copyHeld(orderOf(disks), never);
  await expect.poll(async () => (await stat(here).catch(() => undefined))?.size).toBe(BYTES);
  expect(await whoHasRest(here)).toBe("attic");
  const more = await grow(there, 1000);
  await expect.poll(async () => (await stat(here)).size).toBe(BYTES + 1000);
  await utimes(there, 1_700_000_000.123, 1_700_000_000.123);
  running.delete(ATTEMPT);
  expect(await copying).toBe("whole");
  expect((await readFile(here)).equals(Buffer.concat([first, more]))).toBe(true);
  expect(Math.floor((await stat(here)).mtimeMs)).toBe(Math.floor((await stat(there)).mtimeMs));
  expect(await whoHasRest(here)).toBeUndefined();
});

it("a capture that has begun before its file is there is waited for", async () => {
  await using disks = await twoDisks();
  disks.running.add(ATTEMPT);
  const copying = copyHeld(orderOf(disks), never);
  await expect.poll(() => disks.asked.length).toBe(1);
  const content = await segmentWith(disks.there, 1000);
  disks.running.delete(ATTEMPT);
  expect(await copying).toBe("whole");
  expect((await readFile(disks.here)).equals(content)).toBe(true);
});

it("a copy that was interrupted goes on after its last byte", async () => {
  await using disks = await twoDisks();
  const { here, there } = disks;
  const content = await segmentWith(there, BYTES);
  disks.breakAfter(BYTES / 2);
  await expect(copyHeld(orderOf(disks), never)).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
  const { size } = await stat(here);
  expect(size).toBeGreaterThan(BYTES / 4);
  expect(size).toBeLessThan(BYTES);
  disks.breakAfter(Number.POSITIVE_INFINITY);
  expect(await copyHeld(orderOf(disks), never)).toBe("whole");
  expect((await readFile(here)).equals(content)).toBe(true);
  expect(disks.asked.filter((path) => path.startsWith("/segments"))).toEqual([
    `/segments/${ATTEMPT}?from=0`,
    `/segments/${ATTEMPT}?from=${size}`,
  ]);
});

it("a copy whose last bytes were lost with the power begins again, and is the same in the end", async () => {
  await using disks = await twoDisks();
  const { here, there } = disks;
  const content = await segmentWith(there, BYTES);
  const zeros = Buffer.alloc(BYTES / 2);
  content.copy(zeros, 0, 0, BYTES / 4);
  await writeFile(here, zeros);
  await writeFile(copyMark(here), "attic\n");
  expect(await copyHeld(orderOf(disks), never)).toBe("whole");
  expect((await readFile(here)).equals(content)).toBe(true);
});

it("a file of this machine's own with other bytes stays, and so does that of the node", async () => {
  await using disks = await twoDisks();
  const [content, own] = [await segmentWith(disks.there, 2000), await segmentWith(disks.here, 1000)];
  expect(await copyHeld(orderOf(disks), never)).toBe("other");
  expect((await readFile(disks.here)).equals(own)).toBe(true);
  expect((await readFile(disks.there)).equals(content)).toBe(true);
});

it("a file that is longer here is left alone: the node has a copy of its beginning", async () => {
  await using disks = await twoDisks();
  const content = await segmentWith(disks.here, 2000);
  await writeFile(disks.there, content.subarray(0, 1500));
  expect(await copyHeld(orderOf(disks), never)).toBe("whole");
  expect((await readFile(disks.here)).equals(content)).toBe(true);
});

it("bytes that are not those of the node are not kept", async () => {
  await using disks = await twoDisks();
  const { source } = disks;
  const content = await segmentWith(disks.there, 2000);
  let isWrong = true;
  const order = {
    ...orderOf(disks),
    source: {
      state: source.state,
      read: async (...question: Parameters<typeof source.read>) => {
        const read = await source.read(...question);
        if (read === undefined || !isWrong) return read;
        isWrong = false;
        return { ...read, sha256: () => `${read.sha256()} of other bytes` };
      },
    },
  };
  expect(await copyHeld(order, never)).toBe("whole");
  expect((await readFile(disks.here)).equals(content)).toBe(true);
  expect(disks.asked.filter((path) => path.endsWith("?from=0"))).toHaveLength(2);
});

it("a node without the file says so", async () => {
  await using disks = await twoDisks();
  expect(await copyHeld(orderOf(disks), never)).toBe("absent");
  await expect(stat(disks.here)).rejects.toMatchObject({ code: "ENOENT" });
});

it("a copy that cannot be written fails, and stays marked as not whole", async () => {
  await using disks = await twoDisks();
  await segmentWith(disks.there, 1000);
  await symlink("/dev/full", disks.here);
  await writeFile(copyMark(disks.here), "attic\n");
  await expect(copyHeld(orderOf(disks), never)).rejects.toMatchObject({ code: "WRITE_FAILED" });
  expect(await whoHasRest(disks.here)).toBe("attic");
});

it("paths of requests name the files of a node, and nothing outside of its folders", () => {
  const files = [
    { kind: "segment", id: "r1.2" },
    { kind: "log", id: "r1.2" },
    { kind: "recording", path: "Großes Kino/50 % & mehr #1?.ts" },
  ] as const;
  for (const file of files) expect(fileAtPath(requestPath(file))).toEqual(file);
  const others = [
    "/",
    "/segments/",
    "/segments/../r1",
    "/segments/a%2Fb",
    "/recordings/",
    "/recordings/..",
    "/recordings/a/../../b.ts",
    "/recordings/%2E%2E/b.ts",
    "/recordings//etc/passwd",
    "/recordings/a%2Fb.ts",
    "/recordings/a%00.ts",
    "/recordings/%E0%A4%A.ts",
    "/other/r1",
    `/recordings/${"a".repeat(5000)}`,
  ];
  for (const path of others) expect([path, fileAtPath(path)]).toEqual([path, undefined]);
});

it("a link on the node leads to no file elsewhere", async () => {
  await using disks = await twoDisks();
  const { thereFolder, hereFolder, source } = disks;
  await writeFile(join(hereFolder, "secret.ts"), "secret");
  await symlink(join(hereFolder, "secret.ts"), join(thereFolder, "link.ts"));
  await symlink(hereFolder, join(thereFolder, "folder"));
  await mkdir(join(thereFolder, "own"));
  await writeFile(join(thereFolder, "own", "film.ts"), "film");
  const at = (path: string) => source.state({ kind: "recording", path }, 0, never);
  expect(await at("link.ts")).toBeUndefined();
  expect(await at("folder/secret.ts")).toBeUndefined();
  expect((await at("own/film.ts"))?.bytes).toBe(4);
  await truncate(join(thereFolder, "own", "film.ts"));
  expect((await at("own/film.ts"))?.bytes).toBe(0);
});
