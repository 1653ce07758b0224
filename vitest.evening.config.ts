import { defineConfig } from "vitest/config";
import { builtSources } from "./test/built-sources.ts";

/** `npm run test:evening`: a fleet on machines of their own, through an evening of faults. */
export default defineConfig({
  plugins: builtSources(),
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
