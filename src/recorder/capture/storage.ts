import { stat } from "node:fs/promises";
import { systemCode } from "../../kit/machine/system-code.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";

/** For `catch`: ignores errors with these codes. */
export function ignoring(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(systemCode(error))) throw error;
  };
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Whether an error comes from a system call. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

const MOUNT = "check that its disk is mounted";
const MEANINGS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ["DISK_FULL", "free some space on its disk"],
  EDQUOT: ["DISK_FULL", "raise the quota of its disk"],
  EROFS: ["WRITE_FAILED", "its file system is read-only: see the kernel's log (dmesg), and check the disk"],
  ENOENT: ["STORAGE_OFFLINE", MOUNT],
  ENOTDIR: ["STORAGE_OFFLINE", MOUNT],
  ENODEV: ["STORAGE_OFFLINE", MOUNT],
  ESTALE: ["STORAGE_OFFLINE", MOUNT],
};

/** Explains a failed call on a recording's file. */
export function storageFailure(file: string, error: unknown): RecorderdError {
  if (error instanceof RecorderdError) return error;
  const system = systemCode(error);
  const [code, remedy] = MEANINGS[system] ?? [
    "WRITE_FAILED",
    "check its folder's owner and permissions, and the disk",
  ];
  const message = `${file} cannot be written (${system}): ${remedy}.`;
  return new RecorderdError(code, message, { file, system }, { cause: error });
}

/** Translates system errors to RecorderdErrors; other errors pass unchanged. */
export async function translatingErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isSystemError(error) ? storageFailure(file, error) : error;
  }
}
