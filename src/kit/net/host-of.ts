/** The host of an address, without the brackets of IPv6. */
export function hostOf(url: string | URL): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}
