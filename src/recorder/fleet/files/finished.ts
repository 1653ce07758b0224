import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Log } from "../../../kit/log.ts";
import type { FinishedFiles } from "../../../model/planned-capture.ts";
import { workFolder } from "../../capture/files.ts";
import { exists } from "../../capture/storage.ts";
import { copyHeld } from "./file-copy.ts";
import type { FileSource } from "./file-source.ts";
import { type HeldFile, requestPath } from "./held-file.ts";

export interface BringParts {
  /** The name of the node. */
  readonly node: string;
  readonly source: FileSource;
  /** The folder of finished recordings, at the same path on all nodes. */
  readonly folder: string;
  readonly finished: () => readonly FinishedFiles[];
  /** Gives a copy its place. @returns false if another file has it */
  readonly takeIn: (partial: string, file: string) => Promise<boolean>;
  /** Tells the node that this machine has the file. */
  readonly drop: (path: string) => Promise<unknown>;
  readonly log: Log;
}

/**
 * Brings home what a node has recorded while it led in the place of the home. Each recording comes after the files beside it, so
 * that it is whole when it is there.
 *
 * @throws RecorderdError STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED, or a system error of this machine's disk; the signal's reason
 */
export async function bringRecordings(parts: BringParts, signal: AbortSignal): Promise<void> {
  const { folder, finished, drop, log, node } = parts;
  for (const { file, beside } of finished()) {
    if (!file.startsWith(folder + sep)) continue;
    const all = [...beside, file].map((each) => relative(folder, each));
    const isMissing = !(await exists(file));
    if (isMissing && (await parts.source.state(heldAt(relative(folder, file)), 0, signal)) === undefined)
      continue;
    if (isMissing) for (const path of all) if (!(await bring(path, parts, signal))) break;
    if (!(await exists(file))) continue;
    for (const path of all) await drop(requestPath(heldAt(path)));
    if (isMissing) log.info("a recording of another node is here now", { node, file });
  }
}

/** @returns false if another file has its place: both stay */
async function bring(
  path: string,
  { node, source, folder, takeIn, log }: BringParts,
  signal: AbortSignal,
): Promise<boolean> {
  const file = join(folder, path);
  if (await exists(file)) return true;
  const name = createHash("sha256").update(path).digest("hex").slice(0, 32);
  const partial = join(workFolder(folder), `${name}.coming`);
  const copied = await copyHeld({ source, node, held: heldAt(path), file: partial }, signal);
  if (copied === "absent") return true;
  if (copied === "whole" && (await takeIn(partial, file))) return true;
  log.error("a recording of another node cannot get its place: another file has its name", { node, file });
  await rm(partial, { force: true });
  return false;
}

function heldAt(path: string): HeldFile {
  return { kind: "recording", path };
}
