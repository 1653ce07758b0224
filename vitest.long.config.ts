import { defineConfig } from "vitest/config";

/** `npm run test:long`: what takes minutes, and longer than anybody waits for before a commit. */
export default defineConfig({
  test: {
    include: ["test/long/**/*.long.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
    reporters: ["verbose"],
  },
});
