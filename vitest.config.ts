import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { builtSources } from "./test/built-sources.ts";
import { FailedTests } from "./test/failed-tests.ts";
import { MixedOrder } from "./test/mixed-order.ts";
import { ALONE, COMPUTING, PATIENT } from "./test/process-groups.ts";
import { SlowestFiles } from "./test/slowest-files.ts";

export default defineConfig({
  plugins: builtSources(),
  test: {
    // Real ffmpeg and real time in some tests, on machines that are busy with other work: a hang must still end.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Many files wait for real time while others compute: a file keeps half a core busy on average, so four run at once, also on two
    // cores. More of them leave each one so little of a slow processor that recordings begin late.
    maxWorkers: 4,
    // A condition that is polled for has as long as a busy machine needs: no test sets a shorter limit of its own.
    expect: { poll: { timeout: 300_000, interval: 100 } },
    environment: "./test/end-of-worker.ts",
    globalSetup: ["test/leftovers.ts", "test/files-in-memory.ts"],
    // Until every worker has ended.
    teardownTimeout: 120_000,
    setupFiles: ["test/cpu-seconds.ts", "test/end-of-file.ts"],
    // Two runs at once, of two projects each, and the next ones: they transform a module once.
    experimental: { fsModuleCache: true, fsModuleCachePath: `build/test-modules/${packagesHash()}` },
    sequence: { sequencer: MixedOrder },
    reporters: ["default", new SlowestFiles(), new FailedTests()],
    // Which of them run at once: scripts/test.mjs.
    projects: [
      {
        extends: true,
        test: {
          name: "timed",
          include: ["test/**/*.test.ts"],
          exclude: [...ALONE, ...COMPUTING, ...PATIENT],
          isolate: false,
        },
      },
      { extends: true, test: { name: "patient", include: [...PATIENT], isolate: false } },
      { extends: true, test: { name: "computing", include: [...COMPUTING], isolate: false } },
      { extends: true, test: { name: "alone", include: [...ALONE] } },
    ],
  },
});

/** Other packages may transform in another way. vitest empties a folder for that, which must not happen while another run uses it. */
function packagesHash(): string {
  return createHash("sha256")
    .update(readFileSync("node_modules/.package-lock.json"))
    .digest("hex")
    .slice(0, 16);
}
