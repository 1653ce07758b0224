const UTF8 = 0x15;
/** CR/LF of EN 300 468 table A.2. */
const LINE_BREAK = "\ue08a";

/**
 * Encodes descriptor text by EN 300 468 annex A: the default table for ASCII, UTF-8 for everything else.
 *
 * @param bytesMax longer text is cut between two characters
 */
export function encodeText(text: string, bytesMax: number): readonly number[] {
  if (/^[\x20-\x7e]*$/.test(text)) return [...Buffer.from(text.slice(0, bytesMax), "latin1")];
  const bytes = [UTF8];
  for (const character of text.replaceAll("\n", LINE_BREAK)) {
    const next = Buffer.from(character, "utf8");
    if (bytes.length + next.length > bytesMax) break;
    bytes.push(...next);
  }
  return bytes;
}
