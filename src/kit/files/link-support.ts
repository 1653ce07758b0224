/** Errors from file systems without hard links: FAT, exFAT, some network shares. */
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"];

/** Whether a link failed because the file system does not support hard links. */
export function isLinkUnsupported(error: unknown): boolean {
  return error instanceof Error && "code" in error && NO_LINKS.includes(error.code);
}
