/**
 * The upper half of DVB's default character table: ISO/IEC 6937 with the euro sign (EN 300 468 figure A.1), sixteen to a row
 * from 0xA0. `\0` has no character. Row 0xC0 holds the marks that precede their letter.
 */
const UPPER = [
  "\u00a0¡¢£€¥\0§¤‘“«←↑→↓",
  "°±²³×µ¶·÷’”»¼½¾¿",
  "\0\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\0\u030a\u0327\0\u030b\u0328\u030c",
  "―¹®©™♪¬¦\0\0\0\0⅛⅜⅝⅞",
  "ΩÆĐªĦ\0ĲĿŁØŒºÞŦŊŉ",
  "ĸæđðħıĳŀłøœßþŧŋ\u00ad",
].join("");

export function decodeIso6937(bytes: Uint8Array): string {
  let text = "";
  let mark = "";
  for (const byte of bytes) {
    const character = byte < 0x80 ? String.fromCharCode(byte) : (UPPER[byte - 0xa0] ?? "\0");
    if (byte >= 0xc0 && byte < 0xd0) {
      mark = character;
    } else {
      text += character + mark;
      mark = "";
    }
  }
  return text.replaceAll("\0", "").normalize("NFC");
}
