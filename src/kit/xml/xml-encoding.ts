import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

/** An XML declaration fits into these bytes. */
const DECLARATION_BYTES = 256;
/** Block size of the UTF-8 check in a document that declares another encoding. */
const BLOCK_BYTES = 64 * 1024;
/** Their bytes are ASCII, and mean other characters between escapes. */
const HAS_ESCAPES = /^(?:iso-2022|hz-)/i;
const WINDOWS = /^(?:iso-?8859-?1|latin-?1|windows-1252|cp-?1252|(?:us-)?ascii)$/i;
/** Windows-1252 from 0x80 to 0x9F; the rest is Latin-1. Node.js 20 decodes these as control characters. */
export const WINDOWS_CHARACTERS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

export type XmlDecoder = (bytes: Uint8Array, last: boolean) => string;

export interface EncodingParts {
  /** Reports a mismatch with the declared encoding: the line, from 1, and the reason. Without it, a mismatch is refused. */
  readonly onMismatch?: (line: number, reason: string) => void;
  readonly refusal: (reason: string) => Error;
}

/** The encoding is that of the byte order mark, else of the declaration, else UTF-8. */
export function xmlDecoder(parts: EncodingParts): XmlDecoder {
  let held: Uint8Array[] = [];
  let length = 0;
  let decode: XmlDecoder | undefined;
  return (bytes, last) => {
    if (decode !== undefined) return decode(bytes, last);
    // A copy: the caller may reuse its buffer.
    held.push(Buffer.from(bytes));
    length += bytes.length;
    if (length < DECLARATION_BYTES && !last) return "";
    const start = Buffer.concat(held);
    held = [];
    decode = decoderFor(start, parts);
    return decode(start, last);
  };
}

function decoderFor(start: Buffer, parts: EncodingParts): XmlDecoder {
  const { onMismatch, refusal } = parts;
  const { label, isReadable } = encodingOf(start);
  if (onMismatch !== undefined) {
    // A declaration readable byte by byte is not in UTF-16.
    if (isReadable && isUtf16(label)) {
      onMismatch(1, `the document declares ${label}, but is not: read as UTF-8`);
      return tolerant(onMismatch);
    }
    if (!isKnown(label)) {
      onMismatch(1, `its encoding ${label} is unknown: read as UTF-8`);
      return tolerant(onMismatch);
    }
    if (/^utf-?8$/i.test(label)) return tolerant(onMismatch);
    if (HAS_ESCAPES.test(label)) return declared(label, onMismatch);
    if (!isUtf16(label)) return undeclaredUtf8(label, onMismatch);
  }
  if (!isKnown(label)) throw refusal(`its encoding ${label} is unknown`);
  const text = new TextDecoder(label, { fatal: true });
  return (bytes, last) => {
    try {
      return text.decode(bytes, { stream: !last });
    } catch {
      throw refusal(`a character is not valid ${label}, the declared encoding`);
    }
  };
}

function isUtf16(label: string): boolean {
  return /^utf-?16/i.test(label);
}

function isKnown(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

function encodingOf(start: Buffer): { readonly label: string; readonly isReadable: boolean } {
  if (start.length >= 2 && start.readUInt16BE(0) === 0xfeff) return { label: "utf-16be", isReadable: false };
  if (start.length >= 2 && start.readUInt16LE(0) === 0xfeff) return { label: "utf-16le", isReadable: false };
  // Without a byte order mark, the first `<` shows the order (XML 1.0 appendix F).
  if (start.length >= 4 && start.readUInt32BE(0) === 0x003c_003f)
    return { label: "utf-16be", isReadable: false };
  if (start.length >= 4 && start.readUInt32LE(0) === 0x003f_003c)
    return { label: "utf-16le", isReadable: false };
  const head = start.toString("latin1", 0, DECLARATION_BYTES);
  const declared = /^(?:ï»¿)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  return { label: declared ?? "utf-8", isReadable: declared !== undefined };
}

type OnMismatch = NonNullable<EncodingParts["onMismatch"]>;

/** UTF-8; an invalid byte becomes its Windows-1252 character, the usual source of such documents. */
function tolerant(onWrong: OnMismatch): XmlDecoder {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  let isFirst = true;
  return (bytes, last) => {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : Buffer.from(bytes);
    const end = last ? all.length : all.length - incompleteTail(all);
    rest = all.subarray(end);
    const part = all.subarray(0, end);
    let text: string;
    const begin = line;
    if (isUtf8(part)) text = part.toString("utf8");
    else {
      text = mixedText(part, (before) => {
        line += newlinesIn(before);
        onWrong(line, "a byte that is not UTF-8 is read as Windows-1252");
      });
    }
    line = begin + newlinesIn(text);
    if (!isFirst || text === "") return text;
    isFirst = false;
    return text.replace(/^\ufeff/, "");
  };
}

function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc2) return lengthFrom(byte) > back ? back : 0;
  }
  return 0;
}

function lengthFrom(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** @param onByte called before each byte that is not UTF-8, with the text since the last one */
function mixedText(bytes: Buffer, onByte: (before: string) => void): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : lengthFrom(byte);
    if (
      byte < 0x80 ||
      (length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)))
    ) {
      at += length;
      continue;
    }
    const before = bytes.toString("utf8", from, at);
    onByte(before);
    parts.push(before, WINDOWS_CHARACTERS[byte - 0x80] ?? String.fromCharCode(byte));
    at += 1;
    from = at;
  }
  parts.push(bytes.toString("utf8", from));
  return parts.join("");
}

/** For a declared encoding with ASCII: the first block with non-ASCII bytes shows whether it is UTF-8. */
function undeclaredUtf8(label: string, onWrong: OnMismatch): XmlDecoder {
  let held: Uint8Array[] = [];
  let length = 0;
  let line = 1;
  let decode: XmlDecoder | undefined;
  return (bytes, last) => {
    if (decode !== undefined) return decode(bytes, last);
    held.push(Buffer.from(bytes));
    length += bytes.length;
    if (length < BLOCK_BYTES && !last) return "";
    const block = Buffer.concat(held);
    [held, length] = [[], 0];
    const whole = block.subarray(0, block.length - incompleteTail(block));
    const first = block.findIndex((byte) => byte >= 0x80);
    if (first < 0) {
      const text = block.toString("latin1");
      line += newlinesIn(text);
      return text;
    }
    if (isUtf8(whole) && whole.length > first) {
      const at = line + newlinesIn(block.toString("latin1", 0, first));
      onWrong(at, `the document declares ${label}, but is UTF-8`);
      decode = tolerant((more, reason) => onWrong(line + more - 1, reason));
    } else if (WINDOWS.test(label)) decode = windowsText;
    else decode = declared(label, (more, reason) => onWrong(line + more - 1, reason));
    return decode(block, last);
  };
}

/** Bytes without a meaning in the encoding become U+FFFD. */
function declared(label: string, onWrong: OnMismatch): XmlDecoder {
  const decoder = new TextDecoder(label);
  let line = 1;
  return (bytes, last) => {
    const text = decoder.decode(bytes, { stream: !last });
    const pieces = text.split("\ufffd");
    for (const [index, piece] of pieces.entries()) {
      line += newlinesIn(piece);
      if (index < pieces.length - 1) onWrong(line, `a character is not valid ${label}: read as \ufffd`);
    }
    return text;
  };
}

function windowsText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  return text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_CHARACTERS[char.charCodeAt(0) - 0x80] ?? char);
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
