import { close, write } from "node:fs";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { openFd } from "../../kit/files/steady-fs.ts";
import { IndexEncoder, type IndexEnd, type StoredPoint } from "../../mpeg-ts/access-index/format.ts";
import type { FoundPoint } from "../../mpeg-ts/streams/access-points.ts";

// For the same reason as in file-inspection.ts, not the FileHandle of node:fs/promises.
const closeFd = promisify(close);
const writeFd = promisify(write) as (fd: number, bytes: Uint8Array) => Promise<{ bytesWritten: number }>;

/** Writes the index of a file that is being read from its beginning. A failure ends the index and nothing else. */
export class IndexWriter {
  readonly #file: string;
  readonly #onFailure: (file: string, error: unknown) => void;
  readonly #encoder = new IndexEncoder();
  /** Not yet written. */
  #waiting: Uint8Array[] = [this.#encoder.header()];
  #fd: number | undefined;
  #state: "new" | "begun" | "failed" = "new";
  #endBytes = 0;

  /** @param file path of the index; the first write replaces it */
  constructor(file: string, onFailure: (file: string, error: unknown) => void) {
    this.#file = file;
    this.#onFailure = onFailure;
  }

  add(point: FoundPoint & Pick<StoredPoint, "isAfterGap">, tables: Uint8Array): void {
    if (this.#state !== "failed") this.#waiting.push(this.#encoder.point(point, tables));
  }

  /** Writes the points that were added. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0 || this.#state === "failed") return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    try {
      this.#fd ??= await openFd(this.#file, this.#state === "new" ? "w" : "a", 0o640);
      this.#state = "begun";
      for (let at = 0; at < bytes.length; ) {
        at += (await writeFd(this.#fd, bytes.subarray(at))).bytesWritten;
      }
    } catch (error) {
      await this.#fail(error);
    }
  }

  /** The file was read up to `end`. More may follow. */
  async close(end: IndexEnd): Promise<void> {
    if (end.bytes > this.#endBytes) this.#waiting.push(this.#encoder.end(end));
    this.#endBytes = end.bytes;
    await this.flush();
    await this.#closeFile();
  }

  /** Removes the index: while the file grows, an incomplete one looks complete. */
  async #fail(error: unknown): Promise<void> {
    this.#state = "failed";
    await this.#closeFile();
    await rm(this.#file, { force: true }).catch(() => {});
    this.#onFailure(this.#file, error);
  }

  async #closeFile(): Promise<void> {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) await closeFd(fd).catch(() => {});
  }
}
