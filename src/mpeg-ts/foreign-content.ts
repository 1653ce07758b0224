/** How other kinds of text begin, after white space. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:<!doctype html|<html|<head|<body)/i, "a web page"],
  [/^#EXTM3U/, "a playlist, whose entries are the streams"],
  [/^<\?xml|^<[a-z]/i, "an XML document"],
  [/^[[{]\s*["[{\]}]/, "a JSON document"],
];
/** The first bytes of other kinds, in hexadecimal; a dot stands for any digit. */
const BYTES: readonly (readonly [RegExp, string])[] = [
  [/^.{8}66747970/, "an MP4 file"],
  [/^1a45dfa3/, "a Matroska file"],
  [/^464c5601/, "a Flash video"],
  [/^(?:494433|fff[23b])/, "an MP3 stream"],
  [/^fff[19]/, "an AAC stream"],
  [/^4f676753/, "an Ogg stream"],
  [/^000001ba/, "an MPEG program stream"],
  [/^1f8b/, "a gzip file"],
];
const TEXT_BYTES = 512;
const FIRST_BYTES = 8;

/** The kind of content that begins so, if it is a known one that is no transport stream. */
export function foreignContentOf(beginning: Uint8Array): string | undefined {
  const bytes = Buffer.from(beginning.subarray(0, TEXT_BYTES));
  const text = bytes.toString("utf8").replace(/^\ufeff?\s*/, "");
  const first = bytes.toString("hex", 0, FIRST_BYTES);
  const found =
    TEXTS.find(([pattern]) => pattern.test(text)) ?? BYTES.find(([pattern]) => pattern.test(first));
  return found?.[1];
}
