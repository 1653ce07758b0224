import { BaseSequencer, type TestSpecification } from "vitest/node";
import { BROWSING, WAITING } from "./process-groups.ts";

/** Share of a run within which a group of files begins. What comes last is short, so that no core idles at the end. */
const BROWSING_ENDS = 0.7;
const WAITING_ENDS = 0.9;

/** Mixes tests that need a whole core, tests that wait and tests that compute: any few that run at once keep two cores busy. */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const browsing = sorted.filter((file) => rank(file, BROWSING) >= 0);
    const waiting = sorted.filter((file) => rank(file, WAITING) >= 0);
    waiting.sort((one, other) => rank(one, WAITING) - rank(other, WAITING));
    const computing = sorted.filter((file) => !browsing.includes(file) && !waiting.includes(file));
    const placed = [
      ...spread(browsing, BROWSING_ENDS),
      ...spread(waiting, WAITING_ENDS),
      ...spread(computing, 1),
    ];
    return placed.sort((one, other) => one.place - other.place).map(({ file }) => file);
  }
}

/** Places of files in a run from 0 to 1, evenly up to `end`. */
function spread(files: readonly TestSpecification[], end: number) {
  return files.map((file, index) => ({ file, place: (index / files.length) * end }));
}

/** The place of a file's folder in a list of folders, or -1. */
function rank({ moduleId }: TestSpecification, folders: readonly string[]): number {
  return folders.findIndex((folder) => moduleId.includes(folder));
}
