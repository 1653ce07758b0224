import { isUtf8 } from "node:buffer";
import { WINDOWS_CHARACTERS } from "../../kit/xml/xml-encoding.ts";

/** A text of a listing as people read it. A name must match that of a service, and a title that of a rule. */
export function plainText(text: string): string {
  const read = withoutMarks(withoutSecondEncoding(withoutMisreading(text)));
  return read.replace(/\s+/g, " ").trim();
}

/** Some programs encode what is encoded already. */
function withoutSecondEncoding(text: string): string {
  if (!text.includes("&")) return text;
  return text
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&(?:#0*39|apos);/g, "'")
    .replace(/&quot;/g, '"');
}

const BREAK = /<\/?(?:br|p|div|li|ul|ol|h[1-6])(?:\s[^<>]*)?\/?>/gi;
const MARK = /<\/?(?:b|i|u|em|strong|span|font|small|big|sup|sub|a)(?:\s[^<>]*)?\/?>/gi;

/** Some programs write HTML as text. */
function withoutMarks(text: string): string {
  return text.includes("<") ? text.replace(BREAK, " ").replace(MARK, "") : text;
}

/** Some programs read UTF-8 as Windows-1252 and write that: `CafÃ©`. No other text is UTF-8 by chance. */
function withoutMisreading(text: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\uffff]/.test(text)) return text;
  const bytes = windowsBytes(text);
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString("utf8") : text;
}

const BYTES: ReadonlyMap<string, number> = new Map(
  [...WINDOWS_CHARACTERS].map((character, at) => [character, 0x80 + at] as const),
);

function windowsBytes(text: string): Buffer | undefined {
  const codes = [...text].map((character) => BYTES.get(character) ?? character.charCodeAt(0));
  return codes.every((code) => code <= 0xff) ? Buffer.from(codes) : undefined;
}
