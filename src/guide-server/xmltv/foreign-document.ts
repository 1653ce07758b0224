import { XmlFlaw, type XmlStream } from "../../kit/xml/xml-stream.ts";

/** Enough of a document to see what it is. */
const BEGINNING_BYTES = 512;

/** Documents that servers send instead of a listing, such as a page about an error with status 200. */
const KINDS: readonly (readonly [beginning: RegExp, kind: string])[] = [
  [/^(?:<!doctype html|<html|<head|<body)/i, "a web page"],
  [/^#EXTM3U/i, "a playlist"],
  [/^[[{]/, "JSON"],
  [/^[^<]+$/, "text without any element"],
  [/^$/, "empty"],
];

/**
 * Wraps a stream: if the document is no listing at all, the flaw says what it is.
 *
 * @param hasBegun whether the root element of a listing was read
 */
export function namingForeign(stream: XmlStream, hasBegun: () => boolean): XmlStream {
  let beginning = Buffer.alloc(0);
  const named = (read: () => void) => {
    try {
      read();
    } catch (error) {
      const kind = error instanceof XmlFlaw && !hasBegun() ? kindOf(beginning) : undefined;
      if (kind === undefined) throw error;
      throw new XmlFlaw(1, `it is ${kind}, not a listing: check its address`);
    }
  };
  return {
    write: (bytes) => {
      const wanted = BEGINNING_BYTES - beginning.length;
      if (wanted > 0) beginning = Buffer.concat([beginning, bytes.subarray(0, wanted)]);
      named(() => stream.write(bytes));
    },
    end: () => named(() => stream.end()),
  };
}

function kindOf(beginning: Buffer): string | undefined {
  const text = beginning.toString("utf8").replace(/^\ufeff?\s*/, "");
  return KINDS.find(([pattern]) => pattern.test(text))?.[1];
}
