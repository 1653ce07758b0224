import type { Source } from "../../../model/ports.ts";
import type { SourceScheme } from "../../../model/source.ts";

const HTTP: ReadonlySet<string> = new Set<SourceScheme>(["http", "https"]);
const DATAGRAMS: ReadonlySet<string> = new Set<SourceScheme>(["udp", "rtp"]);
/** Supported options of udp and rtp addresses, in ffmpeg's spelling. */
const OPTIONS = ["localaddr", "reuse", "sources"];

/** Whether the capture host reads addresses of a scheme. */
export function isReadByHost(scheme: SourceScheme): boolean {
  return HTTP.has(scheme) || DATAGRAMS.has(scheme);
}

/** The reason why the capture host cannot read a source; `undefined` if it can. */
export function whyNotByHost({ url }: Source): string | undefined {
  if (!URL.canParse(url)) return "The address of the source cannot be read.";
  const { protocol, searchParams } = new URL(url);
  const scheme = protocol.slice(0, -1);
  if (HTTP.has(scheme)) return undefined;
  if (!DATAGRAMS.has(scheme)) return `The capture host does not read "${protocol}" addresses.`;
  const unknown = [...searchParams.keys()].find((name) => !OPTIONS.includes(name));
  return unknown === undefined
    ? undefined
    : `The capture host does not know the option "${unknown}" of the address.`;
}
