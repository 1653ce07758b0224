import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { systemCode } from "../machine/system-code.ts";

/** One file at one instant. An equal state means the same bytes, names and mode. */
export interface FileState {
  /** Device and inode; unique among files that exist at the same time. */
  readonly id: string;
  readonly bytes: number;
  /** Last change of content, in ns since 1970. */
  readonly modifiedNs: bigint;
  /** Last change of content, owner, mode or names, in ns since 1970. Programs cannot set it. */
  readonly changedNs: bigint;
}

/** Error codes for a missing file. Other failures say nothing about the file. */
const ABSENT: readonly string[] = ["ENOENT", "ENOTDIR"];

/**
 * @returns `undefined` if the file does not exist
 * @throws the system's error if the file cannot be examined
 */
export async function stateOf(file: string): Promise<FileState | undefined> {
  try {
    return stateFrom(await stat(file, { bigint: true }));
  } catch (error) {
    if (ABSENT.includes(systemCode(error))) return undefined;
    throw error;
  }
}

export function stateFrom({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileState {
  return { id: `${dev}:${ino}`, bytes: Number(size), modifiedNs: mtimeNs, changedNs: ctimeNs };
}

export function isSameState(one: FileState, other: FileState | undefined): boolean {
  return one.changedNs === other?.changedNs && isSameContent(one, other) && one.id === other.id;
}

/** Compares size and modification time. Both survive a new name, owner or mode, and `cp -p` to another disk. */
function isSameContent(
  one: Pick<FileState, "bytes" | "modifiedNs">,
  other: Pick<FileState, "bytes" | "modifiedNs"> | undefined,
): other is FileState {
  return one.bytes === other?.bytes && one.modifiedNs === other.modifiedNs;
}
