import { BaseSequencer, type TestSpecification } from "vitest/node";
import { WAITING } from "./process-groups.ts";

/** Starts tests that wait before tests that compute: a run that ends with a long wait leaves the cores idle. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = WAITING.findIndex((folder) => moduleId.includes(folder));
  return at === -1 ? WAITING.length : at;
}
