import { defineConfig } from "vitest/config";

/** `npm run test:container`: the image, built and run. */
export default defineConfig({
  test: {
    include: ["test/container/**/*.container.ts"],
    testTimeout: 300_000,
    // Images are made before the first test.
    hookTimeout: 1_800_000,
    maxWorkers: 1,
    reporters: ["verbose"],
  },
});
