import { SaxesParser } from "saxes";
import { xmlDecoder } from "./xml-encoding.ts";
import { XmlNesting } from "./xml-nesting.ts";
import { type XmlRepair, XmlRepairer } from "./xml-repair.ts";

/** What a document is made of, in order. Text is whole: references are resolved, CDATA sections are text. */
export interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, line: number) => void;
  readonly text: (text: string, line: number) => void;
  readonly close: (name: string, line: number) => void;
}

export interface XmlStreamLimits {
  /** Elements within elements. */
  readonly depth: number;
  /** Bytes between two tags, and of one tag. */
  readonly pieceBytes: number;
}

export interface XmlRepairs {
  /** Told of each flaw that was repaired. */
  readonly onRepair: (repair: XmlRepair) => void;
  /** Names of the elements that hold nothing but text: marks within them that are not closed are repaired. */
  readonly texts: ReadonlySet<string>;
}

/** Why a document is not well-formed. */
export class XmlFlaw extends Error {
  override readonly name = "XmlFlaw";
  /** From 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Reads XML as it comes, with no more in memory than the tag or the text that is being read. */
export interface XmlStream {
  /** @throws XmlFlaw, after which there is nothing more to be read */
  write(bytes: Uint8Array): void;
  /** @throws XmlFlaw when the document is not complete */
  end(): void;
}

/**
 * A DOCTYPE may name a DTD, which is not fetched; one that declares anything is refused, and with it every entity but those of
 * XML itself.
 *
 * @param repairs without it nothing is repaired, and a document with flaws is refused
 */
export function createXmlStream(
  handlers: XmlHandlers,
  limits: XmlStreamLimits,
  repairs?: XmlRepairs,
): XmlStream {
  const parser = new SaxesParser({ xmlns: false });
  let depth = 0;
  let sinceTag = 0;
  // Thrown at once: a parser that goes on finds an error in every further character, and each costs more than reading it.
  const refuse = (reason: string) => {
    throw new XmlFlaw(parser.line, reason);
  };
  parser.on("error", (error) => refuse(error.message.replace(/^\d+:\d+: |\.$/g, "")));
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) refuse("a DOCTYPE that declares something is not read");
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    sinceTag = 0;
    if (depth > limits.depth) refuse(`elements are nested more than ${limits.depth} deep`);
    handlers.open(name, attributes, parser.line);
  });
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    sinceTag = 0;
    handlers.close(name, parser.line);
  });
  const text = (piece: string) => handlers.text(piece, parser.line);
  parser.on("text", text);
  parser.on("cdata", text);
  const decode = xmlDecoder({
    refusal: (reason) => new XmlFlaw(parser.line, reason),
    ...(repairs && {
      onWrong: (line, reason) => repairs.onRepair({ kind: "encoding", line, reason }),
    }),
  });
  const parse = (piece: string) => {
    sinceTag += piece.length;
    parser.write(piece);
    if (sinceTag > limits.pieceBytes) {
      throw new XmlFlaw(parser.line, `a text or a tag is longer than ${limits.pieceBytes} bytes`);
    }
  };
  const tooMuch = (line: number, reason: string) => {
    throw new XmlFlaw(line, reason);
  };
  const repairer =
    repairs &&
    new XmlRepairer({
      write: parse,
      onRepair: repairs.onRepair,
      nesting: new XmlNesting({ texts: repairs.texts, depth: limits.depth }),
      refuse: tooMuch,
      tagLength: limits.pieceBytes,
    });
  const take = (piece: string, last: boolean) =>
    repairer === undefined ? parse(piece) : repairer.write(piece, last);
  return {
    write: (bytes) => take(decode(bytes, false), false),
    end: () => {
      take(decode(new Uint8Array(), true), true);
      parser.close();
    },
  };
}
