/** File systems say this that have no hard links: FAT, exFAT, some network shares. */
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"];

/** Whether a file could not be given a second name because its file system knows no such thing. */
export function meansNoLinks(error: unknown): boolean {
  return error instanceof Error && "code" in error && NO_LINKS.includes(error.code);
}
