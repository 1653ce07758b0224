/** The system's word for a failure, such as `ENOENT`; where it has none, what was thrown says of itself. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
