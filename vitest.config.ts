import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Real ffmpeg and real time in some tests: a file may take long, a hang must still end.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many files wait for real time while others reckon: two at once, also on two cores.
    maxWorkers: 2,
    reporters: ["default"],
  },
});
