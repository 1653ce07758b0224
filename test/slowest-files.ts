import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 15;

/** Prints the slowest files at the end of a run, in seconds: where the next minute can be saved. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms);
    if (files.length <= SHOWN) return;
    const lines = files
      .slice(0, SHOWN)
      .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} ${name}`);
    process.stdout.write(`\nThe slowest files, in seconds:\n${lines.join("\n")}\n`);
  }
}
