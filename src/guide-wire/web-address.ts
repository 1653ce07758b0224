import { GUIDE_WIRE_LIMITS } from "./limits.ts";

/**
 * An address that strangers have written and that others will open: absolute, http or https, and without a user, whose
 * password would reach all of them.
 */
export function webAddress(text: string): string | undefined {
  if (text.length > GUIDE_WIRE_LIMITS.addressLength || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  const isFit = /^https?:$/.test(protocol) && username === "" && password === "";
  return isFit && href.length <= GUIDE_WIRE_LIMITS.addressLength ? href : undefined;
}
