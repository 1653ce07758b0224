import { RecorderdError } from "../../model/errors.ts";

/** FILE_UNREADABLE with the system's error code. An error that has its message already stays as it is. */
export function unreadableFile(file: string, cause: unknown): RecorderdError {
  if (cause instanceof RecorderdError) return cause;
  const system = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  return new RecorderdError("FILE_UNREADABLE", `${file} cannot be read (${system}).`, { file }, { cause });
}
