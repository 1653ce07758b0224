/** The system's error code, such as `ENOENT`; else the error's own text. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
