import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { builtSources } from "./test/built-sources.ts";

/** `npm run test:long`: what takes minutes, and all cases of the tests that `npm test` takes a sample of. */
export default defineConfig({
  plugins: builtSources(),
  test: {
    include: ["test/**/*.long.ts", ...sampledTests()],
    env: { TEST_LANE: "long" },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    environment: "./test/end-of-worker.ts",
    globalSetup: "test/leftovers.ts",
    setupFiles: ["test/end-of-file.ts"],
    // Until every worker has ended.
    teardownTimeout: 120_000,
    maxWorkers: 1,
    // A condition that is polled for has as long as a busy machine needs: no test sets a shorter limit of its own.
    expect: { poll: { timeout: 150_000 } },
    reporters: ["verbose"],
  },
});

function sampledTests(): readonly string[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name))
    .filter((path) => /from ".*\/(?:lane|properties)\.ts"/.test(readFileSync(path, "utf8")));
}
