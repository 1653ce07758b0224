import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { realpath } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openPlainFile } from "../../../kit/files/plain-file.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { NODE_LIMITS } from "../limits.ts";
import type { NodeFiles } from "../ports.ts";
import { fileAtPath, type HeldFile, type HeldState } from "./held-file.ts";

/** The SHA-256 of the bytes of an answer, in its trailer. */
export const DIGEST_TRAILER = "recorderd-sha256";
const STATE = "/state";

/** The address of a request for the state of a file, with the digest of its first bytes. */
export function statePath(path: string, bytes: number): string {
  return `${STATE}${path}?bytes=${bytes}`;
}

/**
 * Answers the requests of a leader for the files of this node: `GET /segments/ID?from=BYTES` sends the bytes from there on, of a
 * segment that still grows until its capture has ended. `GET /state/segments/ID?bytes=BYTES` sends a `HeldState`. 404: no such file.
 */
export async function answerForFile(
  request: IncomingMessage,
  answer: ServerResponse,
  { files, clock }: { readonly files: NodeFiles; readonly clock: Clock },
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://node");
  const asksState = pathname.startsWith(`${STATE}/`);
  const file = fileAtPath(asksState ? pathname.slice(STATE.length) : pathname);
  const count = countOf(searchParams.get(asksState ? "bytes" : "from"));
  if (file === undefined || count === undefined) return refuse(answer, 400);
  const over = new AbortController();
  answer.once("close", () => over.abort());
  const handle = await openedOnceThere(file, { files, clock, signal: over.signal });
  if (handle === undefined) return refuse(answer, 404);
  await using _closed = handle;
  if (asksState) {
    const state = await stateOf(handle, { bytes: count, isGrowing: () => files.isGrowing(file) });
    answer.writeHead(200, { "content-type": "application/json", connection: "close" });
    return void answer.end(JSON.stringify(state));
  }
  const isGrowing = () => files.isGrowing(file);
  const hash = createHash("sha256");
  answer.writeHead(200, { trailer: DIGEST_TRAILER, connection: "close" });
  const content = contentOf(handle, { from: count, hash, isGrowing, clock, signal: over.signal });
  await pipeline(Readable.from(content, { objectMode: false }), answer, { end: false });
  answer.addTrailers({ [DIGEST_TRAILER]: hash.digest("hex") });
  answer.end();
}

function refuse(answer: ServerResponse, status: number): void {
  answer.writeHead(status, { connection: "close" });
  answer.end();
}

/** @returns `undefined` for anything but a count */
function countOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A capture may have begun before its file is there. */
async function openedOnceThere(
  file: HeldFile,
  {
    files,
    clock,
    signal,
  }: { readonly files: NodeFiles; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<FileHandle | undefined> {
  for (;;) {
    const mayCome = file.kind === "segment" && (await files.isGrowing(file));
    const handle = await opened(file, files);
    if (handle !== undefined || !mayCome || signal.aborted) return handle;
    await clock.sleep(NODE_LIMITS.followMs, signal).catch(() => {});
  }
}

/** @returns `undefined` if there is no such file, or a link leads out of the folder */
async function opened(file: HeldFile, files: NodeFiles): Promise<FileHandle | undefined> {
  const { path, root } = files.placeOf(file);
  try {
    const folder = await realpath(dirname(path));
    const inside = await realpath(root);
    if (folder !== inside && !folder.startsWith(inside + sep)) return undefined;
    return await openPlainFile(path, { follows: false });
  } catch {
    return undefined;
  }
}

async function stateOf(
  handle: FileHandle,
  { bytes, isGrowing }: { readonly bytes: number; readonly isGrowing: () => Promise<boolean> },
): Promise<HeldState> {
  // The order matters: what a capture that has ended has written is in the size.
  const grows = await isGrowing();
  const { size, mtimeMs } = await handle.stat();
  const hash = createHash("sha256");
  await digestInto(hash, handle, bytes);
  return { bytes: size, modifiedAt: Math.floor(mtimeMs), isGrowing: grows, sha256: hash.digest("hex") };
}

/** Adds the first bytes of a file to a digest; fewer if it has fewer. */
export async function digestInto(hash: Hash, handle: FileHandle, bytes: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(NODE_LIMITS.fileReadBytes);
  for (let position = 0; position < bytes; ) {
    const length = Math.min(buffer.length, bytes - position);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    if (bytesRead === 0) return;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

async function* contentOf(
  handle: FileHandle,
  {
    from,
    hash,
    isGrowing,
    clock,
    signal,
  }: {
    readonly from: number;
    readonly hash: Hash;
    readonly isGrowing: () => Promise<boolean>;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<Buffer, void, undefined> {
  let grows = true;
  for (let position = from; ; ) {
    const buffer = Buffer.allocUnsafe(NODE_LIMITS.fileReadBytes);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead > 0) {
      position += bytesRead;
      const portion = buffer.subarray(0, bytesRead);
      hash.update(portion);
      yield portion;
    } else if (grows) {
      // A capture that does not run any more has written all its bytes: one more read gets them.
      grows = await isGrowing();
      if (grows) await clock.sleep(NODE_LIMITS.followMs, signal);
    } else return;
  }
}
