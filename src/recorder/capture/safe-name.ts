import { graphemes } from "../../kit/text/graphemes.ts";

/**
 * A text as a part of a file's name that ext4, NTFS, SMB and NFS take, and that cannot lead anywhere else: no separators, no
 * characters that one of them forbids, no halves of characters, no dots or spaces at its ends. May be empty.
 */
export function safePart(text: string): string {
  return (
    text
      .normalize("NFC")
      // Halves of characters, control and format characters; the two joiners that scripts and emoji need excepted.
      .replace(/[\p{Cs}\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu, " ")
      .replace(/[/\\:*?"<>|]/g, (character) => SUBSTITUTES[character] ?? "-")
      .replace(/\s+/g, " ")
      .replace(/^[. ]+|[. ]+$/g, "")
  );
}

const SUBSTITUTES: Readonly<Record<string, string>> = { '"': "'", "<": "(", ">": ")", "*": "", "?": "" };

/**
 * A name that no system keeps for a device, whatever ending it gets.
 *
 * @see Naming Files, Paths, and Namespaces (Microsoft)
 */
export function unreserved(name: string): string {
  return /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i.test(name)
    ? `_${name}`
    : name;
}

/** The first characters, as people count them, that fit into so many bytes of UTF-8. */
export function cut(text: string, bytesMax: number): string {
  if (bytesOf(text) <= bytesMax) return text;
  let bytes = 0;
  let end = 0;
  for (const { segment, index } of graphemes(text)) {
    bytes += bytesOf(segment);
    if (bytes > bytesMax) break;
    end = index + segment.length;
  }
  return text.slice(0, end).replace(/[. ]+$/, "");
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
