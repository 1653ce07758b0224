import { createReader, type Reader } from "./reader.ts";
import { en } from "./texts/en.ts";

/** Making one costs thousands of times as much as using it; there are no more of them than zones. */
const READERS = new Map<string, Reader>();

/**
 * The reader of English texts for engineers: the ledger, the log and the command line.
 *
 * @param timeZone IANA name
 */
export function englishReader(timeZone: string): Reader {
  const known = READERS.get(timeZone);
  if (known !== undefined) return known;
  const reader = createReader({ language: "en", locale: "en-GB", timeZone, text: en });
  READERS.set(timeZone, reader);
  return reader;
}
