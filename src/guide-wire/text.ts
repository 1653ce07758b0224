import { isUtf8 } from "node:buffer";

/*
 * Converts bytes to text and back. Services declare one encoding and send another, so the bytes decide: text that is
 * valid UTF-8 is UTF-8, whatever is declared. Other text has the declared encoding or windows-1252, which agrees
 * with ISO-8859-1 on every printable character.
 */

/** windows-1252 from 0x80 to 0x9F; unassigned bytes are the control characters of ISO-8859-1. */
const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Decodes a body and drops a byte order mark. `charset` comes from its content type. */
export function textOf(body: Uint8Array, charset: string | undefined): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length >= 2 && bytes.readUInt16BE(0) === 0xfeff) return decoded(bytes, "utf-16be") ?? "";
  if (bytes.length >= 2 && bytes.readUInt16LE(0) === 0xfeff) return decoded(bytes, "utf-16le") ?? "";
  if (isUtf8(bytes)) return bytes.toString("utf8").replace(/^\ufeff/, "");
  const declared = charset ?? declaredEncoding(bytes) ?? "";
  const ours = /^(utf-?8|iso-?8859-1|latin-?1|windows-1252|(us-)?ascii|)$/i.test(declared);
  return (ours ? undefined : decoded(bytes, declared)) ?? windows1252(bytes);
}

function declaredEncoding(bytes: Buffer): string | undefined {
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes.toString("latin1", 0, 200))?.[1];
}

function decoded(bytes: Buffer, label: string): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Own implementation: TextDecoder in some versions of Node.js reads windows-1252 as ISO-8859-1. */
function windows1252(bytes: Buffer): string {
  const text = bytes.toString("latin1").replace(/^\u00ef\u00bb\u00bf/, "");
  return text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? char);
}

/**
 * Encodes XML as ISO-8859-1, other characters as references. If the bytes are also valid UTF-8 (`Ã©`), every
 * character beyond ASCII becomes a reference, so that a reader that guesses the encoding still gets the right text.
 */
export function latin1Xml(text: string): Buffer {
  const body = Buffer.from(referenced(text, /[^\t\n\u0020-\u007e\u00a0-\u00ff]/gu), "latin1");
  return isUtf8(body) ? Buffer.from(referenced(text, /[^\t\n\u0020-\u007e]/gu), "latin1") : body;
}

function referenced(text: string, chars: RegExp): string {
  return text.replace(chars, (char) => `&#${char.codePointAt(0)};`);
}

/** JSON in ASCII, other characters as `\u…`: readable in every encoding. */
export function asciiJson(text: string): Buffer {
  const ascii = text.replace(
    /[^\u0020-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return Buffer.from(ascii, "latin1");
}
