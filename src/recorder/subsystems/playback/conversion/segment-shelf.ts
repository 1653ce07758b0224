import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../../kit/files/make-folder.ts";
import { writeFile } from "../../../../kit/files/steady-fs.ts";
import { systemCode } from "../../../../kit/machine/system-code.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import type { CutSegment } from "./segment-cutter.ts";

/** The converted segments of one conversion, as files around the place of the viewer. */
export class SegmentShelf {
  readonly #folder: string;
  /** In order. */
  readonly #files = new Map<number, string>();
  /** The segment requested last. */
  #wanted: number;
  /** The segment that is written next. */
  #next: number;

  constructor(folder: string, first: number) {
    this.#folder = folder;
    this.#wanted = first;
    this.#next = first;
  }

  get next(): number {
    return this.#next;
  }

  /** Whether the viewer will soon need this segment. */
  isNear(number: number): boolean {
    return number <= this.#wanted + PLAYBACK_LIMITS.convertAheadSegments;
  }

  /** Notes that the viewer wants this segment. @returns its file, if it is there */
  want(number: number): string | undefined {
    this.#wanted = number;
    return this.#files.get(number);
  }

  has(number: number): boolean {
    return this.#files.has(number);
  }

  /** @throws RecorderdError WRITE_FAILED */
  async add({ number, bytes }: CutSegment): Promise<void> {
    const file = join(this.#folder, `${number}.ts`);
    try {
      await makeFolder(this.#folder, 0o750);
      await writeFile(file, bytes, { mode: 0o640 });
    } catch (error) {
      throw new RecorderdError("WRITE_FAILED", `A converted part cannot be written: ${systemCode(error)}.`);
    }
    this.#files.set(number, file);
    this.#next = number + 1;
    for (const [old, path] of this.#files) {
      if (old >= this.#wanted - PLAYBACK_LIMITS.convertKeptSegments) break;
      this.#files.delete(old);
      await rm(path, { force: true });
    }
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
