import { defineConfig } from "vitest/config";

/** `npm run test:evening`: a fleet on machines of their own, through an evening of faults. */
export default defineConfig({
  test: {
    include: ["test/fleet/evening/*.evening.ts"],
    hookTimeout: 180_000,
    maxWorkers: 1,
    globalSetup: "test/leftovers.ts",
    setupFiles: ["test/end-of-file.ts"],
    expect: { poll: { timeout: 60_000, interval: 100 } },
    reporters: ["verbose"],
  },
});
