import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { systemCode } from "../machine/system-code.ts";

/** One file at one instant. The same again means that none of its bytes, its names and its modes has changed. */
export interface FileState {
  /** Device and inode: they tell files apart that are there at the same time. */
  readonly id: string;
  readonly bytes: number;
  /** Of the last change of content, in ns since 1970. */
  readonly modifiedNs: bigint;
  /** Of the last change of content, owner, mode or names, in ns since 1970. No program can set it. */
  readonly changedNs: bigint;
}

/** The system's answer that a name leads to no file. Every other failure says nothing about the file. */
const ABSENT: readonly string[] = ["ENOENT", "ENOTDIR"];

/**
 * @returns `undefined` where there is no such file
 * @throws the system's error where it cannot be looked at
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

/** As far as size and time of change tell. A file keeps both when it gets another name, owner or mode, or another disk by `cp -p`. */
function isSameContent(
  one: Pick<FileState, "bytes" | "modifiedNs">,
  other: Pick<FileState, "bytes" | "modifiedNs"> | undefined,
): other is FileState {
  return one.bytes === other?.bytes && one.modifiedNs === other.modifiedNs;
}
