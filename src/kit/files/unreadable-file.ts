import { RecorderdError } from "../../model/errors.ts";

/** FILE_UNREADABLE with the system's error code. */
export function unreadableFile(file: string, cause: unknown): RecorderdError {
  const system = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  return new RecorderdError("FILE_UNREADABLE", `${file} cannot be read (${system}).`, { file }, { cause });
}
