import { appendFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Environment variable: the file to which the failures of a run are added. Several runs at once may have one. */
const FILE = "FAILED_TESTS";
const LINES_SHOWN = 12;

/** Writes each failure in a few lines, for the end of a log that was shown in part. */
export class FailedTests implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly { readonly message: string; readonly stack?: string }[],
  ): void {
    const file = process.env[FILE];
    if (file === undefined) return;
    const texts = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map(({ message, stack }) => `an error outside of tests\n${stack ?? message}`),
    ];
    for (const text of texts)
      appendFileSync(file, `${text.split("\n").slice(0, LINES_SHOWN).join("\n    ")}\n`);
  }
}

function failuresOf(module: TestModule): readonly string[] {
  const failed = [...module.children.allTests("failed")].map(
    (test) => `${module.relativeModuleId} > ${test.fullName}\n${errorsOf(test.result().errors)}`,
  );
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  const outside = [...module.errors(), ...suites];
  return outside.length === 0 ? failed : [...failed, `${module.relativeModuleId}\n${errorsOf(outside)}`];
}

function errorsOf(errors: readonly { readonly message: string; readonly stack?: string }[] = []): string {
  return errors.map(({ message, stack = "" }) => `${message}\n${placesIn(stack)}`).join("\n");
}

/** Lines of a stack that name our own files. */
function placesIn(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !line.includes("node_modules"))
    .slice(0, 3)
    .join("\n");
}
