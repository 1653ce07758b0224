import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 15;

/** Prints the slowest files at the end of a run, and those that need most of the processor: where the next minute can be saved. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    print("The slowest files, in seconds", modules, (module) => module.diagnostic().duration);
    print("The most processor time, in seconds", modules, (module) => module.meta().cpuMs ?? 0);
  }
}

function print(title: string, modules: readonly TestModule[], msOf: (module: TestModule) => number): void {
  const files = modules.map((module) => ({ name: module.relativeModuleId, ms: msOf(module) }));
  const all = files.reduce((sum, { ms }) => sum + ms, 0);
  const lines = files
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ name, ms }) => `${inSeconds(ms)} ${name}`);
  process.stdout.write(`\n${title}:\n${[...lines, `${inSeconds(all)} all files`].join("\n")}\n`);
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(8);
}
