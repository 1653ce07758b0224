import { SaxesParser } from "saxes";
import { xmlDecoder } from "./xml-encoding.ts";
import { XmlFrame } from "./xml-frame.ts";
import { type NestingRules, XmlNesting } from "./xml-nesting.ts";
import { type XmlRepair, XmlRepairer } from "./xml-repair.ts";

/** The parts of a document, in order. Text is complete: references are resolved, CDATA sections are text. */
export interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, line: number) => void;
  readonly text: (text: string, line: number) => void;
  readonly close: (name: string, line: number) => void;
}

export interface XmlStreamLimits {
  /** Nesting depth. */
  readonly depth: number;
  /** Bytes of one tag, or of the text between two tags. */
  readonly tokenBytes: number;
}

export interface XmlRepairs {
  /** Called for each repaired flaw. */
  readonly onRepair: (repair: XmlRepair) => void;
  /** Elements whose missing ends can be told. */
  readonly nesting: NestingRules;
}

/** The reason why a document is not well-formed. */
export class XmlFlaw extends Error {
  override readonly name = "XmlFlaw";
  /** From 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Reads XML as it arrives, with at most the current tag or text in memory. */
export interface XmlStream {
  /** @throws XmlFlaw, after which the stream is unusable */
  write(bytes: Uint8Array): void;
  /** @throws XmlFlaw when the document is incomplete */
  end(): void;
}

/**
 * A DOCTYPE may name a DTD, which is not fetched. Without repairs, a DOCTYPE with declarations is refused; with them, entities of
 * a few words are read.
 *
 * @param repairs absent: nothing is repaired, and a document with flaws is refused
 */
export function createXmlStream(
  handlers: XmlHandlers,
  limits: XmlStreamLimits,
  repairs?: XmlRepairs,
): XmlStream {
  const parser = new SaxesParser({ xmlns: false });
  let depth = 0;
  let sinceTag = 0;
  // Throws at once: otherwise the parser reports an error for every further character, which is slower than reading.
  const refuse = (reason: string) => {
    throw new XmlFlaw(parser.line, reason);
  };
  parser.on("error", (error) => refuse(error.message.replace(/^\d+:\d+: |\.$/g, "")));
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) refuse("a DOCTYPE with declarations is not accepted");
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
  const text = (chunk: string) => handlers.text(chunk, parser.line);
  parser.on("text", text);
  parser.on("cdata", text);
  const decode = xmlDecoder({
    refusal: (reason) => new XmlFlaw(parser.line, reason),
    ...(repairs && {
      onMismatch: (line, reason) => repairs.onRepair({ kind: "encoding", line, reason }),
    }),
  });
  const parse = (chunk: string) => {
    sinceTag += chunk.length;
    parser.write(chunk);
    if (sinceTag > limits.tokenBytes) {
      throw new XmlFlaw(parser.line, `a text or a tag is longer than ${limits.tokenBytes} bytes`);
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
      nesting: new XmlNesting({ ...repairs.nesting, depth: limits.depth }),
      refuse: tooMuch,
      tagLength: limits.tokenBytes,
    });
  const frame =
    repairs &&
    new XmlFrame({
      onRepair: (repair) => repairs.onRepair({ kind: "outside", ...repair }),
      tagLength: limits.tokenBytes,
    });
  const take = (chunk: string, last: boolean) =>
    repairer === undefined || frame === undefined
      ? parse(chunk)
      : repairer.write(frame.take(chunk, last), last);
  return {
    write: (bytes) => take(decode(bytes, false), false),
    end: () => {
      take(decode(new Uint8Array(), true), true);
      parser.close();
    },
  };
}
