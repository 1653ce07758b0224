import { SaxesParser } from "saxes";

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

/** An XML declaration is within the first bytes, or there is none. */
const DECLARATION_BYTES = 256;

/**
 * A DOCTYPE may name a DTD, which is not fetched; one that declares anything is refused, and with it every entity but those of
 * XML itself.
 */
export function createXmlStream(handlers: XmlHandlers, limits: XmlStreamLimits): XmlStream {
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
  const decode = decoder((reason) => new XmlFlaw(parser.line, reason));
  const take = (piece: string) => {
    sinceTag += piece.length;
    parser.write(piece);
    if (sinceTag > limits.pieceBytes) {
      throw new XmlFlaw(parser.line, `a text or a tag is longer than ${limits.pieceBytes} bytes`);
    }
  };
  return {
    write: (bytes) => take(decode(bytes, false)),
    end: () => {
      take(decode(new Uint8Array(), true));
      parser.close();
    },
  };
}

/** The encoding is that of the byte order mark, else of the declaration, else UTF-8; a byte that is none of it is a flaw. */
function decoder(flawOf: (reason: string) => XmlFlaw): (bytes: Uint8Array, last: boolean) => string {
  let held = Buffer.alloc(0);
  let chosen: ReturnType<typeof chosenFor> | undefined;
  return (bytes, last) => {
    if (chosen === undefined) {
      held = Buffer.concat([held, bytes]);
      if (held.length < DECLARATION_BYTES && !last) return "";
      chosen = chosenFor(held, flawOf);
    }
    const { label, text } = chosen;
    const given = held.length > 0 ? held : bytes;
    held = Buffer.alloc(0);
    try {
      return text.decode(given, { stream: !last });
    } catch {
      throw flawOf(`a character is not ${label}, which the document says it is in`);
    }
  };
}

function chosenFor(start: Buffer, flawOf: (reason: string) => XmlFlaw) {
  const label = encodingOf(start);
  try {
    return { label, text: new TextDecoder(label, { fatal: true }) };
  } catch {
    throw flawOf(`its encoding ${label} is not known`);
  }
}

function encodingOf(start: Buffer): string {
  if (start.length >= 2 && start.readUInt16BE(0) === 0xfeff) return "utf-16be";
  if (start.length >= 2 && start.readUInt16LE(0) === 0xfeff) return "utf-16le";
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start.toString("latin1"))?.[1];
  return declared ?? "utf-8";
}
