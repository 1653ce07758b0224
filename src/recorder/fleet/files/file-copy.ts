import { createHash } from "node:crypto";
import { rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { open, writeFile } from "../../../kit/files/steady-fs.ts";
import { syncFolder } from "../../../kit/files/sync-folder.ts";
import { copyMark } from "../../capture/files.ts";
import { NODE_LIMITS } from "../limits.ts";
import { digestInto } from "./file-service.ts";
import type { FileSource } from "./file-source.ts";
import type { HeldFile, HeldState } from "./held-file.ts";

/** The node that has the rest of a file; `undefined` if the file is complete, or absent. */
export async function whoHasRest(file: string): Promise<string | undefined> {
  const handle = await open(copyMark(file)).catch(() => undefined);
  if (handle === undefined) return undefined;
  await using _closed = handle;
  return (await handle.readFile("utf8")).trim();
}

export interface CopyOrder {
  readonly source: FileSource;
  /** The name of its node. */
  readonly node: string;
  readonly held: HeldFile;
  /** The path of the copy. */
  readonly file: string;
}

/**
 * The outcome of a copy. `whole`: the same bytes, on the disk. `absent`: the node has no such file. `other`: a file of this
 * machine's own has the name and other content; both stay.
 */
export type Copied = "whole" | "absent" | "other";

/**
 * Copies a file of another node, also while it grows, and goes on after the last byte of an earlier try. The bytes that are here
 * already are compared by their SHA-256, and so are those that come. The copy gets the time of the last change.
 *
 * @throws RecorderdError STORAGE_OFFLINE if the node breaks off; a system error of this machine's disk; the signal's reason
 */
export async function copyHeld(order: CopyOrder, signal: AbortSignal): Promise<Copied> {
  const { source, held, file } = order;
  /** So many of the first bytes have been compared. */
  let proven = 0;
  for (;;) {
    const here = await sizeOf(file);
    const there = await source.state(held, here === proven ? 0 : here, signal);
    if (there === undefined) return "absent";
    if (here !== proven) {
      const beginning = await beginningOf(order, { here, there }, signal);
      if (beginning === "other") return "other";
      proven = beginning;
    }
    if (!there.isGrowing && proven >= there.bytes) {
      await finish(file, there);
      return "whole";
    }
    await markUnfinished(order);
    const more = await append(order, proven, signal);
    if (more === undefined) return "absent";
    proven += more;
  }
}

/**
 * The number of bytes that are here already, and the same as there. A copy with other bytes begins again: a machine that has
 * lost its power may have lost what it had written last.
 */
async function beginningOf(
  { source, held, file }: CopyOrder,
  { here, there }: { readonly here: number; readonly there: HeldState },
  signal: AbortSignal,
): Promise<number | "other"> {
  const common = Math.min(here, there.bytes);
  const theirs = there.bytes < here ? await source.state(held, common, signal) : there;
  if (theirs?.sha256 === (await digestOf(file, common))) return here;
  if ((await whoHasRest(file)) === undefined) return "other";
  await using handle = await open(file, "r+");
  await handle.truncate(0);
  return 0;
}

/** Writes what comes. @returns the number of bytes; `undefined` if the node does not have the file any more */
async function append(
  { source, held, file }: CopyOrder,
  from: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const content = await source.read(held, from, signal);
  if (content === undefined) return undefined;
  await using handle = await open(file, "a", 0o640);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const portion of content.portions) {
    await handle.writeFile(portion);
    hash.update(portion);
    bytes += portion.length;
  }
  if (content.sha256() === hash.digest("hex")) return bytes;
  // Nothing of it is proven.
  await handle.truncate(from);
  return 0;
}

/** Its name is on the disk before its content. */
async function markUnfinished({ file, node }: CopyOrder): Promise<void> {
  if ((await whoHasRest(file)) === node) return;
  await writeFile(copyMark(file), `${node}\n`, { mode: 0o640, flush: true });
}

async function finish(file: string, { modifiedAt }: HeldState): Promise<void> {
  if ((await whoHasRest(file)) === undefined) return;
  // In the middle of its millisecond: seconds with a fraction are not exact.
  const at = (modifiedAt + 0.5) / 1000;
  await utimes(file, at, at);
  await using handle = await open(file);
  await handle.sync();
  await rm(copyMark(file), { force: true });
  await syncFolder(dirname(file));
}

/** 0 if there is no such file. */
async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function digestOf(file: string, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  await using handle = await open(file);
  await digestInto(hash, handle, bytes);
  return hash.digest("hex");
}

/** Brings a small text, such as a log. @throws as `copyHeld` */
export async function copyText(
  { source, held, file }: Omit<CopyOrder, "node">,
  signal: AbortSignal,
): Promise<void> {
  const content = await source.read(held, 0, signal);
  if (content === undefined) return;
  const portions: Buffer[] = [];
  let bytes = 0;
  for await (const portion of content.portions) {
    bytes += portion.length;
    if (bytes <= NODE_LIMITS.textBytes) portions.push(portion);
  }
  await writeFile(file, Buffer.concat(portions), { mode: 0o600 });
}
