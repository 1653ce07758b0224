import { defineConfig } from "vitest/config";
import { builtSources } from "./test/built-sources.ts";

/** `npm run test:postgres`: the tests of the guide server, with PostgreSQL instead of SQLite, and those of PostgreSQL itself. */
export default defineConfig({
  plugins: builtSources(),
  test: {
    include: [
      "test/guide-server/**/*.test.ts",
      "test/guide-server/*-month.long.ts",
      "test/kit/postgres/*.test.ts",
      "test/fleet/*.postgres.ts",
    ],
    env: { RECORDERD_TEST_ENGINE: "postgres" },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    isolate: false,
    environment: "./test/end-of-worker.ts",
    globalSetup: "test/leftovers.ts",
    // Until every worker has ended.
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 150_000, interval: 100 } },
  },
});
