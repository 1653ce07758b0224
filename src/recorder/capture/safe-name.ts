import { isReservedName } from "../../kit/files/reserved-name.ts";
import { graphemes } from "../../kit/text/graphemes.ts";

/**
 * Makes a text a safe part of a file name on ext4, NTFS, SMB and NFS: no separators, forbidden characters or lone surrogates, no
 * dots or spaces at its ends. May be empty.
 */
export function safePart(text: string): string {
  return (
    text
      .normalize("NFC")
      // Lone surrogates, control and format characters, except the two joiners that scripts and emoji need.
      .replace(/[\p{Cs}\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu, " ")
      .replace(/[/\\:*?"<>|]/g, (character) => SUBSTITUTES[character] ?? "-")
      .replace(/\s+/g, " ")
      .replace(/^[. ]+|[. ]+$/g, "")
  );
}

const SUBSTITUTES: Readonly<Record<string, string>> = { '"': "'", "<": "(", ">": ")", "*": "", "?": "" };

/** Avoids names that Windows keeps for devices. */
export function unreserved(name: string): string {
  return isReservedName(name) ? `_${name}` : name;
}

/** The longest prefix, in whole graphemes, that fits into so many bytes of UTF-8. */
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
