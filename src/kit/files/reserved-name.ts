/**
 * Whether Windows keeps a name for a device, whatever the ending.
 *
 * @see Naming Files, Paths, and Namespaces (Microsoft)
 */
export function isReservedName(name: string): boolean {
  return /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i.test(name);
}
