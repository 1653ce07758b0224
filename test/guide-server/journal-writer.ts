import { crc32 } from "node:zlib";

/** Writes the lines of a journal, as earlier versions of the guide server did. */
export class JournalWriter {
  #checksum = 0;

  /** @param json without line ends */
  line(json: string): string {
    this.#checksum = crc32(json, this.#checksum);
    return `${this.#checksum.toString(16).padStart(8, "0")} ${json}\n`;
  }
}

/** A whole journal with only a snapshot, and the writer that continues it. */
export function snapshotText(entries: readonly unknown[]): {
  readonly text: string;
  readonly writer: JournalWriter;
} {
  const writer = new JournalWriter();
  const header = { format: "recorderd guide journal", version: 4, snapshot: entries.length };
  const lines = [header, ...entries].map((entry) => writer.line(JSON.stringify(entry)));
  return { text: lines.join(""), writer };
}
