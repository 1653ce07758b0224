import type { Source } from "../../../model/ports.ts";

const HTTP = /^https?:$/;
const DATAGRAMS = /^(udp|rtp):$/;
/** Options of udp and rtp addresses that are understood, as ffmpeg writes them. */
const OPTIONS = ["localaddr", "reuse", "sources"];

/** Why the capture host cannot read a source; `undefined` where it can. */
export function whyNotByHost({ url }: Source): string | undefined {
  if (!URL.canParse(url)) return "The address of the source cannot be read.";
  const { protocol, searchParams } = new URL(url);
  if (HTTP.test(protocol)) return undefined;
  if (!DATAGRAMS.test(protocol)) return `The capture host does not read "${protocol}" addresses.`;
  const unknown = [...searchParams.keys()].find((name) => !OPTIONS.includes(name));
  return unknown === undefined
    ? undefined
    : `The capture host does not know the option "${unknown}" of the address.`;
}
