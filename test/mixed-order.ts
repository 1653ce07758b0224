import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders whose tests take longest. The last ones of a run are short, so that no core idles at the end. */
const LONGEST = ["dashboard", "main-job"];
const LONGEST_END = 0.9;

/**
 * Spreads the files of each folder over the run. The tests of a folder are alike: some need a whole core, some wait, some compute. So
 * any few that run at once keep two cores busy. Projects come one after another, because each has processes of its own.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byFolder = new Map<string, TestSpecification[]>();
    for (const file of await super.sort(files)) {
      const folder = folderOf(file);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
    }
    return [...byFolder]
      .flatMap(([folder, own]) => placed(own, LONGEST.includes(folder) ? LONGEST_END : 1))
      .sort((one, other) => one.place - other.place)
      .map(({ file }) => file)
      .sort((one, other) => one.project.name.localeCompare(other.project.name));
  }
}

/** The folder in `test`; that of the recorder is large, and counts by its parts. */
function folderOf({ moduleId }: TestSpecification): string {
  const [, path = ""] = moduleId.split("/test/");
  return /^(?:recorder\/)?[^/]*/.exec(path)?.[0] ?? "";
}

/** Places in a run from 0 to 1, evenly up to `end`. */
function placed(files: readonly TestSpecification[], end: number) {
  return files.map((file, index) => ({ file, place: ((index + 0.5) / files.length) * end }));
}
