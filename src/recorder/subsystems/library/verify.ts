import { createHash } from "node:crypto";
import { dropFromPageCache } from "../../../kit/files/page-cache.ts";
import { readFile } from "../../../kit/files/steady-fs.ts";
import { readWholeFile } from "../../../kit/files/whole-read.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import type { Verified } from "./core/verifying.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { sidecarPath, sizeOf, standingOf } from "./removal.ts";

export interface VerifyParts {
  readonly clock: Clock;
  readonly onProgress?: (share: number) => void;
}

/**
 * Reads a recording's file and compares it with what was written. It reads from the disk, not from the page cache,
 * and leaves that to others afterwards. It changes nothing.
 *
 * @throws the signal's reason when it is aborted first
 */
export async function verifyFile(
  entry: LibraryEntry,
  { clock, onProgress = () => {} }: VerifyParts,
  signal: AbortSignal,
): Promise<Verified> {
  const { file, bytes } = entry;
  const standing = await standingOf(entry);
  if (standing.is === "missing" || standing.is === "unreadable") return { verdict: standing.is };
  if (standing.bytes !== bytes) {
    return { verdict: standing.bytes < bytes ? "truncated" : "changed", bytes: standing.bytes };
  }
  await dropFromPageCache(file);
  try {
    const found = await digestOf(file, { clock, onProgress: (read) => onProgress(read / bytes) }, signal);
    if (found === undefined) return { verdict: "changed", bytes };
    const wanted = entry.sha256 ?? (await sidecarSha256(entry));
    if (wanted === undefined) return { verdict: "unproven", ...found };
    return found.sha256 === wanted ? { verdict: "intact", ...found } : { verdict: "changed", bytes };
  } catch (error) {
    if (signal.aborted) throw error;
    return { verdict: "unreadable", bytes };
  } finally {
    await dropFromPageCache(file);
  }
}

/**
 * Size, SHA-256 and time of a file's content, read at a gentle pace.
 *
 * @returns `undefined` if it changed meanwhile
 * @throws the system's error
 */
export async function digestOf(
  file: string,
  { clock, onProgress = () => {} }: { readonly clock: Clock; readonly onProgress?: (bytes: number) => void },
  signal: AbortSignal,
): Promise<Required<Pick<Verified, "bytes" | "sha256" | "modifiedAt">> | undefined> {
  const hash = createHash("sha256");
  let bytes = 0;
  const take = (portion: Buffer) => {
    hash.update(portion);
    bytes += portion.length;
    onProgress(bytes);
    return true;
  };
  const pace = { clock, bytesPerSecond: LIBRARY_LIMITS.verifyReadBytesPerSecond };
  const state = await readWholeFile(file, { take, pace }, signal);
  if (state === undefined) return undefined;
  return { bytes, sha256: hash.digest("hex"), modifiedAt: Number(state.modifiedNs / 1_000_000n) };
}

/** An earlier recorder stored the SHA-256 only in the sidecar. */
async function sidecarSha256({ file, bytes, imported }: LibraryEntry): Promise<string | undefined> {
  if (imported !== undefined) return undefined;
  try {
    const sidecar = sidecarPath(file, ".json");
    if (((await sizeOf(sidecar)) ?? Number.POSITIVE_INFINITY) > LIBRARY_LIMITS.sidecarBytes) return undefined;
    const { file: written } = JSON.parse(await readFile(sidecar, "utf8"));
    return written.bytes === bytes && typeof written.sha256 === "string" ? written.sha256 : undefined;
  } catch {
    // The sidecar is missing, or someone else's: the content is unknown.
    return undefined;
  }
}
