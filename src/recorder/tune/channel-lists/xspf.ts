import { parseXml, type XmlElement } from "../../../kit/xml/xml.ts";
import { addressOf } from "./address.ts";
import { BadLine, type ChannelList, defined, ListBuilder, type ListedService } from "./list.ts";

/*
 * XSPF lists of addresses (https://xspf.org/spec): location and title of each track kept. All other elements are for players.
 * Programs that write lists in their own forms of XML have other root elements: they are not read.
 */

/** A larger list is refused: the whole of it is in memory. */
const LIMITS = {
  depth: 16,
  elements: 200_000,
  attributes: 200_000,
  tagAttributes: 100,
  tokenLength: 1024 * 1024,
} as const;

/** @returns `undefined` for XML of another kind */
export function parseXspf(text: string): ChannelList | undefined {
  const parsed = parseXml(text, LIMITS);
  const builder = new ListBuilder();
  if (parsed.kind !== "document") {
    if (!/<playlist[\s>]/.test(text.slice(0, 4096))) return undefined;
    builder.mistake(1, `expected XML: ${parsed.reason}`);
    return builder.list("xspf");
  }
  const { root } = parsed;
  if (root.name !== "playlist") return undefined;
  const tracks = childrenOf(childrenOf([root], "trackList"), "track");
  for (const [index, track] of tracks.entries()) {
    const line = index + 1;
    builder.try(line, () => {
      const [location] = childrenOf([track], "location");
      if (location === undefined) throw new BadLine("expected a location in the track");
      const name = childrenOf([track], "title")[0]?.text.trim() ?? "";
      return defined<ListedService>({ line, name, ids: {}, url: addressOf(location.text) });
    });
  }
  return builder.list("xspf");
}

function childrenOf(elements: readonly XmlElement[], name: string): readonly XmlElement[] {
  return elements.flatMap(({ children }) => children.filter((child) => child.name === name));
}
